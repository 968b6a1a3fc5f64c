"""Requests, counted and timed from outside the framework: a middleware inside it would cost several times as much."""

from collections import Counter, defaultdict
from collections.abc import Awaitable, Iterable, Sequence
from time import perf_counter
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from service.metrics import buffered as late
from service.metrics import families

METHODS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")
NO_ROUTE: Final = "none"
"""The route of requests that no route is meant for, so that stray paths and methods make no new series."""
OTHER: Final = "other"
"""The method of stray requests with a method of their own making."""
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
        self._counters: dict[int, late.Counter] = {}
        for status in route.statuses:
            self.counter(status)

    def counter(self, status: int) -> late.Counter:
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


class Observer(Protocol):
    """One who sees every request from outside, too."""

    def begin(self, scope: HTTPScope) -> tuple[tuple[bytes, bytes], ...]:
        """See a request come; tell the headers to be added to its answer."""
        ...

    def end(self, scope: HTTPScope, status: int, seconds: float) -> None:
        """See a request answered."""
        ...


class Measured:
    """An ASGI application that counts and times the requests of another one.

    What stands further in leaves in the scope what it alone knows: `path_template`, and `body_bytes` that it read.
    """

    def __init__(self, app: ASGIApp, routes: Iterable[Route], observer: Observer) -> None:
        self._app = app
        self._observer = observer
        self._seen = {(route.template, route.method): _Seen(route) for route in (*routes, *_STRAY)}
        self._ended: list[_Ended] = []
        late.SOURCES.add(self)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on and watch the status go by."""
        if scope["type"] != _HTTP:
            await self._app(scope, receive, send)
            return
        status = sent = 0
        more = self._observer.begin(scope)

        def watched_send(message: Message) -> Awaitable[None]:
            nonlocal status, sent
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], *more]
            elif message["type"] == "http.response.body":
                sent += len(message["body"])
            return send(message)

        _IN_FLIGHT.level += 1
        start = perf_counter()
        try:
            await self._app(scope, receive, watched_send)
            status = status or GONE
        finally:
            seconds = perf_counter() - start
            _IN_FLIGHT.level -= 1
            left: Any = scope
            route = (left.get("path_template", NO_ROUTE), left["method"])
            ended = self._ended
            ended.append((route, status or 500, seconds, left.get("body_bytes", 0), sent))
            if len(ended) >= late.TOGETHER:
                self.settle()
            self._observer.end(scope, status or 500, seconds)

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
