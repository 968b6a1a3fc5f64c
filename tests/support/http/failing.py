"""An application whose every path fails, each in another way."""

from functools import partial
from typing import Final

from litestar import Litestar, get, post
from litestar.exceptions import HTTPException, ImproperlyConfiguredException
from litestar.params import JSONBody

from service.http.fast_lane import Endpoint, FastLane
from service.http.framework_lane import EXCEPTION_HANDLERS
from tests.support.http.client import LIMIT

SECRET: Final = "the ace is up the sleeve"
"""The text of every failure, which no answer may repeat."""

_failing: Final = partial(post, status_code=200, guarded=False, negotiated=True)


@_failing("/ask", sync_to_thread=False)
def broken(data: JSONBody[dict[str, int]]) -> dict[str, int]:
    """A question that nobody can answer."""
    raise ZeroDivisionError(SECRET)


@_failing("/later")
async def broken_later(data: JSONBody[dict[str, int]]) -> dict[str, int]:
    """One that fails only when it is waited for."""
    raise KeyError(SECRET)


@_failing("/unwritable", sync_to_thread=False)
def unwritable(data: JSONBody[dict[str, int]]) -> dict[str, object]:
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


FAILING: Final = FastLane(
    [Endpoint(handler, {}, LIMIT, None) for handler in (broken, broken_later, unwritable)],
    Litestar(
        [broken_read, broken_framework, broken_configuration],
        openapi_config=None,
        exception_handlers=EXCEPTION_HANDLERS,
    ),
)
