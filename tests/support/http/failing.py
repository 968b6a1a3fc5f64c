"""An application whose every path fails, each in another way."""

from typing import Final

from litestar import Litestar, get
from litestar.exceptions import HTTPException, ImproperlyConfiguredException

from service.http.endpoint import Endpoint
from service.http.guards.paths import Paths
from service.http.operation import question
from service.http.routes import EXCEPTION_HANDLERS, route_to
from tests.support.http.client import LIMIT

SECRET: Final = "the ace is up the sleeve"
"""The text of every failure, which no answer may repeat."""


@question("/ask")
def broken(body: dict[str, int]) -> dict[str, int]:
    """A question that nobody can answer."""
    raise ZeroDivisionError(SECRET)


@question("/later")
async def broken_later(body: dict[str, int]) -> dict[str, int]:
    """One that fails only when it is waited for."""
    raise KeyError(SECRET)


@question("/unwritable")
def unwritable(body: dict[str, int]) -> dict[str, object]:
    """Answer with what cannot be written."""
    return {"answer": object()}


@get("/read", sync_to_thread=False)
def broken_read() -> str:
    """Read what cannot be read."""
    raise RuntimeError(SECRET)


@get("/framework", sync_to_thread=False)
def broken_framework() -> str:
    """Fail as the framework does."""
    raise HTTPException(SECRET, status_code=502)


@get("/configured", sync_to_thread=False)
def broken_configuration() -> str:
    """Fail as the framework does when it is set up badly."""
    raise ImproperlyConfiguredException(SECRET)


_OPERATIONS: Final = (broken, broken_later, unwritable)
FAILING: Final = Paths(
    Litestar(
        [
            *[route_to(Endpoint(operation, {}, LIMIT, None)) for operation in _OPERATIONS],
            broken_read,
            broken_framework,
            broken_configuration,
        ],
        openapi_config=None,
        exception_handlers=EXCEPTION_HANDLERS,
    ),
    _OPERATIONS,
)
