"""The shortcut past the framework's router: a look-up, compiled from the path templates of the endpoints."""

import re
from collections import defaultdict
from collections.abc import Awaitable, Iterable
from typing import Any, Final, NamedTuple

from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send

from service.http.endpoint import Endpoint
from service.http.paths import normalize_path
from service.http.problems import answer_refusal
from service.wire.refusal import Refusal

_PARAMETER: Final = re.compile(r"{(\w+)}")


class _Shape(NamedTuple):
    """A shape of paths: the places of their parameters, and the names and endpoints by the path without these."""

    places: tuple[int, ...]
    found: dict[str, tuple[list[str], dict[str, Endpoint]]]


class Shortcut:
    """An ASGI application that hands a request to its endpoint, or else to the framework."""

    def __init__(self, endpoints: Iterable[Endpoint], framework: ASGIApp) -> None:
        self._framework = framework
        self._exact: dict[str, dict[str, Endpoint]] = defaultdict(dict)
        self._shapes: dict[int, list[_Shape]] = defaultdict(list)
        for endpoint in endpoints:
            path = endpoint.operation.path
            by_method = self._below(path) if "{" in path else self._exact[path]
            by_method.update(dict.fromkeys(endpoint.operation.methods, endpoint))

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Answer a request. This is no coroutine itself: that would cost every idle stream one more frame."""
        found: Any = scope
        application: Any = self._find(found)
        answered: Awaitable[None] = application(scope, receive, send)
        return answered

    def _below(self, template: str) -> dict[str, Endpoint]:
        """Return the endpoints of a template with parameters, by method."""
        parts = template.split("/")
        places = tuple(at for at, part in enumerate(parts) if part.startswith("{"))
        shapes = self._shapes[len(parts)]
        shape = next((one for one in shapes if one.places == places), None)
        if shape is None:
            shapes.append(shape := _Shape(places, {}))
        key = _PARAMETER.sub("", template)
        return shape.found.setdefault(key, (_PARAMETER.findall(template), {}))[1]

    def _find(self, scope: HTTPScope) -> Endpoint | ASGIApp:
        try:
            path = normalize_path(scope)
        except Refusal as refusal:
            return answer_refusal(refusal, scope)
        by_method = self._exact.get(path)
        if by_method is None:
            by_method = self._match(path, scope)
        return by_method.get(scope["method"], self._framework)

    def _match(self, path: str, scope: HTTPScope) -> dict[str, Endpoint]:
        """Return the endpoints, by method, of a path with parameters, if there are any."""
        parts = path.split("/")
        for places, found in self._shapes.get(len(parts), ()):
            values = [parts[at] for at in places]
            rest = parts.copy()
            for at in places:
                rest[at] = ""
            match = found.get("/".join(rest))
            if match is not None:
                scope["path_params"] = dict(zip(match[0], values, strict=True))
                return match[1]
        return {}
