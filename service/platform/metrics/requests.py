"""The metrics of requests, many of them counted at once: docs/decisions/0010-buffered-metrics.md says why."""

from collections.abc import Iterable
from typing import Final, NamedTuple, TypeAlias

import prometheus_client

from service.platform.metrics.families import IN_FLIGHT, REQUEST_BYTES, REQUEST_SECONDS, REQUESTS, RESPONSE_BYTES

BATCH_SIZE: Final = 128
"""Requests that are buffered before they are counted."""


class Route(NamedTuple):
    """A route and method, and the statuses that it can answer with."""

    template: str
    method: str
    statuses: Iterable[int]


class RouteSeries:
    """The series of a route and method."""

    def __init__(self, route: Route) -> None:
        self._labels = (route.template, route.method)
        self._counters: dict[int, prometheus_client.Counter] = {}
        self.seconds = REQUEST_SECONDS.labels(*self._labels)
        self.read = REQUEST_BYTES.labels(route.template)
        self.sent = RESPONSE_BYTES.labels(route.template)
        for status in route.statuses:
            self.counter(status)

    def counter(self, status: int) -> prometheus_client.Counter:
        """Return the counter of a status, which is made when the status is first seen."""
        counter = self._counters.get(status)
        if counter is None:
            counter = self._counters[status] = REQUESTS.labels(*self._labels, str(status))
        return counter


EndedRequest: TypeAlias = tuple[RouteSeries, int, float, int, int]
"""A request that has ended: its series, status, seconds, bytes read, bytes sent."""


class RequestBuffer:
    """The requests that have begun or ended since the library was last told."""

    def __init__(self) -> None:
        self._begun = 0
        self._ended: list[EndedRequest] = []

    def begin(self) -> None:
        """Buffer that a request has begun."""
        self._begun += 1

    def end(self, request: EndedRequest) -> None:
        """Buffer a request that has ended."""
        self._ended.append(request)
        if len(self._ended) >= BATCH_SIZE:
            self.flush()

    def flush(self) -> None:
        """Count what is buffered."""
        begun, ended, self._begun, self._ended = self._begun, self._ended, 0, []
        IN_FLIGHT.inc(begun - len(ended))
        totals: dict[tuple[RouteSeries, int], list[int]] = {}
        for series, status, seconds, read, sent in ended:
            series.seconds.observe(seconds)
            total = totals.setdefault((series, status), [0, 0, 0])
            total[0] += 1
            total[1] += read
            total[2] += sent
        for (series, status), (times, read, sent) in totals.items():
            series.counter(status).inc(times)
            series.read.inc(read)
            series.sent.inc(sent)


REQUEST_BUFFER: Final = RequestBuffer()
"""The buffer in front of the library's metrics: a process has one of it, as it has one set of metrics."""
