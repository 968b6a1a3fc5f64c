"""The body of a request: read whole, within a size and a time, and decoded once and strictly."""

from collections.abc import Callable
from functools import cache
from typing import Any, Final, Protocol

import msgspec
from litestar.types import HTTPScope, Receive

from service.http.context import context_of
from service.http.negotiation import MEDIA_TYPES, Format
from service.http.timeout import within
from service.http.validation import list_faults
from service.wire.refusal import Refusal, sum_up

SEARCHED_AT_MOST: Final = 256 * 1024
"""A longer body of the wrong shape, in bytes, is not searched for further faults: no question needs as much."""
BODY_SECONDS: Final = 30.0
"""Seconds that a body may take to arrive."""


class ClientLeft(Exception):
    """The client closed the connection before its request was read."""


async def read_body(scope: HTTPScope, receive: Receive, limit: int) -> bytes:
    """Read a request's body whole.

    Errors: Refusal, when it is longer than the limit in bytes or comes too slowly; ClientLeft.
    """
    for name, value in scope["headers"]:
        if name == b"content-length" and _longer(value, limit):
            raise _too_large(limit)
    try:
        return await within(BODY_SECONDS, _read_parts(scope, receive, limit))
    except TimeoutError as exc:
        raise Refusal("body_too_slow", f"The body was not there within {BODY_SECONDS:g} seconds.") from exc


async def _read_parts(scope: HTTPScope, receive: Receive, limit: int) -> bytes:
    context = context_of(scope)
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise ClientLeft
        parts.append(message["body"])
        size = context.body_bytes = size + len(message["body"])
        if size > limit:
            raise _too_large(limit)
        if not message["more_body"]:
            return parts[0] if len(parts) == 1 else b"".join(parts)


def _longer(content_length: bytes, limit: int) -> bool:
    """Return whether a body is announced as longer than the limit; what is no number is for the server to refuse."""
    digits = content_length.strip().lstrip(b"0")
    return digits.isdigit() and (len(digits) > len(str(limit)) or int(digits) > limit)


def _too_large(limit: int) -> Refusal:
    return Refusal("body_too_large", f"The body is larger than {limit} bytes.")


class BodyDecoder(Protocol):
    """A decoder of bodies of one type."""

    def __call__(self, raw: bytes, content: Format) -> Any:
        """Decode a body.

        Errors: Refusal, with every fault of its shape.
        """
        ...


@cache
def decoder_of(body: Any) -> BodyDecoder:
    """Make the strict decoder of a type of body."""
    decoders: dict[Format, Callable[[bytes], Any]] = {
        "json": msgspec.json.Decoder(body).decode,
        "msgpack": msgspec.msgpack.Decoder(body).decode,
    }

    def decode(raw: bytes, content: Format) -> Any:
        try:
            return _decode_well_formed(decoders[content], raw, content)
        except msgspec.ValidationError as exc:
            raise _refuse_shape(exc, raw, content, body) from exc

    return decode


def _decode_well_formed(decode: Callable[[bytes], Any], raw: bytes, content: Format) -> Any:
    """Decode a body; one that is not even well-formed is refused.

    Errors: Refusal; ValidationError, for a well-formed body of the wrong shape.
    """
    try:
        return decode(raw)
    except msgspec.ValidationError:
        raise
    except (msgspec.DecodeError, UnicodeDecodeError) as exc:
        raise Refusal("malformed_body", f"The body is not {MEDIA_TYPES[content]}: {exc}.") from exc
    except RecursionError as exc:
        raise Refusal("malformed_body", "The body is nested too deeply.") from exc


def _refuse_shape(exc: msgspec.ValidationError, raw: bytes, content: Format, body: Any) -> Refusal:
    """Refuse a body of the wrong shape: with every fault that can be found, or, of a huge one, with the first.

    Errors: Refusal, when it turns out to be malformed further on.
    """
    whole = None
    if len(raw) <= SEARCHED_AT_MOST:
        decode = (msgspec.json if content == "json" else msgspec.msgpack).decode
        try:
            whole = _decode_well_formed(decode, raw, content)
        except msgspec.ValidationError:  # such as a key that no Python value can be made of
            whole = None
    errors = list_faults(exc, body, whole)
    return Refusal("invalid_body", sum_up(errors), errors)
