"""The formats of bodies beside JSON, as schemathesis writes and reads them: all that it has to be told from outside."""

from typing import cast

import msgspec
import schemathesis
from schemathesis import Response


@schemathesis.serializer("application/msgpack")
def write_msgpack(_: object, value: object) -> bytes:
    """Write MessagePack; an integer that it cannot hold becomes a float, which is as wrong."""
    return msgspec.msgpack.encode(_within_bounds(value))


@schemathesis.serializer("text/vnd.catch-the-ten.record")
def write_text(_: object, value: object) -> bytes:
    """Write a record as text."""
    return str(value).encode(errors="replace")


@schemathesis.deserializer("application/msgpack")
def read_msgpack(_: object, response: Response) -> object:
    """Read MessagePack."""
    return msgspec.msgpack.decode(response.content)


def _within_bounds(value: object) -> object:
    if isinstance(value, dict):
        return {key: _within_bounds(inner) for key, inner in cast("dict[str, object]", value).items()}
    if isinstance(value, list):
        return [_within_bounds(inner) for inner in cast("list[object]", value)]
    if isinstance(value, int) and not -(2**63) <= value < 2**64:
        return float(str(value)[:300])
    return value
