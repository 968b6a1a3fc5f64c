"""The application: wires everything; the only file that knows all parts."""

from litestar import Litestar, asgi
from litestar.exceptions import HTTPException
from litestar.handlers import ASGIRouteHandler
from litestar.types import ASGIApp, Receive, Scope, Send

from service.api import batches, rulesets, system
from service.api.corridor import Corridor
from service.api.errors import answer_exception, answer_http_exception
from service.api.operations import QUESTIONS
from service.metrics import Measured
from service.settings import Settings


def create_app(settings: Settings) -> ASGIApp:
    """Make the application."""
    limit = settings.max_body_bytes
    corridors = [_mount(question.path, Corridor(question.body, question.ask, limit)) for question in QUESTIONS]
    pages = [rulesets.rulesets, rulesets.ruleset, system.livez, system.readyz, system.metrics]
    app = Litestar(
        route_handlers=[*corridors, _mount(batches.PATH, batches.Batches(limit)), *pages],
        openapi_config=None,
        exception_handlers={HTTPException: answer_http_exception, Exception: answer_exception},
    )
    routes = [(question.path, "POST") for question in QUESTIONS]
    return Measured(app, [*routes, (batches.PATH, "POST")])


def _mount(path: str, corridor: Corridor[object]) -> ASGIRouteHandler:
    @asgi(path, copy_scope=False)
    async def walk(scope: Scope, receive: Receive, send: Send) -> None:
        await corridor(scope, receive, send)

    return walk
