"""Responses: an encoded answer with its status and headers."""

from collections.abc import Callable
from typing import Any, Final, Generic, NamedTuple, TypeVar, cast

import msgspec
from litestar.types import Receive, Scope, Send
from msgspec import Struct

from service.http.caching import CACHE_CONTROL, hash_body, is_known
from service.http.context import Headers, RequestContext
from service.http.negotiation import MEDIA_TYPES, Format
from service.schemas.revision import Revision

Content = TypeVar("Content")

PRIVATE: Final[Headers] = ((b"cache-control", b"private, no-store"), (b"vary", b"accept, authorization"))
"""Headers of an answer that only its caller may see."""
ENCODE: Final[dict[Format, Callable[[object], bytes]]] = {
    "json": msgspec.json.Encoder().encode,
    "msgpack": msgspec.msgpack.Encoder().encode,
}
_WITHOUT_LENGTH: Final = frozenset({204, 304})
"""The statuses of answers without a body and without its length. Source: RFC 9110, 8.6."""
_CONTENT_TYPES: Final[dict[Format, bytes]] = {name: media.encode() for name, media in MEDIA_TYPES.items()}


class Versioned(Struct, Generic[Content], frozen=True, gc=False):
    """An answer with the revision of its game, which becomes its ETag.

    The ETag is the same for every caller and in every format: it is for If-Match, and makes no answer 304.
    Shape: `location` is the path of a new game; `repeated` is True if an earlier request made the change.
    """

    content: Content
    revision: Revision
    location: str | None = None
    repeated: bool = False


class TextForm(NamedTuple):
    """The plain-text form of an answer: its media type, and the function that writes it."""

    media: str
    write: Callable[[Any], str]


class WholeResponse(Struct, frozen=True, gc=False):
    """A whole response, as an ASGI application."""

    status: int
    content_type: bytes
    body: bytes
    headers: Headers = ()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 – the signature of ASGI
        """Send the response in two messages."""
        await send({"type": "http.response.start", "status": self.status, "headers": self.list_headers()})
        await send({"type": "http.response.body", "body": self.body, "more_body": False})

    def list_headers(self) -> Headers:
        """Return all headers, including those of the body."""
        length = () if self.status in _WITHOUT_LENGTH else ((b"content-length", b"%d" % len(self.body)),)
        return ((b"content-type", self.content_type), *length, *self.headers)


def write_answer(
    answer: object, status: int, wanted: Format, headers: Headers = (), text: TextForm | None = None
) -> WholeResponse:
    """Write the result of a handler as a response.

    Shape: `headers` are those of the resource, `text` is the form of its texts.
    """
    if type(answer) is Versioned:
        versioned = cast("Versioned[object]", answer)
        headers = (*headers, *_headers_of(versioned))
        answer = versioned.content
    if text is not None and wanted == "text":
        body = text.write(answer).encode()
        return WholeResponse(status, f"{text.media}; charset=utf-8".encode(), body, headers)
    body = b"" if answer is None else ENCODE[wanted](answer)
    return WholeResponse(status, _CONTENT_TYPES[wanted], body, headers)


def with_cache_headers(response: WholeResponse, context: RequestContext) -> WholeResponse:
    """Give a response an ETag and its time in caches; empty it if the client has it already.

    Leave out the quota: a shared cache would leak it to other callers.
    """
    context.quota = ()
    etag = hash_body(response.body)
    kept = (
        *response.headers,
        (b"etag", etag.encode()),
        (b"cache-control", CACHE_CONTROL.encode()),
        (b"vary", b"accept"),
    )
    asked = context.fields.get(b"if-none-match", b"")
    if is_known(etag, asked.decode("latin-1")):
        return WholeResponse(304, response.content_type, b"", kept)
    return WholeResponse(response.status, response.content_type, response.body, kept)


def _headers_of(answer: "Versioned[object]") -> Headers:
    etag = (b"etag", write_etag(answer.revision).encode())
    return (etag,) if answer.location is None else ((b"location", answer.location.encode()), etag)


def write_etag(revision: Revision) -> str:
    """Write a revision as an entity tag."""
    return f'"{revision}"'
