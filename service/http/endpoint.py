"""The corridor that every question walks: bytes, decoded once and strictly, asked, written, bytes.

It is a bare ASGI handler: what a framework does around a handler costs more than the question itself.
Whatever is refused leaves as a problem document; nothing is changed by any of it.
"""

import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import lru_cache
from types import CoroutineType
from typing import Any, Final, Generic, Literal, TypeAlias, TypeVar, cast

import msgspec
from litestar.types import HTTPScope, Receive, Scope, Send

from service.http.problems import Refusal, sum_up, write_problem
from service.http.timeout import within
from service.http.validation import list_faults

Format: TypeAlias = Literal["json", "msgpack"]
Body = TypeVar("Body")

MEDIA_TYPES: Final[dict[Format, str]] = {"json": "application/json", "msgpack": "application/msgpack"}
CONTENT_TYPES: Final[dict[Format, bytes]] = {name: media.encode() for name, media in MEDIA_TYPES.items()}
_PROBLEM_TYPE: Final = b"application/problem+json"
_MORE: Final[dict[str, tuple[tuple[bytes, bytes], ...]]] = {
    "method_not_allowed": ((b"allow", b"POST"),),
    "body_too_slow": ((b"connection", b"close"),),
}
"""What refusals bring along: the methods that are allowed; that nobody waits for the rest of a body."""
_JSON: Final = msgspec.json.Encoder()
_MSGPACK: Final = msgspec.msgpack.Encoder()
ENCODE: Final[dict[Format, Callable[[object], bytes]]] = {"json": _JSON.encode, "msgpack": _MSGPACK.encode}
SEARCHED_AT_MOST: Final = 256 * 1024
"""A longer body of the wrong shape, in bytes, is not searched for further faults: no question needs as much."""
BODY_SECONDS: Final = 30.0
"""How long a body may take to arrive."""
_HEADER_AT_MOST: Final = 1000
"""A longer Content-Type or Accept, in bytes, is not read: what is remembered of them is bounded by it."""
_CHARSET: Final = re.compile(r';\s*charset\s*=\s*"?([^\s;"]*)')
_WEIGHT: Final = re.compile(r"\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*")


class Gone(Exception):
    """The client closed the connection before its request was read."""


