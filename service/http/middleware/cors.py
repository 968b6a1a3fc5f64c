"""What browsers are told: which other sites may ask (CORS), and what no answer may be used for."""

from typing import Final

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from service.http.context import Headers

SECURITY_HEADERS: Final = [
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
]
"""What the server adds to every answer, its own refusals included.

The last of them keeps other sites from embedding an answer; what CORS allows is not embedded, and not hindered by it.
"""
EXPOSED: Final = ("etag", "location", "retry-after", "ratelimit", "ratelimit-policy", "x-request-id")
ALLOWED: Final = (
    "content-type",
    "authorization",
    "if-match",
    "if-none-match",
    "idempotency-key",
    "last-event-id",
    "x-api-key",
    "traceparent",
)
_KEPT: Final = 7200
"""How long a browser may remember what it was allowed, in seconds."""
_ANY: Final = "*"
_VARY: Final = (b"vary", b"origin")


class Cors:
    """An ASGI application that lets pages of some other origins, or of any, ask another application.

    It stands before all that may refuse, so that a page can read refusals, too, and a browser's question in advance
    needs no key. Cookies are never allowed along: there are none.
    """

    def __init__(self, app: ASGIApp, origins: str) -> None:
        self._app = app
        self._origins = {origin.strip().lower().encode() for origin in origins.split(",")}
        self._any = origins.strip() == _ANY

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer what a browser asks in advance; let it read any other answer."""
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        origin, in_advance = _origin(scope)
        allowed = self._allow(origin)
        if in_advance and allowed:
            headers = [*allowed, *_ADVANCE]
            await send({"type": "http.response.start", "status": 204, "headers": headers})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
            return

        async def allowing_send(message: Message) -> None:
            if message["type"] == "http.response.start":
                more = (*allowed, _EXPOSE) if allowed else ()
                message["headers"] = [*message["headers"], *more, *self._vary]
            await send(message)

        await self._app(scope, receive, allowing_send)

    @property
    def _vary(self) -> Headers:
        """What a cache must know, also of an answer to nobody's page."""
        return () if self._any else (_VARY,)

    def _allow(self, origin: bytes) -> Headers:
        if not origin or not (self._any or origin.lower() in self._origins):
            return ()
        return ((b"access-control-allow-origin", b"*" if self._any else origin),)


_EXPOSE: Final = (b"access-control-expose-headers", ", ".join(EXPOSED).encode())
_ADVANCE: Final[Headers] = (
    (b"access-control-allow-methods", b"GET, HEAD, POST, DELETE"),
    (b"access-control-allow-headers", ", ".join(ALLOWED).encode()),
    (b"access-control-max-age", b"%d" % _KEPT),
    (b"vary", b"origin, access-control-request-method, access-control-request-headers"),
)


def _origin(scope: HTTPScope) -> tuple[bytes, bool]:
    """Tell the origin of the page that asks, if any, and whether its browser only asks whether it may."""
    origin, in_advance = b"", False
    for name, value in scope["headers"]:
        if name == b"origin":
            origin = value
        elif name == b"access-control-request-method":
            in_advance = scope["method"] == "OPTIONS"
    return origin, in_advance
