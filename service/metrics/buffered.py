"""Metrics that count in plain numbers, and tell the library of them only when somebody looks.

A change to a series of the library takes a lock and, where several processes share their numbers, a write to a file;
a request makes ten of them. Here it is one addition, and `settle` passes on what has come together. All of it happens
in the thread of the event loop.
"""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any, Final, Protocol, cast
from weakref import WeakSet

import prometheus_client


class Source(Protocol):
    """One who keeps what happened for later."""

    def settle(self) -> None:
        """Tell the series."""
        ...


TOGETHER: Final = 128
"""So many amounts are told at once: in company each costs several times less than alone."""
SOURCES: Final[WeakSet[Source]] = WeakSet()
_SERIES: Final[list[Source]] = []


class Counter(prometheus_client.Counter):
    """A counter, or one of its series."""

    def _metric_init(self) -> None:
        super()._metric_init()
        self.late = 0
        _SERIES.append(self)

    def count(self, times: int = 1) -> None:
        """Count what happened."""
        self.late += times

    def settle(self) -> None:
        """Tell the library."""
        late, self.late = self.late, 0
        if late:
            self.inc(late)


class Gauge(prometheus_client.Gauge):
    """A gauge without labels that goes up and down."""

    def _metric_init(self) -> None:
        super()._metric_init()
        self.level = 0
        _SERIES.append(self)

    def settle(self) -> None:
        """Tell the library."""
        self.set(self.level)


class Histogram(prometheus_client.Histogram):
    """A histogram, or one of its series."""

    def _metric_init(self) -> None:
        super()._metric_init()
        self._late: list[float] = []
        _SERIES.append(self)

    def note(self, amount: float) -> None:
        """Count an amount."""
        self._late.append(amount)
        if len(self._late) >= TOGETHER:
            self.settle()

    def settle(self) -> None:
        """Tell the library."""
        if self._late:
            self.note_all(self._late)
            self._late = []

    def note_all(self, amounts: Sequence[float]) -> None:
        """Tell the library of amounts."""
        # The library's own way takes one at a time; its values have no types.
        values: list[Any] = self._buckets  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
        ordered, below = sorted(amounts), 0
        for bound, bucket in zip(self._upper_bounds, values, strict=True):
            up_to = bisect_right(ordered, bound, below)
            if up_to > below:
                bucket.inc(up_to - below)
                below = up_to
        cast("Any", self._sum).inc(sum(amounts))


def settle() -> None:
    """Tell the library of all that was counted."""
    for source in tuple(SOURCES):
        source.settle()
    for series in _SERIES:
        series.settle()
