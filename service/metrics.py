"""What Prometheus sees. Every set of labels is known in advance and started at 0; no id is ever a label."""

from collections.abc import Iterable
from time import perf_counter
from typing import Final

from litestar.types import ASGIApp, Message, Receive, Scope, Send
from prometheus_client import Counter, Histogram

from service.rulesets import RULESETS, Rules

REASONS: Final = ("not_in_hand", "must_follow_suit", "must_trump", "no_trump_lead")
METHODS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")
BUCKETS: Final = (
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0,
)  # fmt: skip
NO_ROUTE: Final = "none"
"""The label of requests that no route answers, so that stray paths make no new series."""

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


def count_play(rules: Rules, reason: str | None) -> None:
    """Count a card that was judged; `reason` is None for a legal one."""
    ruleset = rules if isinstance(rules, str) else "house"
    _PLAYS[ruleset, reason or "legal"].inc()


class Measured:
    """An ASGI application that counts and times the requests of another one.

    It stands outside the framework: as a middleware inside, the same would cost several times as much.
    """

    def __init__(self, app: ASGIApp, routes: Iterable[tuple[str, str]]) -> None:
        self._app = app
        self._counters: dict[tuple[str, str, int], Counter] = {}
        self._timers: dict[tuple[str, str], Histogram] = {}
        for route, method in routes:
            self._timer(route, method)
            self._counter(route, method, 200)

    def _counter(self, route: str, method: str, status: int) -> Counter:
        key = (route, method, status)
        counter = self._counters.get(key)
        if counter is None:
            counter = self._counters[key] = _requests.labels(route, method, str(status))
        return counter

    def _timer(self, route: str, method: str) -> Histogram:
        timer = self._timers.get((route, method))
        if timer is None:
            timer = self._timers[route, method] = _durations.labels(route, method)
        return timer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on and watch the status go by."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status = 500

        async def watched_send(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        start = perf_counter()
        try:
            await self._app(scope, receive, watched_send)
        finally:
            route = scope.get("path_template") or NO_ROUTE
            method = scope["method"] if scope["method"] in METHODS else "other"
            self._timer(route, method).observe(perf_counter() - start)
            self._counter(route, method, status).inc()
