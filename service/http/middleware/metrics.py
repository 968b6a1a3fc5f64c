"""Requests, named, counted and timed from outside the framework: inside it that would cost several times as much."""

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

METHODS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")
OTHER: Final = "other"
"""The method of stray requests with a method of their own making."""
_CLOSE: Final = (b"connection", b"close")
_HTTP: Final = ScopeType.HTTP
_IN_FLIGHT: Final = families.IN_FLIGHT
GONE: Final = 499
"""The status of requests whose client left before the answer began; nothing was sent."""


_Ended: TypeAlias = tuple[tuple[str, str], int, float, int, int]
"""A request that has ended: its template and method, its status, seconds, bytes read and bytes sent."""


class Route(NamedTuple):
    """A route with its method, and the statuses with which it answers."""

    template: str
    method: str
    statuses: Iterable[int]


_STRAY: Final = tuple(Route(NO_ROUTE, method, (204, 400, 404, 405, GONE, 500)) for method in (*METHODS, OTHER))


class _Seen:
    """The series of a route with its method."""

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
        counter = self._counters.get(status)
        if counter is None:
            counter = self._counters[status] = families.REQUESTS.labels(*self._labels, str(status))
        return counter

    def note_all(self, ended: Sequence[_Ended]) -> None:
        """Count requests that have ended."""
        _, statuses, seconds, read, sent = zip(*ended, strict=True)
        self._seconds.note_all(seconds)
        self._read.note_all(read)
        # The server sends no body to HEAD, whatever it is given.
        self._sent.note_all([0] * len(sent) if self._labels[1] == "HEAD" else sent)
        for status, times in Counter(statuses).items():
            self.counter(status).count(times)


class Metrics:
    """An ASGI application that names, counts, times and logs the requests of another one.

    Shape: `count` counts what an answer says of the game; `log` takes the scope, the status and the seconds of each
    request when it ends, None where requests are not logged.
    """

    def __init__(
        self,
        app: ASGIApp,
        routes: Iterable[Route],
        count: Callable[[RequestContext], None],
        log: Callable[[Mapping[str, Any], int, float], None] | None,
        stop: Stop,
    ) -> None:
        self._app = app
        self._count = count
        self._log = log
        self._stop = stop
        self._seen = {(route.template, route.method): _Seen(route) for route in (*routes, *_STRAY)}
        self._ended: list[_Ended] = []
        buffered.SOURCES.add(self)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, watch its answer go by, and count it when it ends."""
        if scope["type"] != _HTTP:
            await self._app(scope, receive, send)
            return
        status = sent = 0
        context = identify_request(scope)
        if self._stop.draining:  # a load balancer gives up its connections while it can still be told to
            context.headers.append(_CLOSE)

        def watched_send(message: Message) -> Awaitable[None]:
            nonlocal status, sent
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], *context.headers]
            elif message["type"] == "http.response.body":
                sent += len(message["body"])
            return send(message)

        _IN_FLIGHT.level += 1
        start = perf_counter()
        try:
            await self._app(scope, receive, watched_send)
            status = status or GONE
        finally:
            _IN_FLIGHT.level -= 1
            self._end(scope, context, status or 500, perf_counter() - start, sent)

    def _end(self, scope: HTTPScope, context: RequestContext, status: int, seconds: float, sent: int) -> None:
        """Count and log a request that has ended."""
        ended = self._ended
        ended.append(((route_of(scope), scope["method"]), status, seconds, context.body_bytes, sent))
        if len(ended) >= buffered.TOGETHER:
            self.settle()
        if context.answer is not None:
            self._count(context)
        if self._log is not None:
            self._log(scope, status, seconds)

    def settle(self) -> None:
        """Count the requests that have ended."""
        ended, self._ended = self._ended, []
        by_route: defaultdict[tuple[str, str], list[_Ended]] = defaultdict(list)
        for request in ended:
            by_route[request[0]].append(request)
        for (template, method), requests in by_route.items():
            seen = self._seen.get((template, method))
            if seen is None:
                seen = self._seen[NO_ROUTE, method if method in METHODS else OTHER]
            seen.note_all(requests)
