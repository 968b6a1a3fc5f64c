"""The shortcut past the framework's router: a look-up, compiled from the path templates of the endpoints.

The path and the host of a request are checked before it.
"""

import re
from collections.abc import Awaitable, Iterable
from typing import Any, Final

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send

from service.http.context import context_of, is_host
from service.http.endpoint import Endpoint
from service.http.problems import answer_refusal
from service.http.response import WholeResponse
from service.schemas.refusal import Refusal

_HTTP: Final = ScopeType.HTTP
MAX_PATH_LENGTH: Final = 500
"""Characters of a path, more than any route has."""
_NEEDLESS: Final = re.compile(rb"%(?:2[d-f]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)", re.IGNORECASE).search
"""Finds an encoded slash or another character that needs no encoding (RFC 3986, 2.3)."""
_WITH_SLASH: Final = re.compile(rb"(?:/[a-z-]+)*/([a-z-]+)/").fullmatch
"""Finds the last name of a path that is that of a page but for a slash at its end."""


class Shortcut:
    """An ASGI application that hands a request to its endpoint, and all else to the framework.

    Errors: ValueError, for templates of one length that have their parameters at different places.
    """

    def __init__(self, endpoints: Iterable[Endpoint], framework: ASGIApp) -> None:
        self.framework = framework
        self._exact: dict[str, dict[str, Endpoint]] = {}
        self._below: dict[str, tuple[tuple[str, ...], dict[str, Endpoint]]] = {}
        self._places: dict[int, tuple[int, ...]] = {}
        for endpoint in endpoints:
            by_method = self._add(endpoint.operation.path)
            by_method.update(dict.fromkeys(endpoint.operation.methods, endpoint))

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Answer a request. This is no coroutine itself: that would cost every idle stream one more frame."""
        application: Any = self._find(scope) if scope["type"] == _HTTP else self.framework
        answered: Awaitable[None] = application(scope, receive, send)
        return answered

    def _add(self, path: str) -> dict[str, Endpoint]:
        """Return the endpoints of a path template, by method, to be filled."""
        parts = path.split("/")
        names = {at: part[1:-1] for at, part in enumerate(parts) if part.startswith("{")}
        if not names:
            return self._exact.setdefault(path, {})
        places = tuple(names)
        if self._places.setdefault(len(parts), places) != places:
            raise ValueError(path)
        key = "/".join(["" if at in names else part for at, part in enumerate(parts)])
        return self._below.setdefault(key, (tuple(names.values()), {}))[1]

    def _find(self, scope: HTTPScope) -> Endpoint | ASGIApp:
        path = scope["path"]
        refusal = _find_fault(scope, path)
        if refusal is not None:
            return _redirect_page(scope) or answer_refusal(refusal, scope)
        by_method = self._exact.get(path) or self._match(path, scope)
        return by_method.get(scope["method"], self.framework)

    def _match(self, path: str, scope: HTTPScope) -> dict[str, Endpoint]:
        """Return the endpoints, by method, of a path with parameters, if there are any."""
        parts = path.split("/")
        places = self._places.get(len(parts), ())
        values = [parts[at] for at in places]
        for at in places:
            parts[at] = ""
        found = self._below.get("/".join(parts))
        if found is None:
            return {}
        names, by_method = found
        scope["path_params"] = dict(zip(names, values, strict=True))
        return by_method


def _find_fault(scope: HTTPScope, path: str) -> Refusal | None:
    """Return what is wrong with the host of a request, or with its path; None if there is nothing.

    A path has one spelling, so that no other one leads round the rules of a proxy, and is no longer than any route has:
    the framework caches the paths it has seen.
    """
    host, raw = context_of(scope).fields.get(b"host"), scope["raw_path"]
    # Source: RFC 9112, 3.2. Two of them may be read as different hosts by what stands in front of the service.
    if scope["http_version"] != "1.0" if host is None else not is_host(host):
        return Refusal("malformed_request", "Send one header Host, with a host that is well-formed.")
    if len(path) > MAX_PATH_LENGTH:
        return Refusal("not_found", f"No resource has a path of more than {MAX_PATH_LENGTH} characters.")
    if b"//" in raw or (raw.endswith(b"/") and len(raw) > 1) or (b"%" in raw and _NEEDLESS(raw)):
        detail = "No resource has this path: no path has an empty segment, or a percent-encoding that it does not need."
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
