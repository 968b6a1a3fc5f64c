"""The framework leads to the endpoint of every operation, and lists it."""

from typing import Any, Final

import pytest
from litestar import Litestar
from litestar.types import Receive, Send

from service.api.operation_list import OPERATIONS
from service.http.endpoint import Endpoint
from service.http.guards.paths import Paths
from service.http.operation import Operation
from service.http.routes import route_to
from tests.support.http.client import Request, ask, framework_of, refused, the_app

PATHS: Final = {"game_id": "g" * 22, "seat": "1", "notation": "x", "ruleset_id": "x"}


class Told(Endpoint):
    """An endpoint that only answers that it was found, with the right parameters."""

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """Answer."""
        assert self.operation.path.format(**scope["path_params"]) == scope["path"]
        headers = [(b"operation", self.operation.operation_id.encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})


class Anything(dict[Any, Any]):
    """Services of every type."""

    def __missing__(self, kind: object) -> object:
        """Return a service."""
        return kind


TOLD: Final = Paths(
    Litestar([route_to(Told(each, Anything(), 1000, None)) for each in OPERATIONS], openapi_config=None),
    OPERATIONS,
)


@pytest.mark.parametrize("op", OPERATIONS, ids=[op.operation_id for op in OPERATIONS])
def test_the_framework_leads_to_the_endpoint_of_an_operation(op: Operation) -> None:
    path = op.path.format(**PATHS)
    for method in op.methods:
        assert ask(Request(path, method=method), TOLD).headers["operation"] == op.operation_id


@pytest.mark.parametrize("op", OPERATIONS, ids=[op.operation_id for op in OPERATIONS])
def test_what_is_like_an_operation_is_not_led_to_it(op: Operation) -> None:
    path = op.path.format(**PATHS)
    refused(ask(Request(path + "/x/y/z", method=op.method)), "not_found")
    refused(ask(Request("/v1" + path, method=op.method)), "not_found")
    refused(ask(Request(path, method="PATCH")), "method_not_allowed")


def test_the_framework_lists_every_operation() -> None:
    listed = {
        (route.path_format, method)
        for route in framework_of(the_app()).routes
        for method in getattr(route, "methods", ())
    }
    known = {(op.path, method) for op in OPERATIONS for method in op.methods if method != "QUERY"}
    assert known <= listed
