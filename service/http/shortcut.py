"""The shortcut past the framework's router: a look-up, compiled from the path templates of the endpoints."""

from collections.abc import Awaitable, Iterable
from typing import Any

from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send

from service.http.endpoint import Endpoint
from service.http.paths import redirect_page, require_path
from service.http.problems import answer_refusal
from service.wire.refusal import Refusal


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
            path = require_path(scope)
        except Refusal as refusal:
            return redirect_page(scope) or answer_refusal(refusal, scope)
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
