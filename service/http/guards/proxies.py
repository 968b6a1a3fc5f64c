"""The proxies that are trusted to name the client of a request and its scheme."""

from collections.abc import Sequence
from typing import Any

from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from service.http.context import RequestContext


class Proxies:
    """The trusted proxies, by addresses and networks."""

    def __init__(self, networks: Sequence[str]) -> None:
        nothing: Any = None  # only the middleware's reading of addresses is used; it wraps no application
        self._trusted = ProxyHeadersMiddleware(nothing, [*networks]).trusted_hosts

    def read_client(self, context: RequestContext) -> None:
        """Note the client and scheme of a request, as named by a trusted proxy."""
        if context.client not in self._trusted:
            return
        scheme = context.fields.get(b"x-forwarded-proto", b"").decode("latin-1").rpartition(",")[2].strip()
        if scheme in {"http", "https"}:
            context.scheme = scheme
        passed_by = context.fields.get(b"x-forwarded-for", b"").decode("latin-1")
        context.client = self._trusted.get_trusted_client_address(passed_by)[0] or context.client
