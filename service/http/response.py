"""Answers as they leave: encoded, with their status and headers, in two messages."""

from collections.abc import Callable
from typing import Final, Generic, TypeVar, cast

import msgspec
from litestar.types import Receive, Scope, Send
from msgspec import Struct

from service.http.context import Headers
from service.http.negotiation import MEDIA_TYPES, Format

Content = TypeVar("Content")

PRIVATE: Final[Headers] = ((b"cache-control", b"private, no-store"), (b"vary", b"accept, authorization"))
"""What goes with every answer that only its caller may see."""
ENCODE: Final[dict[Format, Callable[[object], bytes]]] = {
    "json": msgspec.json.Encoder().encode,
    "msgpack": msgspec.msgpack.Encoder().encode,
}
_CONTENT_TYPES: Final[dict[Format, bytes]] = {name: media.encode() for name, media in MEDIA_TYPES.items()}


class Versioned(Struct, Generic[Content], frozen=True, gc=False):
    """An answer with the version of what it shows, which becomes its ETag.

    Shape: `content` is None where the caller has this version already (304); `location` the path of what was made;
    `repeated` whether an earlier request made the change that is shown.
    """

    content: Content | None
    version: int
    location: str | None = None
    repeated: bool = False


class WholeResponse(Struct, frozen=True, gc=False):
    """A response that is sent in one go: an ASGI application of one answer."""

    status: int
    content_type: bytes
    body: bytes
    headers: Headers = ()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 – an application
        """Send the response in two messages."""
        headers = [
            (b"content-type", self.content_type),
            (b"content-length", b"%d" % len(self.body)),
            *self.headers,
        ]
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": self.body, "more_body": False})


def write_answer(answer: object, status: int, wanted: Format, headers: Headers = ()) -> WholeResponse:
    """Write what a handler answered; `headers` are those of the resource."""
    if type(answer) is Versioned:
        versioned = cast("Versioned[object]", answer)
        headers = (*headers, *_headers_of(versioned))
        answer = versioned.content
        status = 304 if answer is None else status
    body = b"" if answer is None else ENCODE[wanted](answer)
    return WholeResponse(status, _CONTENT_TYPES[wanted], body, headers)


def _headers_of(answer: "Versioned[object]") -> Headers:
    etag = (b"etag", write_etag(answer.version).encode())
    return (etag,) if answer.location is None else ((b"location", answer.location.encode()), etag)


def write_etag(version: int) -> str:
    """Write a version as an entity tag."""
    return f'"{version}"'
