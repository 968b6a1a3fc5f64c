"""The front door: every request comes through it, and is counted, timed and logged when it ends.

It stands outside the framework, where counting costs a fraction.
"""

from asyncio import CancelledError
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from time import perf_counter
from types import MappingProxyType
from typing import Final, TypeAlias

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from service.http.context import NO_ROUTE, RequestContext, route_of
from service.http.guards.request_id import identify_request, make_context
from service.http.problem_document import answer_refusal
from service.http.response import WholeResponse
from service.platform.metrics.apps import count_app_request
from service.platform.metrics.requests import REQUEST_BUFFER, RequestClass, Route, make_series
from service.schemas.refusal import Refusal

_HTTP: Final = ScopeType.HTTP
Reader: TypeAlias = Callable[[RequestContext], WholeResponse | None]
"""Reads the head of a request first; may answer the request."""
Observer: TypeAlias = Callable[[RequestContext, int, float], None]
"""Takes the context, status and seconds of an ended request, for its log line or its span."""
Asked: TypeAlias = tuple[bytes, bytes]
"""The method and the path of a request."""
PlainAnswer: TypeAlias = Callable[[RequestContext, bytes], WholeResponse | None]
"""Answers a complete request at once, or returns None, with nothing done."""
CLIENT_LEFT: Final = 499
"""The counted status if the client disconnected before the answer began; nothing was sent."""
STOPPING: Final = "This replica stops before it has answered: the request may or may not have taken effect."
_UNKNOWN: Final = Route(NO_ROUTE, "", "unknown", (204, 400, 404, 405))
"""Stands for unknown paths, and for methods that a path does not have."""


class Front:
    """An ASGI application that counts and times the requests of another one, and notifies observers.

    Shape: `count` takes the question and the answer of each answered request. Each of `readers` reads the head of a
    request first. `plain` has the functions that answer plain requests at once.
    """

    def __init__(
        self,
        app: ASGIApp,
        routes: Iterable[Route],
        count: Callable[[object, object], None],
        observers: Sequence[Observer] = (),
        readers: Sequence[Reader] = (),
        plain: Mapping[Asked, PlainAnswer] = MappingProxyType({}),
    ) -> None:
        self.app = app
        self._count = count
        self._observers = observers
        self._readers = readers
        self.plain = plain
        self._classes = dict[tuple[str, str], RequestClass]()
        for template, method, request_class, statuses in (*routes, _UNKNOWN):
            self._classes[template, method] = request_class
            make_series(request_class, (*statuses, CLIENT_LEFT, 500))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and count it when it ends."""
        if scope["type"] != _HTTP:
            await self.app(scope, receive, send)
            return
        status = sent = 0
        context = identify_request(scope)
        app = self._read(context) or self.app

        def watched_send(message: Message) -> Awaitable[None]:
            nonlocal status, sent
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], *context.headers, *context.quota]
            elif message["type"] == "http.response.body":
                sent += len(message["body"])
                if context.answer is not None:
                    self._count_answer(context)
            return send(message)

        REQUEST_BUFFER.begin()
        start = perf_counter()
        try:
            await app(scope, receive, watched_send)
            status = status or CLIENT_LEFT
        except CancelledError:  # the process is stopping, and SHUTDOWN_SECONDS are over
            if not status:
                await answer_refusal(Refusal("stopping", STOPPING), context)(scope, receive, watched_send)
        finally:
            context.route = route_of(scope)
            self._end(context, status or 500, perf_counter() - start, sent)

    def answer(
        self, asked: Asked, headers: Sequence[tuple[bytes, bytes]], client: str, scheme: str, body: bytes
    ) -> WholeResponse | None:
        """Answer a complete plain request, and count it. Return None, with nothing done, if it must wait."""
        start = perf_counter()
        context = make_context(asked[0].decode(), headers, client, scheme)
        self._read(context)  # readers answer only preflight requests, and OPTIONS is never plain
        response = self.plain[asked](context, body)
        if response is None:
            return None
        REQUEST_BUFFER.begin()
        self._end(context, response.status, perf_counter() - start, len(response.body))
        more = (*response.headers, *context.headers, *context.quota)
        return WholeResponse(response.status, response.content_type, response.body, more)

    def _read(self, context: RequestContext) -> WholeResponse | None:
        """Let each reader read the head of a request. Return the response of a reader that answers it."""
        answered = None
        for read in self._readers:
            answered = read(context) or answered
        return answered

    def _end(self, context: RequestContext, status: int, seconds: float, sent: int) -> None:
        """Buffer an ended request for the metrics, count its answer, and notify observers."""
        method, status = context.method, context.status or status
        request_class = self._classes.get((context.route, method), "unknown")
        # The server sends no body in answer to HEAD, even if the application gives it one.
        REQUEST_BUFFER.end((request_class, status, seconds, context.body_bytes, 0 if method == "HEAD" else sent))
        if context.answer is not None:
            self._count_answer(context)
        if context.app:
            count_app_request(context.app, status)
        for observe in self._observers:
            observe(context, status, seconds)

    def _count_answer(self, context: RequestContext) -> None:
        """Count an answer, and release it: a client that does not read must not keep it in memory."""
        self._count(context.question, context.answer)
        context.question = context.answer = None
