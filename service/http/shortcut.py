"""The shortcut past the framework's router: a look-up, compiled from the path templates of the endpoints.

The path and the host of a request are checked before it.
"""

import re
from collections.abc import Awaitable, Iterable
from typing import Any, Final

from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send

from service.http.context import is_host
from service.http.endpoint import Endpoint
from service.http.problems import answer_refusal
from service.http.response import WholeResponse
from service.wire.refusal import Refusal

MAX_PATH_LENGTH: Final = 500
"""Characters of a path, more than any route has."""
_OTHER_SPELLING: Final = re.compile(rb"//|./\Z|%(?:2[d-f]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)", re.IGNORECASE).search
"""Finds an empty segment, and an encoded slash or another character that needs no encoding (RFC 3986, 2.3)."""
_WITH_SLASH: Final = re.compile(rb"(?:/[a-z-]+)*/([a-z-]+)/").fullmatch
"""Finds the last name of a path that is that of a page but for a slash at its end."""


class Shortcut:
    """An ASGI application that hands a request to its endpoint, or else to the framework.

    Errors: ValueError, for templates of one length that have their parameters at different places.
    """

    def __init__(self, endpoints: Iterable[Endpoint], framework: ASGIApp) -> None:
        self._framework = framework
        self._exact: dict[str, dict[str, Endpoint]] = {}
        self._below: dict[str, tuple[tuple[str, ...], dict[str, Endpoint]]] = {}
        self._places: dict[int, tuple[int, ...]] = {}
        for endpoint in endpoints:
            by_method = self._add(endpoint.operation.path)
            by_method.update(dict.fromkeys(endpoint.operation.methods, endpoint))

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Answer a request. This is no coroutine itself: that would cost every idle stream one more frame."""
        found: Any = scope
        application: Any = self._find(found)
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
        try:
            path = _require_path(scope)
        except Refusal as refusal:
            return _redirect_page(scope) or answer_refusal(refusal, scope)
        by_method = self._exact.get(path) or self._match(path, scope)
        return by_method.get(scope["method"], self._framework)

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


def _require_path(scope: HTTPScope) -> str:
    """Return the path of a request, which has one spelling, so that no other one leads round the rules of a proxy.

    Errors: Refusal, also for a host that is malformed, missing or sent twice, or a path longer than any route: the
    framework caches the paths it has seen.
    """
    path = scope["path"]
    if len(path) > MAX_PATH_LENGTH:
        raise Refusal("not_found", f"No resource has a path of more than {MAX_PATH_LENGTH} characters.")
    hosts = 0
    for name, value in scope["headers"]:
        if name == b"host":
            hosts += 1
            if is_host(value) is None:
                raise Refusal("malformed_request", "The header Host is malformed.")
    # Source: RFC 9112, 3.2. Two of them may be read as different hosts by what stands in front of the service.
    if hosts != 1 and (hosts or scope["http_version"] != "1.0"):
        raise Refusal("malformed_request", "Send the header Host once.")
    if _OTHER_SPELLING(scope["raw_path"]):
        detail = "No resource has this path: no path has an empty segment, or a percent-encoding that it does not need."
        raise Refusal("not_found", detail)
    return path


def _redirect_page(scope: HTTPScope) -> WholeResponse | None:
    """Return the way of a browser from the path of a page with a slash at its end to the page; None for all else.

    The way is relative, so that it leads to no other host, and holds behind a proxy that serves below a path.
    """
    found = _WITH_SLASH(scope["raw_path"])
    is_browser = any(name == b"accept" and b"text/html" in value for name, value in scope["headers"])
    if found is None or not is_browser or scope["method"] not in {"GET", "HEAD"}:
        return None
    return WholeResponse(308, b"text/plain", b"", ((b"location", b"../" + found[1]), (b"vary", b"accept")))