class Corridor(Generic[Body]):
    """An ASGI handler that reads one type of body and sends the answer to it.

    Shape: `ask` gives the answer, or a coroutine of it, and raises Refusal.
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
            answer, wanted = await self._answer(scope, receive)
        except Refusal as refusal:
            await send_refusal(refusal, scope, send, _MORE.get(refusal.code, ()))
        except Gone:
            return
        else:
            await send_bytes(send, self._status, CONTENT_TYPES[wanted], ENCODE[wanted](answer))

    async def _answer(self, scope: HTTPScope, receive: Receive) -> tuple[object, Format]:
        if scope["method"] != "POST":
            raise Refusal("method_not_allowed", "Ask with POST.")
        content, wanted = negotiate(scope)
        answer = self._ask(self.decode(await read_body(scope, receive, self._limit), content))
        return (await cast("Awaitable[object]", answer) if type(answer) is CoroutineType else answer), wanted

    def decode(self, raw: bytes, content: Format) -> Body:
        """Decode a body.

        Errors: Refusal, with every fault of its shape.
        """
        return decode_strictly(self._decode[content], raw, content, self._body)


def decode_strictly(decode: Callable[[bytes], Body], raw: bytes, content: Format, body: object) -> Body:
    """Decode bytes with the decoder of a type of body.

    Errors: Refusal, with every fault of its shape.
    """
    try:
        return _decode(decode, raw, content)
    except msgspec.ValidationError as exc:
        raise refuse_shape(exc, raw, content, body) from exc


def _decode(decode: Callable[[bytes], Body], raw: bytes, content: Format) -> Body:
    try:
        return decode(raw)
    except msgspec.ValidationError:
        raise
    except (msgspec.DecodeError, UnicodeDecodeError) as exc:
        raise Refusal("malformed_body", f"The body is not {MEDIA_TYPES[content]}: {exc}.") from exc
    except RecursionError as exc:
        raise Refusal("malformed_body", "The body is nested too deeply.") from exc


def refuse_shape(exc: msgspec.ValidationError, raw: bytes, content: Format, body: object) -> Refusal:
    """Refuse a body of the wrong shape: with every fault that can be found, or, of a huge one, with the first.

    Errors: Refusal, when it turns out to be malformed further on.
    """
    whole = None
    if len(raw) <= SEARCHED_AT_MOST:
        with suppress(msgspec.ValidationError):
            whole = _decode((msgspec.json if content == "json" else msgspec.msgpack).decode, raw, content)
    errors = list_faults(exc, body, whole)
    return Refusal("invalid_body", sum_up(errors), errors)


def negotiate(scope: HTTPScope) -> tuple[Format, Format]:
    """Tell the format of the request and the one wanted for the answer.

    Errors: Refusal, for a content type or an Accept header with none of the formats.
    """
    content_type, accept = b"", b""
    for name, value in scope["headers"]:
        if name == b"content-type":
            content_type = value
        elif name == b"accept":
            accept = accept + b"," + value if accept else value
    if len(content_type) > _HEADER_AT_MOST:
        raise Refusal("unsupported_media_type", f"The Content-Type is longer than {_HEADER_AT_MOST} bytes.")
    if len(accept) > _HEADER_AT_MOST:
        raise Refusal("not_acceptable", f"The Accept header is longer than {_HEADER_AT_MOST} bytes.")
    return _negotiated(content_type, accept)


@lru_cache(maxsize=256)
def _negotiated(content_type: bytes, accept: bytes) -> tuple[Format, Format]:
    content = _content_format(content_type.decode("latin-1").lower())
    ranges = accept.decode("latin-1").lower().strip(" ,\t")
    if not ranges:
        return content, content
    weights: dict[Format, float] = {name: _weight(ranges, MEDIA_TYPES[name]) for name in (content, *MEDIA_TYPES)}
    wanted = max(weights, key=lambda name: weights[name])
    if not weights[wanted]:
        raise Refusal("not_acceptable", f"Only {' and '.join(MEDIA_TYPES.values())} can be had.")
    return content, wanted


def _content_format(content_type: str) -> Format:
    """Tell the format of a body; without a content type it is JSON."""
    media = content_type.partition(";")[0].strip() or MEDIA_TYPES["json"]
    charset = _CHARSET.search(content_type)
    if charset and charset[1] not in {"utf-8", "utf8"}:
        raise Refusal("unsupported_media_type", f"The charset is {charset[1][:40]}, not utf-8.")
    for name, known in MEDIA_TYPES.items():
        if media == known:
            return name
    raise Refusal("unsupported_media_type", f"The body is {media[:80]}, not {' or '.join(MEDIA_TYPES.values())}.")


def _weight(ranges: str, media: str) -> float:
    """Tell how much a media type is wanted, 0 for not at all: the most specific range that it is in decides.

    Source: RFC 9110, 12.5.1. Parameters other than the weight are not looked at.
    """
    specific = {"*/*": 0, media.partition("/")[0] + "/*": 1, media: 2}
    best = (-1, 0.0)
    for entry in ranges.split(","):
        name, *parameters = entry.split(";")
        if name.strip() in specific:
            weights = [found[1] for found in map(_WEIGHT.fullmatch, parameters) if found]
            best = max(best, (specific[name.strip()], float(weights[0]) if weights else 1.0))
    return best[1]


async def read_body(scope: HTTPScope, receive: Receive, limit: int) -> bytes:
    """Read a request's body whole, and leave behind in the scope for the metrics how many bytes were read.

    Errors: Refusal, when it is longer than the limit in bytes or comes too slowly; Gone, when the client has left.
    """
    for name, value in scope["headers"]:
        if name == b"content-length" and _longer(value, limit):
            raise _too_large(limit)
    try:
        return await within(BODY_SECONDS, _read_parts(scope, receive, limit))
    except TimeoutError as exc:
        raise Refusal("body_too_slow", f"The body was not there within {BODY_SECONDS:g} seconds.") from exc


async def _read_parts(scope: HTTPScope, receive: Receive, limit: int) -> bytes:
    seen: Any = scope
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise Gone
        parts.append(message["body"])
        size = seen["body_bytes"] = size + len(message["body"])
        if size > limit:
            raise _too_large(limit)
        if not message["more_body"]:
            return parts[0] if len(parts) == 1 else b"".join(parts)


def _longer(content_length: bytes, limit: int) -> bool:
    """Tell whether a body is announced as longer than the limit; what is no number is for the server to refuse."""
    digits = content_length.strip().lstrip(b"0")
    return digits.isdigit() and (len(digits) > len(str(limit)) or int(digits) > limit)


def _too_large(limit: int) -> Refusal:
    return Refusal("body_too_large", f"The body is larger than {limit} bytes.")


async def send_refusal(refusal: Refusal, scope: Scope, send: Send, more: tuple[tuple[bytes, bytes], ...] = ()) -> None:
    """Send a problem document, with more headers if it needs them."""
    problem = write_problem(refusal, scope["path"])
    await send_bytes(send, problem.status, _PROBLEM_TYPE, _JSON.encode(problem), more)


async def send_bytes(
    send: Send, status: int, content_type: bytes, body: bytes, more: tuple[tuple[bytes, bytes], ...] = ()
) -> None:
    """Send a whole response in two messages."""
    headers = [(b"content-type", content_type), (b"content-length", b"%d" % len(body)), *more]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
