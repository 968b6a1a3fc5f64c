"""The one spelling of a path and of a host, and the method QUERY, for which the framework's router has no routes."""

import re
from collections.abc import Awaitable, Iterable
from typing import Any, Final

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send

from service.http.context import context_of
from service.http.operation import Operation
from service.http.problems import answer_refusal
from service.http.response import WholeResponse
from service.schemas.refusal import Refusal

_HTTP: Final = ScopeType.HTTP
MAX_PATH_LENGTH: Final = 500
"""Characters of a path, more than any route has."""
_NEEDLESS: Final = re.compile(rb"%(?:2[d-f]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)", re.IGNORECASE).search
"""Finds an encoded slash or another character that needs no encoding (RFC 3986, 2.3)."""
_WITH_SLASH: Final = re.compile(rb"(?:/[a-z-]+)*/([a-z-]+)/").fullmatch
"""Finds the last name of a path with a slash at its end, which may be the name of a page."""


class Paths:
    """An ASGI application that refuses paths and hosts that may be read in two ways, and passes on all else.

    The router gets a QUERY to the path of a question as a POST; the context of the request keeps its method.
    """

    def __init__(self, app: ASGIApp, operations: Iterable[Operation]) -> None:
        self.app = app
        self._queried = frozenset(operation.path for operation in operations if operation.allows_query)

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Answer a request. This is no coroutine itself: that would cost every idle stream one more frame."""
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
    """Return what is wrong with the host of a request, or with its path; None if there is nothing.

    A path has one spelling, so that no other one leads round the rules of a proxy, and is no longer than any route has:
    the framework caches the paths it has seen. The framework refuses a host that is not well-formed.
    """
    path, raw = scope["path"], scope["raw_path"]
    # Source: RFC 9112, 3.2. Two of them may be read as different hosts by what stands in front of the service.
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
    """Return the way of a browser from the path of a page with a slash at its end to the page; None for all else.

    The way is relative, so that it leads to no other host, and holds behind a proxy that serves below a path.
    """
    found = _WITH_SLASH(scope["raw_path"])
    is_browser = b"text/html" in context_of(scope).fields.get(b"accept", b"")
    if found is None or not is_browser or scope["method"] not in {"GET", "HEAD"}:
        return None
    return WholeResponse(308, b"text/plain", b"", ((b"location", b"../" + found[1]), (b"vary", b"accept")))
