"""The framework's lane: Litestar, set up to read, answer and refuse requests as the fast lane does."""

from collections.abc import Callable
from typing import Any, Final, cast

from litestar import Request, Response
from litestar.exceptions import HTTPException
from litestar.routes import HTTPRoute
from litestar.types import ASGIApp, Receive, Scope, Send

from service.http.body import ClientLeft, read_body
from service.http.context import context_of, route_of
from service.http.fast_lane import decoder_for, limit_of
from service.http.negotiation import Format, negotiate
from service.http.problem_kinds import KINDS
from service.http.problems import answer_failure, answer_refusal
from service.http.response import PRIVATE, TextForm, WholeResponse, let_cache, write_answer
from service.wire.refusal import ProblemCode, Refusal

_CODES: Final[dict[int, ProblemCode]] = {
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    413: "body_too_large",
    415: "unsupported_media_type",
}


class ApiRequest(Request[Any, Any, Any]):
    """A request whose body is read within the limits of the service, and decoded once and strictly."""

    _raw: bytes | None = None
    _decoded: Any = None

    async def body(self) -> bytes:
        """Read the body, and decode it if the handler takes one.

        Errors: Refusal; ClientLeft.
        """
        if self._raw is None:
            content, _ = _negotiate(self)
            limit = limit_of(self.route_handler, self.app.state.max_body_bytes)
            self._raw = await read_body(self.scope, context_of(self.scope), self.receive, limit)
            decode = decoder_for(self.route_handler)
            if decode is not None:
                self._decoded = context_of(self.scope).question = decode(self._raw, content)
        return self._raw

    async def json(self) -> Any:
        """Return the decoded body."""
        await self.body()
        return self._decoded


class ApiResponse(Response[Any]):
    """A response written as on the fast lane."""

    def to_asgi_response(self, *, request: Request[Any, Any, Any], **_: Any) -> ASGIApp:  # type: ignore[override] # pyright: ignore[reportIncompatibleMethodOverride]
        """Write what the handler returned, unless it is a whole response already."""
        if isinstance(self.content, WholeResponse):
            return self.content
        context_of(request.scope).answer = self.content
        handler = request.route_handler
        form = handler.opt.get("text_form")
        response = write_answer(self.content, handler.status_code, _negotiate(request)[1], _headers_of(request), form)
        return let_cache(response, request.scope) if handler.opt.get("public") else response


def _negotiate(request: Request[Any, Any, Any]) -> tuple[Format, Format]:
    opt = request.route_handler.opt
    form: TextForm | None = opt.get("text_form")
    return negotiate(request.scope, opt.get("text", ""), form.media if form else "")


def _headers_of(request: Request[Any, Any, Any]) -> tuple[tuple[bytes, bytes], ...]:
    handler: Any = cast("dict[str, Any]", request.scope).get("route_handler")  # there is none for an unknown path
    return PRIVATE if handler is not None and handler.opt.get("private") else ()


async def read_request(request: Request[Any, Any, Any]) -> Response[None] | None:
    """Read the body of a request before its handler is called, also where the handler takes none.

    Return the response to OPTIONS; None for any other method, which the handler answers.
    """
    if request.method == "OPTIONS":
        return _list_methods(request)
    if request.route_handler.opt.get("negotiated"):
        await request.body()
    return None


def _list_methods(request: Request[Any, Any, Any]) -> Response[None]:
    """List the methods of a path: the framework's own answer leaves out those that were added to it later."""
    routes: list[Any] = [route for route in request.app.routes if isinstance(route, HTTPRoute)]
    methods = {method for route in routes if route.path_format == route_of(request.scope) for method in route.methods}
    return Response(None, status_code=204, headers={"allow": ", ".join(sorted(methods))}, media_type="text/plain")


def _answer_refusal(request: Request[Any, Any, Any], exc: Refusal) -> Response[Any]:
    exc.__cause__ = exc.__context__ = None  # the framework may chain a group that holds it: a cycle
    return ApiResponse(answer_refusal(exc, request.scope, _headers_of(request)))


def _answer_http_exception(request: Request[Any, Any, Any], exc: HTTPException) -> Response[Any]:
    """Answer a request that the framework refuses."""
    if exc.status_code >= 500:
        return _answer_exception(request, exc)
    code = _CODES.get(exc.status_code, "malformed_request")
    if code == "method_not_allowed":
        # The framework lists the methods of a set, in an order that changes.
        sent = {name.lower(): value for name, value in (exc.headers or {}).items()}
        allowed = ", ".join(sorted(sent["allow"].split(", ")))
        refusal, headers = Refusal(code, f"This resource supports {allowed}."), ((b"allow", allowed.encode()),)
        return ApiResponse(answer_refusal(refusal, request.scope, (*_headers_of(request), *headers)))
    detail = "No resource has this path." if code == "not_found" and exc.detail == "Not Found" else exc.detail
    return ApiResponse(answer_refusal(Refusal(code, detail or KINDS[code].title), request.scope, _headers_of(request)))


def _answer_exception(request: Request[Any, Any, Any], exc: Exception) -> Response[Any]:
    return ApiResponse(answer_failure(exc, request.scope))


async def _send_nothing(scope: Scope, receive: Receive, send: Send) -> None:
    """Send nothing."""


class _NoResponse(Response[None]):
    """The response to a client that has left: none."""

    def to_asgi_response(self, *_: Any, **__: Any) -> ASGIApp:  # type: ignore[override] # pyright: ignore[reportIncompatibleMethodOverride]
        """Return an application that sends nothing."""
        return _send_nothing


def _answer_client_left(_: Request[Any, Any, Any], __: ClientLeft) -> Response[Any]:
    return _NoResponse(None)


EXCEPTION_HANDLERS: Final[dict[int | type[Exception], Callable[[Request[Any, Any, Any], Any], Response[Any]]]] = {
    Refusal: _answer_refusal,
    HTTPException: _answer_http_exception,
    ClientLeft: _answer_client_left,
    Exception: _answer_exception,
}
"""The exception handlers of the framework."""
