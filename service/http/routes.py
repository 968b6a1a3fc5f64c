"""The routes of the framework: it routes to every operation's endpoint, and serves pages and probes."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, Final

from litestar import Request, Response, route
from litestar.exceptions import HTTPException
from litestar.handlers import HTTPRouteHandler
from litestar.routes import HTTPRoute
from litestar.types import ASGIApp

from service.http.app_parts import parts_of
from service.http.context import context_of, route_of
from service.http.endpoint import Endpoint
from service.http.negotiation import MEDIA_TYPES
from service.http.problem_document import answer_exception, answer_refusal
from service.http.problem_kinds import PROBLEM_KINDS
from service.http.response import WholeResponse
from service.platform.metrics.requests import RequestClass, Route
from service.schemas.refusal import ProblemCode, Refusal

page: Final = partial(route, http_method=["GET", "HEAD"], status_code=200)
"""The decorator of a page, a probe or a file: the framework answers it, the document omits it."""
_PAGE_STATUSES: Final = (200, 304, 400, 404, 503)
_CODES: Final[dict[int, ProblemCode]] = {404: "not_found", 405: "method_not_allowed"}


def route_to(endpoint: Endpoint) -> HTTPRouteHandler:
    """Return the framework's route to an endpoint."""

    async def answer() -> None:
        """Never runs: the endpoint answers in its place."""

    operation = endpoint.operation
    answer.__name__ = operation.fn.__name__  # as it is listed
    path = operation.path.replace("}", ":str}")
    known: Any = [method for method in operation.methods if method != "QUERY"]  # unknown to the framework
    return route(path, http_method=known, status_code=200, middleware=[in_place(endpoint)])(answer)


def in_place(application: Any) -> Callable[[ASGIApp], ASGIApp]:
    """Return middleware that lets an application answer in place of a handler."""

    def stand(app: ASGIApp) -> ASGIApp:  # noqa: ARG001 – the handler behind it is never called
        answering: ASGIApp = application
        return answering

    return stand


def list_pages(handlers: Iterable[HTTPRouteHandler], request_class: RequestClass) -> Iterator[Route]:
    """List the routes of handlers, all of one class, with their possible statuses."""
    for handler in handlers:
        for path in handler.paths:
            for method in handler.http_methods:
                yield Route(path.replace(":str}", "}"), method, request_class, _PAGE_STATUSES)


async def list_methods(request: Request[Any, Any, Any]) -> Response[None] | None:
    """Return the response to OPTIONS; None for other methods, answered by handlers.

    The framework's own answer lacks methods added to a path later.
    """
    if request.method != "OPTIONS":
        return None
    routes: list[Any] = [route for route in request.app.routes if isinstance(route, HTTPRoute)]
    methods = {method for route in routes if route.path_format == route_of(request.scope) for method in route.methods}
    headers = _list_allowed(request, methods)
    return Response(None, status_code=204, headers=headers, media_type="text/plain")


def _list_allowed(request: Request[Any, Any, Any], methods: Iterable[str]) -> dict[str, str]:
    """Return the headers that list the methods of a path and, if QUERY is one, the media types of its body."""
    if request.scope["path"] not in parts_of(request.app.state).queried:
        return {"allow": ", ".join(sorted(methods))}
    return {"allow": ", ".join(sorted({*methods, "QUERY"})), "accept-query": ", ".join(MEDIA_TYPES.values())}


class _Refused(Response[WholeResponse]):
    """A response that is already encoded."""

    # The framework's arguments serve to encode the answer, which is done; so any are taken, unlike in the base class.
    def to_asgi_response(self, *_: Any, **__: Any) -> ASGIApp:  # type: ignore[override] # pyright: ignore[reportIncompatibleMethodOverride]
        """Return the response."""
        return self.content


def _answer_http_exception(request: Request[Any, Any, Any], exc: HTTPException) -> Response[Any]:
    """Answer a request that the framework refused."""
    if exc.status_code >= 500:
        return _answer_exception(request, exc)
    code = _CODES.get(exc.status_code, "malformed_request")
    if code == "method_not_allowed":
        # The framework's order of methods changes from run to run.
        sent = {name.lower(): value for name, value in (exc.headers or {}).items()}
        listed = _list_allowed(request, sent["allow"].split(", "))
        refusal = Refusal(code, f"This resource supports {listed['allow']}.")
        headers = tuple((name.encode(), value.encode()) for name, value in listed.items())
        return _Refused(answer_refusal(refusal, context_of(request.scope), headers))
    detail = "No resource has this path." if code == "not_found" and exc.detail == "Not Found" else exc.detail
    return _Refused(answer_refusal(Refusal(code, detail or PROBLEM_KINDS[code].title), context_of(request.scope)))


def _answer_exception(request: Request[Any, Any, Any], exc: Exception) -> Response[Any]:
    context = context_of(request.scope)
    context.route = route_of(request.scope)  # which the log names
    return _Refused(answer_exception(exc, context))


EXCEPTION_HANDLERS: Final[dict[int | type[Exception], Callable[[Request[Any, Any, Any], Any], Response[Any]]]] = {
    HTTPException: _answer_http_exception,
    Exception: _answer_exception,
}
"""The framework's exception handlers."""
