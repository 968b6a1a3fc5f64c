"""The body of a request: read whole, within limits of size and time, and decoded once and strictly."""

from asyncio import FIRST_COMPLETED, create_task, wait
from collections.abc import Callable, Coroutine
from functools import cache
from math import isinf
from typing import Any, ClassVar, Final, Protocol, Self, TypeVar

import msgspec
from litestar.types import HTTPRequestEvent, HTTPScope, Receive, ReceiveMessage

from service.http.context import RequestContext
from service.http.negotiation import MEDIA_TYPES, Format
from service.http.timeout import limit_time
from service.http.validation import Decoded, list_faults, without_nulls
from service.wire.refusal import Refusal, sum_up

Result = TypeVar("Result")

LIGHT_BYTES: Final = 2048
"""Bytes of a body that is light to read and to answer, unless it is a batch."""
MAX_SEARCHED_BYTES: Final = 64 * 1024
"""Bytes of a body that is searched for all faults of its shape, may have null for a field that may be left out, and in
JSON 3.0 for 3.
"""
HEAVY_WORK_BYTES: Final = 1024 * 1024
"""Bytes that a request counts for whose body is light and whose work is not: what it keeps while it waits or works."""
BODY_TIMEOUT: Final = 30.0
"""Seconds that a body may take to arrive."""
MAX_HELD_BYTES: Final = 64 * 1024 * 1024
"""Bytes of all bodies of a process that are being read or answered. Above it only light bodies are read."""


class BodyBudget:
    """The bytes that a body takes of what the process may hold, while it is read or waits for its turn."""

    size: ClassVar[int] = 0
    """Bytes of all heavy bodies that the process holds."""

    def __init__(self) -> None:
        self._own = 0

    def __enter__(self) -> Self:
        """Hold nothing yet."""
        return self

    def __exit__(self, *_: object) -> None:
        """Let the body go."""
        BodyBudget.size -= self._own

    def hold(self, size: int) -> None:
        """Hold so many bytes of the body, if it is heavy.

        Errors: Refusal, if these are too many with the others.
        """
        if size > LIGHT_BYTES:
            BodyBudget.size += size - self._own
            self._own = size
            if BodyBudget.size > MAX_HELD_BYTES:
                detail = f"The bodies that are being read are together larger than {MAX_HELD_BYTES} bytes."
                raise Refusal("too_busy", detail)


class ClientLeft(Exception):
    """The client closed the connection before its request was answered."""


async def read_body(scope: HTTPScope, context: RequestContext, receive: Receive, limit: int) -> bytes:
    """Read the whole body of a request, and note its size in the context.

    Errors: Refusal, if it is longer than the limit in bytes, one too many, or too slow to arrive; ClientLeft.
    """
    for name, value in scope["headers"]:
        if name == b"content-length" and _is_longer(value, limit):
            raise _refuse_size(limit)
    try:
        return await limit_time(BODY_TIMEOUT, _read_parts(context, receive, limit))
    except TimeoutError as exc:
        raise Refusal("body_too_slow", f"The body did not arrive within {BODY_TIMEOUT:g} seconds.") from exc


async def while_connected(receive: Receive, work: Coroutine[Any, Any, Result]) -> Result:
    """Do work until its end, or until the client leaves, whichever comes first.

    Errors: ClientLeft; those of the work.
    """
    working, leaving = create_task(work), create_task(_wait_for_leave(receive))
    try:
        await wait((working, leaving), return_when=FIRST_COMPLETED)
        if not working.done():
            raise ClientLeft
        return working.result()
    finally:
        working.cancel()
        leaving.cancel()
        await wait((working, leaving))
        del working  # it holds its exception, whose traceback leads back here: a cycle


