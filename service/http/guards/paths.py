"""The one spelling of a path and of a host; and the method QUERY, unknown to the framework's router."""

import re
from collections.abc import Awaitable, Iterable
from typing import Any, Final

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send

from service.http.context import context_of
from service.http.operation import Operation
from service.http.problem_document import answer_refusal
from service.http.response import WholeResponse
from service.schemas.refusal import Refusal

_HTTP: Final = ScopeType.HTTP
MAX_PATH_LENGTH: Final = 500
"""Characters of a path, more than any route has."""
_NEEDLESS: Final = re.compile(rb"%(?:2[d-f]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)", re.IGNORECASE).search
"""Finds an encoded slash, or an encoded character that needs no encoding (RFC 3986, 2.3)."""
_WITH_SLASH: Final = re.compile(rb"(?:/[a-z-]+)*/([a-z-]+)/").fullmatch
"""Finds the last name of a path that ends with a slash; it may be the name of a page."""


class Paths:
    """An ASGI application that refuses ambiguous paths and hosts, and passes on all else.

    The router gets a QUERY to a question's path as a POST; the request's context keeps the method.
    """

    def __init__(self, app: ASGIApp, operations: Iterable[Operation]) -> None:
        self.app = app
        self._queried = frozenset(operation.path for operation in operations if operation.allows_query)

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Return the coroutine that answers a request; being one itself would cost every idle stream a frame."""
        app: Any = self.app
        if scope["type"] == _HTTP:
            context = context_of(scope)
            refusal = _find_fault(scope, context.fields.get(b"host"))
            if refusal is not None:
                app = _redirect_page(scope) or answer_refusal(refusal, context)
            elif context.method == "QUERY" and scope["path"] in self._queried:
                scope["method"] = "POST"
        answered: Awaitable[None] = app(scope, receive, send)
        return answered


def _find_fault(scope: HTTPScope, host: bytes | None) -> Refusal | None:
    """Return the fault of a request's host or path; None if there is none.

    A path has one spelling, so that no other spelling bypasses the rules of a proxy. It is no longer than any route,
    because the framework caches paths. The framework refuses a malformed host.
    """
    path, raw = scope["path"], scope["raw_path"]
    # Source: RFC 9112, 3.2. A proxy may pick the other one of two.
    is_missing = host is None and scope["http_version"] != "1.0"
    if is_missing or (host is not None and b", " in host):
        return Refusal("malformed_request", "Send one header Host, with a host that is well-formed.")
    if len(path) > MAX_PATH_LENGTH:
        return Refusal("not_found", f"No resource has a path of more than {MAX_PATH_LENGTH} characters.")
    if b"//" in raw or (raw.endswith(b"/") and len(raw) > 1) or (b"%" in raw and _NEEDLESS(raw)):
        detail = (
            "No resource has this path: it has an empty segment, a slash at its end or a needless percent-encoding."
        )
        return Refusal("not_found", detail)
    return None


def _redirect_page(scope: HTTPScope) -> WholeResponse | None:
    """Return the redirection from a page's path with a slash at its end to the page; None for all else.

    It is relative, so it leads to no other host, and works behind a proxy that adds a path prefix.
    """
    found = _WITH_SLASH(scope["raw_path"])
    is_browser = b"text/html" in context_of(scope).fields.get(b"accept", b"")
    if found is None or not is_browser or scope["method"] not in {"GET", "HEAD"}:
        return None
    return WholeResponse(308, b"text/plain", b"", ((b"location", b"../" + found[1]), (b"vary", b"accept")))
