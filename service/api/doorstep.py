"""Before the framework: a path longer than any of ours goes no further, for its router remembers what it has routed."""

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from service.api.corridor import send_refusal
from service.api.problems import PATH_AT_MOST, Refusal


class Doorstep:
    """An ASGI application that passes on to another one whatever has a path of bounded length."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] == ScopeType.HTTP and len(scope["path"]) > PATH_AT_MOST:
            refusal = Refusal("not_found", f"No resource has a path of more than {PATH_AT_MOST} characters.")
            await send_refusal(refusal, scope, send)
        else:
            await self._app(scope, receive, send)
