"""What Prometheus sees. Every set of labels is known in advance and started at 0; no id is ever a label."""

from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from time import perf_counter
from typing import Final, NamedTuple, Protocol

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send
from prometheus_client import Counter, Histogram

from service.rulesets import RULESETS, Rules

REASONS: Final = ("not_in_hand", "must_follow_suit", "must_trump", "no_trump_lead")
METHODS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")
BUCKETS: Final = (
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0,
)  # fmt: skip
NO_ROUTE: Final = "none"
"""The route of requests that no route is meant for, so that stray paths and methods make no new series."""
OTHER: Final = "other"
"""The method of stray requests with a method of their own making."""
GONE: Final = 499
"""The status of requests whose client left before the answer began; nothing was sent."""

_requests = Counter(
    "catchten_requests", "Requests, by route template, method and status.", ["route", "method", "status"]
)
_durations = Histogram(
    "catchten_request_duration_seconds",
    "Time from a request's head to its last byte sent, by route template and method.",
    ["route", "method"],
    buckets=BUCKETS,
)
_plays = Counter(
    "catchten_plays",
    "Cards judged by /v1/verdicts and /v1/next-states, by ruleset and verdict.",
    ["ruleset", "verdict"],
)
_PLAYS: Final = {
    (ruleset, verdict): _plays.labels(ruleset, verdict)
    for ruleset in (*RULESETS, "house")
    for verdict in ("legal", *REASONS)
}


_counting: Final = ContextVar("counting", default=True)


@contextmanager
def uncounted() -> Generator[None]:
    """Judge cards without counting them: an example in a document is no play."""
    token = _counting.set(False)
    try:
        yield
    finally:
        _counting.reset(token)


def count_play(rules: Rules, reason: str | None) -> None:
    """Count a card that was judged; `reason` is None for a legal one."""
    if not _counting.get():
        return
    ruleset = rules if isinstance(rules, str) else "house"
    _PLAYS[ruleset, reason or "legal"].inc()


class Route(NamedTuple):
    """A route with its method, and the statuses with which it answers."""

    template: str
    method: str
    statuses: Iterable[int]


def _template(scope: Mapping[str, object]) -> str:
    """Tell the template of the path; what no route answers has none."""
    return str(scope.get("path_template", NO_ROUTE))


_STRAY: Final = tuple(Route(NO_ROUTE, method, (204, 400, 404, 405, GONE, 500)) for method in (*METHODS, OTHER))


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

    It stands outside the framework: as a middleware inside, the same would cost several times as much.
    """

    def __init__(self, app: ASGIApp, routes: Iterable[Route], observer: Observer) -> None:
        self._app = app
        self._observer = observer
        self._counters: dict[tuple[str, str, int], Counter] = {}
        self._timers: dict[tuple[str, str], Histogram] = {}
        for route in (*routes, *_STRAY):
            self._timers[route.template, route.method] = _durations.labels(route.template, route.method)
            for status in route.statuses:
                self._counter(route.template, route.method, status)

    def _counter(self, template: str, method: str, status: int) -> Counter:
        counter = self._counters.get((template, method, status))
        if counter is None:
            counter = self._counters[template, method, status] = _requests.labels(template, method, str(status))
        return counter

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on and watch the status go by."""
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        status = 0
        more = self._observer.begin(scope)

        async def watched_send(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], *more]
            await send(message)

        start = perf_counter()
        try:
            await self._app(scope, receive, watched_send)
            status = status or GONE
        finally:
            seconds = perf_counter() - start
            self._observe(scope, status or 500, seconds)
            self._observer.end(scope, status or 500, seconds)

    def _observe(self, scope: HTTPScope, status: int, seconds: float) -> None:
        template, method = _template(scope), str(scope["method"])
        if (template, method) not in self._timers:
            template, method = NO_ROUTE, method if method in METHODS else OTHER
        self._timers[template, method].observe(seconds)
        self._counter(template, method, status).inc()
