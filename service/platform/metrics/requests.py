"""The metrics of requests, counted in batches: docs/decisions/0010-buffered-metrics.md says why."""

from collections import Counter
from collections.abc import Iterable
from functools import cache
from operator import itemgetter
from typing import Final, Literal, NamedTuple, TypeAlias

import prometheus_client

from service.platform.metrics.families import IN_FLIGHT, REQUEST_BYTES, REQUEST_SECONDS, REQUESTS, RESPONSE_BYTES

BATCH_SIZE: Final = 128
"""Requests that are buffered before they are counted."""
RequestClass: TypeAlias = Literal[
    "questions", "heavy", "plays", "game_writes", "game_reads", "streams", "pages", "tools", "probes", "unknown"
]
"""The classes of requests: few, each with one expected speed."""


class Route(NamedTuple):
    """A route and method."""

    template: str
    method: str
    request_class: RequestClass
    """The class by which its requests are counted."""
    statuses: Iterable[int]
    """The statuses that it can answer with."""


EndedRequest: TypeAlias = tuple[RequestClass, int, float, int, int]
"""An ended request: its class, status, seconds, bytes read, bytes sent."""


@cache
def counter_of(request_class: RequestClass, status: int) -> prometheus_client.Counter:
    """Return the counter of a status; made at the first call."""
    return REQUESTS.labels(request_class, str(status))


@cache
def _seconds_of(request_class: RequestClass) -> prometheus_client.Histogram:
    return REQUEST_SECONDS.labels(request_class)


def make_series(request_class: RequestClass, statuses: Iterable[int]) -> None:
    """Make the series of a class, so they exist at 0 before the first request."""
    _seconds_of(request_class)
    for status in statuses:
        counter_of(request_class, status)


class RequestBuffer:
    """The requests that have begun or ended since the last flush."""

    def __init__(self) -> None:
        self._begun = 0
        self._ended: list[EndedRequest] = []

    def begin(self) -> None:
        """Buffer the beginning of a request."""
        self._begun += 1

    def end(self, request: EndedRequest) -> None:
        """Buffer an ended request."""
        self._ended.append(request)
        if len(self._ended) >= BATCH_SIZE:
            self.flush()

    def flush(self) -> None:
        """Count what is buffered."""
        begun, ended, self._begun, self._ended = self._begun, self._ended, 0, []
        IN_FLIGHT.inc(begun - len(ended))
        for request_class, _, seconds, _, _ in ended:
            _seconds_of(request_class).observe(seconds)
        for (request_class, status), times in Counter(map(itemgetter(0, 1), ended)).items():
            counter_of(request_class, status).inc(times)
        REQUEST_BYTES.inc(sum(map(itemgetter(3), ended)))
        RESPONSE_BYTES.inc(sum(map(itemgetter(4), ended)))


REQUEST_BUFFER: Final = RequestBuffer()
"""The buffer in front of the library's metrics; one per process, like the metrics."""
