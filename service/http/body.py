"""The body of a request: read whole, within limits of size and time."""

from asyncio import FIRST_COMPLETED, create_task, timeout, wait
from collections.abc import Coroutine
from typing import Any, Final, TypeVar

from litestar.types import HTTPRequestEvent, Receive, ReceiveMessage

from service.http.context import RequestContext
from service.http.request import caller_of
from service.platform.limits import BODIES, Account, Holding
from service.schemas.refusal import Refusal

Result = TypeVar("Result")

LIGHT_BYTES: Final = 2048
"""Bytes of a light body: quick to read and, unless it is a batch, quick to answer."""
_WAITING_BYTES: Final = 24 * 1024
"""Bytes of memory of a waiting request with a light body, measured and rounded up."""
_DECODED: Final = 4
"""Most bytes of memory per byte of a decoded body, measured and rounded up."""
_DECODED_BYTES: Final = 512 * 1024
"""Bytes of the largest body that is decoded at once; a larger batch is decoded question by question."""
BODY_TIMEOUT: Final = 30.0
"""Seconds that a body may take to arrive."""
_MAX_DIGITS: Final = 18
"""Digits of a 64-bit Content-Length; Python is slow with more, and refuses thousands."""
HELD: Final = Account(BODIES)
"""Memory of bodies that are not light, and of their decoded form; all callers share it."""


class ClientLeft(Exception):
    """The client disconnected before its request was answered."""


def hold_body(context: RequestContext, size: int) -> Holding:
    """Reserve the memory of a body of `size` bytes until its request is answered.

    Errors: Refusal.
    """
    held = Holding(HELD, caller_of(context))
    held.hold(_WAITING_BYTES + size + _DECODED * min(size, _DECODED_BYTES))
    return held


async def read_body(context: RequestContext, receive: Receive, limit: int) -> bytes:
    """Read the whole body of a request, and note its size in the context.

    Errors: Refusal, if it is too long, too slow, without a type, or beyond the memory of its caller or of all callers;
    ClientLeft.
    """
    if _is_longer(context.fields.get(b"content-length", b""), limit):
        raise _refuse_size(limit)
    try:
        async with timeout(BODY_TIMEOUT):
            body = await _read_parts(context, receive, limit)
    except TimeoutError as exc:
        raise Refusal("body_too_slow", f"The body did not arrive within {BODY_TIMEOUT:g} seconds.") from exc
    require_type(context, body)
    return body


def require_type(context: RequestContext, body: bytes) -> None:
    """Refuse a body without a type: browsers send one to any host without a preflight request.

    Errors: Refusal.
    """
    if body and not context.fields.get(b"content-type"):
        raise Refusal("unsupported_media_type", "The body has no Content-Type: name its media type, application/json.")


def refuse_body(context: RequestContext) -> None:
    """Refuse a request that announces a body, without reading it: a stream would never read it.

    Errors: Refusal.
    """
    if b"transfer-encoding" in context.fields or context.fields.get(b"content-length", b"").strip(b"0"):
        raise Refusal("malformed_request", "An event stream takes no body.")


async def while_connected(receive: Receive, work: Coroutine[Any, Any, Result]) -> Result:
    """Do work until its end or until the client disconnects.

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
        del working  # its exception's traceback leads back here: a cycle


async def _wait_for_leave(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _read_parts(context: RequestContext, receive: Receive, limit: int) -> bytes:
    part = _take(await receive(), context, limit)
    if not part["more_body"]:
        return part["body"]
    read = bytearray(part["body"])  # a list needs more memory per part than a part of one byte
    with Holding(HELD, caller_of(context)) as held:
        while True:
            if context.body_bytes > LIGHT_BYTES:
                held.hold(context.body_bytes)
            part = _take(await receive(), context, limit)
            read += part["body"]
            if not part["more_body"]:
                return bytes(read)


def _take(message: ReceiveMessage, context: RequestContext, limit: int) -> HTTPRequestEvent:
    if message["type"] != "http.request":
        raise ClientLeft
    context.body_bytes += len(message["body"])
    require_size(context.body_bytes, limit)
    return message


def _is_longer(content_length: bytes, limit: int) -> bool:
    """Return True if a Content-Length is above the limit; the server has refused one that is no number."""
    digits = content_length.strip().lstrip(b"0")
    return digits.isdigit() and (len(digits) > _MAX_DIGITS or int(digits) > limit)


def require_size(size: int, limit: int) -> int:
    """Return the size of a body, in bytes.

    Errors: Refusal, if it is above the limit.
    """
    if size > limit:
        raise _refuse_size(limit)
    return size


def _refuse_size(limit: int) -> Refusal:
    return Refusal("body_too_large", f"The body is larger than {limit} bytes.")
