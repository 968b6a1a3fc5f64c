"""The middleware that counts and times requests, outside the framework: inside it that costs several times as much."""

from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from time import perf_counter
from typing import Any, Final, NamedTuple, TypeAlias

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from service.http.context import NO_ROUTE, RequestContext, route_of
from service.http.middleware.request_id import identify_request
from service.http.readiness import Stop
from service.metrics import buffered, families
from service.metrics.apps import count_app_request

METHODS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")
OTHER: Final = "other"
"""The label of every method that is not in the list, so that made-up methods make no new series."""
_CLOSE: Final = (b"connection", b"close")
_HTTP: Final = ScopeType.HTTP
_IN_FLIGHT: Final = families.IN_FLIGHT
CLIENT_LEFT: Final = 499
"""The status that is counted if the client left before the answer began; nothing was sent."""

_EndedRequest: TypeAlias = tuple[tuple[str, str], int, float, int, int]
"""A request that has ended: its route template and method, status, seconds, bytes read, bytes sent."""


class Route(NamedTuple):
    """A route and method, and the statuses that it can answer with."""

    template: str
    method: str
    statuses: Iterable[int]


_STRAY: Final = tuple(Route(NO_ROUTE, method, (204, 400, 404, 405, CLIENT_LEFT, 500)) for method in (*METHODS, OTHER))


class _RouteSeries:
    """The series of a route and method."""

    __slots__ = ("_counters", "_labels", "_read", "_seconds", "_sent")

    def __init__(self, route: Route) -> None:
        self._labels = (route.template, route.method)
        self._seconds = families.REQUEST_SECONDS.labels(*self._labels)
        self._read = families.REQUEST_BYTES.labels(route.template)
        self._sent = families.RESPONSE_BYTES.labels(route.template)
        self._counters: dict[int, buffered.Counter] = {}
        for status in route.statuses:
            self.counter(status)

    def counter(self, status: int) -> buffered.Counter:
        """Return the counter of a status, which is made when the status is first seen."""
        counter = self._counters.get(status)
        if counter is None:
            counter = self._counters[status] = families.REQUESTS.labels(*self._labels, str(status))
        return counter

    def count_requests(self, ended: Sequence[_EndedRequest]) -> None:
        """Count requests that have ended."""
        _, statuses, seconds, read, sent = zip(*ended, strict=True)
        self._seconds.observe_all(seconds)
        self._read.observe_all(read)
        # The server sends no body in answer to HEAD, whatever the application gives it.
        self._sent.observe_all([0] * len(sent) if self._labels[1] == "HEAD" else sent)
        for status, times in Counter(statuses).items():
            self.counter(status).count(times)


class Metrics:
    """An ASGI application that counts, times and logs the requests of another one.

    Shape: `count` takes the question and the answer of each request that was answered, `log` the scope, the status and
    the seconds of each request that has ended; `log` is None if requests are not logged.
    """

    def __init__(
        self,
        app: ASGIApp,
        routes: Iterable[Route],
        count: Callable[[object, object], None],
        log: Callable[[Mapping[str, Any], int, float], None] | None,
        stop: Stop,
    ) -> None:
        self._app = app
        self._count = count
        self._log = log
        self._stop = stop
        self._series = {(route.template, route.method): _RouteSeries(route) for route in (*routes, *_STRAY)}
        self._ended: list[_EndedRequest] = []
        buffered.BUFFERS.add(self)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and count it when it ends."""
        if scope["type"] != _HTTP:
            await self._app(scope, receive, send)
            return
        status = sent = 0
        context = identify_request(scope)
        if self._stop.draining:  # so that a load balancer opens no request on a connection that will end
            context.headers.append(_CLOSE)

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

        _IN_FLIGHT.level += 1
        start = perf_counter()
        try:
            await self._app(scope, receive, watched_send)
            status = status or CLIENT_LEFT
        finally:
            _IN_FLIGHT.level -= 1
            self._end(scope, context, status or 500, perf_counter() - start, sent)

    def _end(self, scope: HTTPScope, context: RequestContext, status: int, seconds: float, sent: int) -> None:
        """Buffer a request that has ended for the metrics, count what its answer says, and log it."""
        if context.route is NO_ROUTE:
            context.route = route_of(scope)
        ended = self._ended
        ended.append(((context.route, scope["method"]), status, seconds, context.body_bytes, sent))
        if len(ended) >= buffered.BATCH_SIZE:
            self.flush()
        if context.answer is not None:
            self._count_answer(context)
        if context.app:
            count_app_request(context.app, status)
        if self._log is not None:
            self._log(scope, status, seconds)

    def _count_answer(self, context: RequestContext) -> None:
        """Count what an answer says, and let it go: a client that does not read shall not keep it in memory."""
        self._count(context.question, context.answer)
        context.question = context.answer = None

    def flush(self) -> None:
        """Count the buffered requests."""
        ended, self._ended = self._ended, []
        by_route: defaultdict[tuple[str, str], list[_EndedRequest]] = defaultdict(list)
        for request in ended:
            by_route[request[0]].append(request)
        for (template, method), requests in by_route.items():
            series = self._series.get((template, method))
            if series is None:
                series = self._series[NO_ROUTE, method if method in METHODS else OTHER]
            series.count_requests(requests)
