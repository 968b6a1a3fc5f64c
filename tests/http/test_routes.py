"""The routes: the framework's lead to the same endpoints as the shortcut past them, and list every operation."""

import re
from typing import Any

import pytest
from litestar.types import Receive, Scope, Send

from service.api.operations import OPERATIONS
from service.http.endpoint import Endpoint
from service.http.operation import Operation
from service.http.shortcut import Shortcut
from tests.support.http.client import Request, ask, framework_of, the_app

PATHS = {"game_id": "g" * 22, "seat": "1", "notation": "x", "ruleset_id": "x"}


async def framework(scope: Scope, receive: Receive, send: Send) -> None:
    """Let the framework's own router find the route."""
    found: Any = scope
    found["litestar_app"] = framework_of(the_app())
    await framework_of(the_app()).asgi_router(scope, receive, send)


@pytest.mark.parametrize("op", OPERATIONS, ids=[op.operation_id for op in OPERATIONS])
def test_the_framework_leads_to_the_endpoint_of_an_operation(op: Operation) -> None:
    request = Request(op.path.format(**PATHS), (b"{}",), op.method)
    first, second = ask(request), ask(request, framework)
    del first.headers["x-request-id"]  # which a middleware adds, and a problem repeats
    bodies = [re.sub(rb'"instance":"[^"]+"', b"", answer.body) for answer in (first, second)]
    assert (first.status, first.headers, bodies[0]) == (second.status, second.headers, bodies[1])


def test_the_framework_lists_every_operation() -> None:
    listed = {
        (route.path_format, method)
        for route in framework_of(the_app()).routes
        for method in getattr(route, "methods", ())
    }
    known = {(op.path, method) for op in OPERATIONS for method in op.methods if method != "QUERY"}
    assert known <= listed


class Told(Endpoint):
    """An endpoint that only answers that it was found, with the right parameters."""

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """Answer."""
        assert self.operation.path.format(**scope.get("path_params", {})) == scope["path"]
        await send({"type": "http.response.start", "status": 200, "headers": []})


class Anything(dict[Any, Any]):
    """Services of every type."""

    def __missing__(self, kind: object) -> object:
        """Return a service."""
        return kind


async def leave(scope: Scope, receive: Receive, send: Send) -> None:
    """Stand for the framework."""
    await send({"type": "http.response.start", "status": 404, "headers": []})


@pytest.mark.parametrize("op", OPERATIONS, ids=[op.operation_id for op in OPERATIONS])
def test_the_shortcut_leads_to_the_endpoint_and_leaves_the_rest_to_the_framework(op: Operation) -> None:
    shortcut, path = (
        Shortcut([Told(each, Anything(), 1000, None) for each in OPERATIONS], leave),
        op.path.format(**PATHS),
    )
    assert {ask(Request(path, method=method), shortcut).status for method in op.methods} == {200}
    others = (Request(path + "/x/y/z", method=op.method), Request(path, method="PATCH"), Request("/v1" + path))
    assert {ask(request, shortcut).status for request in others} == {404}
