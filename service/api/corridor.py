"""The corridor that every question walks: bytes, decoded once and strictly, asked, written, bytes.

It is a bare ASGI handler: what a framework does around a handler costs more than the question itself.
Whatever is refused leaves as a problem document; nothing is changed by any of it.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from inspect import isawaitable
from typing import Any, Final, Generic, Literal, TypeAlias, TypeVar

import msgspec
from litestar.datastructures.headers import Accept
from litestar.types import HTTPScope, Receive, Scope, Send

from service.api.problems import Refusal, write_problem
from service.api.schema import schema_faults
from service.api.wire import Error, pointer

Format: TypeAlias = Literal["json", "msgpack"]
Body = TypeVar("Body")

MEDIA_TYPES: Final[dict[Format, str]] = {"json": "application/json", "msgpack": "application/msgpack"}
_CONTENT_TYPES: Final[dict[Format, bytes]] = {name: media.encode() for name, media in MEDIA_TYPES.items()}
_PROBLEM_TYPE: Final = b"application/problem+json"
_JSON: Final = msgspec.json.Encoder()
_MSGPACK: Final = msgspec.msgpack.Encoder()
_ENCODE: Final[dict[Format, Callable[[object], bytes]]] = {"json": _JSON.encode, "msgpack": _MSGPACK.encode}
_STEP: Final = re.compile(r"\.([A-Za-z_][A-Za-z0-9_]*)|\[(\d+)\]")


class Gone(Exception):
    """The client closed the connection before its request was read."""


class Corridor(Generic[Body]):
    """An ASGI handler that reads one type of body and sends the answer to it.

    Shape: `ask` gives the answer, or an awaitable of it, and raises Refusal.
    """

    def __init__(self, body: type[Body], ask: Callable[[Body], object], limit: int, status: int = 200) -> None:
        self._body = body
        self._ask = ask
        self._limit = limit
        self._status = status
        self._decode: dict[Format, Callable[[bytes], Body]] = {
            "json": msgspec.json.Decoder(body).decode,
            "msgpack": msgspec.msgpack.Decoder(body).decode,
        }

    async def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        try:
            if scope["method"] != "POST":
                raise Refusal("method_not_allowed", "Ask with POST.")
            content, wanted = negotiate(scope)
            raw = await read_body(scope, receive, self._limit)
            answer = self._ask(self.decode(raw, content))
            if isawaitable(answer):
                answer = await answer
        except Refusal as refusal:
            await send_refusal(refusal, scope, send)
        except Gone:
            return
        else:
            await send_bytes(send, self._status, _CONTENT_TYPES[wanted], _ENCODE[wanted](answer))

    def decode(self, raw: bytes, content: Format) -> Body:
        """Decode a body.

        Errors: Refusal, with every fault of its shape.
        """
        return decode_strictly(self._decode[content], raw, content, self._body)


def decode_strictly(decode: Callable[[bytes], Body], raw: bytes, content: Format, body: Any) -> Body:
    """Decode bytes with the decoder of a type of body.

    Errors: Refusal, with every fault of its shape.
    """
    try:
        return decode(raw)
    except msgspec.ValidationError as exc:
        raise refuse_shape(exc, raw, content, body) from exc
    except (msgspec.DecodeError, UnicodeDecodeError) as exc:
        raise Refusal("malformed_body", f"The body is not {MEDIA_TYPES[content]}: {exc}.") from exc
    except RecursionError as exc:
        raise Refusal("malformed_body", "The body is nested too deeply.") from exc


def refuse_shape(exc: msgspec.ValidationError, raw: bytes, content: Format, body: Any) -> Refusal:
    """Refuse a body of the wrong shape: what the decoder found first, then all else that the schema finds."""
    text, _, at = str(exc).partition(" - at `$")
    first = Error(pointer(*(name or int(index) for name, index in _STEP.findall(at))), "invalid_body", text)
    try:
        whole = (msgspec.json if content == "json" else msgspec.msgpack).decode(raw)
        found = schema_faults(body, whole)
    except (msgspec.MsgspecError, ValueError, TypeError, RecursionError):
        found = ()
    errors = found if any(error.pointer == first.pointer for error in found) else (first, *found)
    detail = errors[0].detail if len(errors) == 1 else f"{first.detail}. In all, {len(errors)} faults were found."
    return Refusal("invalid_body", detail, tuple(errors))


def negotiate(scope: HTTPScope) -> tuple[Format, Format]:
    """Tell the format of the request and the one wanted for the answer.

    Errors: Refusal, for a content type or an Accept header with none of the formats.
    """
    content_type, accept = b"", b""
    for name, value in scope["headers"]:
        if name == b"content-type":
            content_type = value
        elif name == b"accept":
            accept = value
    return _negotiated(content_type, accept)


@lru_cache(maxsize=256)
def _negotiated(content_type: bytes, accept: bytes) -> tuple[Format, Format]:
    media = content_type.partition(b";")[0].strip().lower().decode("latin-1")
    if media not in {"", *MEDIA_TYPES.values()}:
        raise Refusal("unsupported_media_type", f"The body is {media}, not one of {', '.join(MEDIA_TYPES.values())}.")
    content: Format = "msgpack" if media == MEDIA_TYPES["msgpack"] else "json"
    offered = [MEDIA_TYPES[content], *MEDIA_TYPES.values()]
    best = Accept(accept.decode("latin-1")).best_match(offered) if accept else offered[0]
    if best is None:
        raise Refusal("not_acceptable", f"Only {', '.join(MEDIA_TYPES.values())} can be had.")
    return content, "msgpack" if best == MEDIA_TYPES["msgpack"] else "json"


async def read_body(scope: HTTPScope, receive: Receive, limit: int) -> bytes:
    """Read a request's body whole.

    Errors: Refusal, when it is longer than the limit in bytes; Gone, when the client has left.
    """
    for name, value in scope["headers"]:
        if name == b"content-length" and int(value) > limit:
            raise _too_large(limit)
    body = b""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Gone
        body = body + message["body"] if body else message["body"]
        if len(body) > limit:
            raise _too_large(limit)
        if not message["more_body"]:
            return body


def _too_large(limit: int) -> Refusal:
    return Refusal("body_too_large", f"The body is larger than {limit} bytes.")


async def send_refusal(refusal: Refusal, scope: Scope, send: Send) -> None:
    """Send a problem document."""
    problem = write_problem(refusal, scope["path"])
    allow = ((b"allow", b"POST"),) if refusal.code == "method_not_allowed" else ()
    await send_bytes(send, problem.status, _PROBLEM_TYPE, _JSON.encode(problem), allow)


async def send_bytes(
    send: Send, status: int, content_type: bytes, body: bytes, more: tuple[tuple[bytes, bytes], ...] = ()
) -> None:
    """Send a whole response in two messages."""
    headers = [(b"content-type", content_type), (b"content-length", b"%d" % len(body)), *more]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
