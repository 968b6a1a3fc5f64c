"""CORS, for pages of other origins that call the service; and the security headers of every answer."""

from typing import Final

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from service.http.context import Headers, context_of

SECURITY_HEADERS: Final = [
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
]
"""Headers that the server adds to every answer, even to those that it makes itself.

The last of them keeps other sites from embedding an answer; it does not hinder requests that CORS allows.
"""
EXPOSED: Final = (
    "etag",
    "location",
    "retry-after",
    "ratelimit",
    "ratelimit-policy",
    "x-request-id",
    "accept-query",
    "api-version",
)
ALLOWED: Final = (
    "content-type",
    "authorization",
    "if-match",
    "if-none-match",
    "idempotency-key",
    "last-event-id",
    "x-api-key",
    "cache-control",
    "traceparent",
    "tracestate",
    "x-request-id",
    "mcp-protocol-version",
    "mcp-method",
    "mcp-name",
)
_MAX_AGE: Final = 7200
"""Seconds for which a browser may keep the answer to a preflight request."""
_ANY: Final = "*"
_VARY: Final = (b"vary", b"origin")


class AllowedOrigins:
    """The origins whose pages may call the service, separated by commas; `*` stands for any."""

    def __init__(self, origins: str) -> None:
        self._origins = {origin.strip().lower().encode() for origin in origins.split(",")}
        self.has_any = origins.strip() == _ANY

    def __contains__(self, origin: bytes) -> bool:
        """Return True if pages of an origin may call."""
        return self.has_any or origin.lower() in self._origins


class Cors:
    """An ASGI application that lets pages of some other origins, or of any, call the application inside it.

    It is outside everything that may refuse a request, so that a page can read refusals, too, and a preflight request
    needs no key. Credentials such as cookies are never allowed: the service has none.
    Shape: `origins` are as those of AllowedOrigins.
    """

    def __init__(self, app: ASGIApp, origins: str) -> None:
        self._app = app
        self._origins = AllowedOrigins(origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a preflight request, and let pages of allowed origins read any other answer."""
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        origin, is_preflight = _read_origin(scope)
        allowed = self._allow(origin)
        if is_preflight and allowed:
            headers = [*allowed, *_PREFLIGHT]
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
        """Return the header Vary, which a cache needs on answers to requests without an origin, too."""
        return () if self._origins.has_any else (_VARY,)

    def _allow(self, origin: bytes) -> Headers:
        if not origin or origin not in self._origins:
            return ()
        return ((b"access-control-allow-origin", b"*" if self._origins.has_any else origin),)


_EXPOSE: Final = (b"access-control-expose-headers", ", ".join(EXPOSED).encode())
_PREFLIGHT: Final[Headers] = (
    (b"access-control-allow-methods", b"GET, HEAD, POST, QUERY, PUT, DELETE"),
    (b"access-control-allow-headers", ", ".join(ALLOWED).encode()),
    (b"access-control-max-age", b"%d" % _MAX_AGE),
    (b"vary", b"origin, access-control-request-method, access-control-request-headers"),
)


def _read_origin(scope: HTTPScope) -> tuple[bytes, bool]:
    """Return the origin of the page that sent a request, empty if there is none, and True for a preflight request."""
    fields = context_of(scope).fields
    return fields.get(b"origin", b""), scope["method"] == "OPTIONS" and b"access-control-request-method" in fields
