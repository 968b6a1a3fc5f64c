"""CORS for pages of other origins, and the security headers of every answer."""

from typing import Final

from service.http.context import Headers, RequestContext
from service.http.response import WholeResponse

SECURITY_HEADERS: Final = [
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
]
"""Headers that the server adds to every answer, even to its own.

The last one keeps other sites from embedding an answer; requests that CORS allows still work.
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
    "baggage",
    "sentry-trace",
    "x-datadog-origin",
    "x-datadog-parent-id",
    "x-datadog-sampling-priority",
    "x-datadog-tags",
    "x-datadog-trace-id",
    "x-request-id",
    "mcp-protocol-version",
    "mcp-method",
    "mcp-name",
)
_MAX_AGE: Final = 7200
"""Seconds for which a browser may cache the answer to a preflight request."""
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
    """Lets pages of some other origins, or of any, call the service.

    It comes before every refusal, so a page can read refusals, too, and a preflight request needs no key. Credentials
    such as cookies are never allowed: the service has none.
    Shape: `origins` are as those of AllowedOrigins.
    """

    def __init__(self, origins: str) -> None:
        self._origins = AllowedOrigins(origins)

    def read_origin(self, context: RequestContext) -> WholeResponse | None:
        """Let pages of allowed origins read the answer to a request. Return the answer to a preflight request."""
        origin = context.fields.get(b"origin", b"")
        if origin and origin in self._origins:
            context.headers.append((b"access-control-allow-origin", b"*" if self._origins.has_any else origin))
            if context.method == "OPTIONS" and b"access-control-request-method" in context.fields:
                return WholeResponse(204, b"text/plain", b"", _PREFLIGHT)
            context.headers.append(_EXPOSE)
        if not self._origins.has_any:  # caches need it on answers to requests without an origin, too
            context.headers.append(_VARY)
        return None


_EXPOSE: Final = (b"access-control-expose-headers", ", ".join(EXPOSED).encode())
_PREFLIGHT: Final[Headers] = (
    (b"access-control-allow-methods", b"GET, HEAD, POST, QUERY, PUT, DELETE"),
    (b"access-control-allow-headers", ", ".join(ALLOWED).encode()),
    (b"access-control-max-age", b"%d" % _MAX_AGE),
    (b"vary", b"origin, access-control-request-method, access-control-request-headers"),
)