async def _wait_for_leave(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _read_parts(context: RequestContext, receive: Receive, limit: int) -> bytes:
    part = _take(await receive(), context, limit)
    if not part["more_body"]:
        return part["body"]
    parts = [part["body"]]
    with BodyBudget() as budget:
        while True:
            budget.hold(context.body_bytes)
            part = _take(await receive(), context, limit)
            parts.append(part["body"])
            if not part["more_body"]:
                return b"".join(parts)


def _take(message: ReceiveMessage, context: RequestContext, limit: int) -> HTTPRequestEvent:
    if message["type"] != "http.request":
        raise ClientLeft
    context.body_bytes += len(message["body"])
    if context.body_bytes > limit:
        raise _refuse_size(limit)
    return message


def _is_longer(content_length: bytes, limit: int) -> bool:
    """Return True if a Content-Length is above the limit; the server refuses one that is no number."""
    digits = content_length.strip().lstrip(b"0")
    return digits.isdigit() and (len(digits) > len(str(limit)) or int(digits) > limit)


def _refuse_size(limit: int) -> Refusal:
    return Refusal("body_too_large", f"The body is larger than {limit} bytes.")


class BodyDecoder(Protocol):
    """A decoder of bodies of one type."""

    def __call__(self, raw: bytes, content: Format) -> Any:
        """Decode a body.

        Errors: Refusal, with the faults of its shape.
        """
        ...


@cache
def decoder_of(body: Any, *, optional_body: bool = False) -> BodyDecoder:
    """Return the strict decoder of bodies of a type; an optional body that is missing counts as an empty object."""
    decoders: dict[Format, Callable[[bytes], Any]] = {
        "json": msgspec.json.Decoder(body).decode,
        "msgpack": msgspec.msgpack.Decoder(body).decode,
    }

    def decode(raw: bytes, content: Format) -> Any:
        if optional_body and not raw:
            return body()
        try:
            return decoders[content](raw)
        except msgspec.ValidationError as exc:
            return _decode_again(exc, raw, content, body)
        except _MALFORMED as exc:
            raise _refuse_malformed(exc, raw, content) from exc

    return decode


_MALFORMED: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""The exceptions that decoding raises for a body that is not well-formed."""


def _refuse_malformed(exc: Exception, raw: bytes, content: Format) -> Refusal:
    if isinstance(exc, RecursionError):
        return Refusal("malformed_body", "The body is nested too deeply.")
    if not raw:
        return Refusal("malformed_body", f"The body is empty; send {MEDIA_TYPES[content]}.")
    return Refusal("malformed_body", f"The body is not {MEDIA_TYPES[content]}: {exc}.")


_MENDABLE: Final[dict[Format, tuple[str, ...]]] = {
    "json": (", got `null`", ", got `float`"),
    "msgpack": (", got `None`",),
}
"""Words in the message of the decoder that may stop at what is only another way to write the same."""


def _decode_again(exc: msgspec.ValidationError, raw: bytes, content: Format, body: Any) -> Any:
    """Decode a body that has null for a field that may be left out, or in JSON 3.0 where the type has an integer.

    To JSON Schema 3.0 and 3 are the same number; MessagePack has a type for each of them.
    Errors: Refusal, with all faults of a body that is of the wrong shape all the same, or with the first if it is huge.
    """
    whole = _decode_untyped(raw, content) if len(raw) <= MAX_SEARCHED_BYTES else None
    if whole is None or not any(words in str(exc) for words in _MENDABLE[content]):
        raise _refuse_shape(exc, body, whole) from exc
    try:
        return msgspec.convert(without_nulls(body, whole), body)
    except msgspec.ValidationError as second:  # under no other name: its traceback leads back here, a cycle
        raise _refuse_shape(second, body, whole) from second


def _refuse_shape(exc: msgspec.ValidationError, body: Any, whole: Decoded) -> Refusal:
    errors = list_faults(exc, body, whole)
    return Refusal("invalid_body", sum_up(errors), errors)


def _read_number(text: str) -> float:
    """Return a number of JSON with a point or an exponent: an integer if it is whole.

    Errors: ValueError, if it is larger than any; the decoder gives it as its own fault.
    """
    number = float(text)
    if isinf(number):
        raise ValueError("Number out of range")
    return int(number) if number.is_integer() else number


_UNTYPED: Final[dict[Format, Callable[[bytes], Any]]] = {
    "json": msgspec.json.Decoder(float_hook=_read_number).decode,
    "msgpack": msgspec.msgpack.decode,
}


def _decode_untyped(raw: bytes, content: Format) -> Decoded:
    """Decode a body without its type. Return None if that is impossible, as with a key that Python cannot hash.

    Errors: Refusal, if the body turns out to be malformed after its first fault.
    """
    try:
        whole: Decoded = _UNTYPED[content](raw)
    except msgspec.ValidationError:
        return None
    except _MALFORMED as exc:
        raise _refuse_malformed(exc, raw, content) from exc
    return whole
