"""Metrics that are counted in plain numbers, and passed on to prometheus-client when they are flushed.

A change to a series of the library takes a lock and, where several processes share their metrics, a write to a file;
a request changes ten of them. Here a change is one addition. All of it happens in the thread of the event loop; only
what is shown is written in another one.
"""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any, Final, Protocol, cast
from weakref import WeakSet

import prometheus_client
from prometheus_client.metrics import MetricWrapperBase

from service.metrics.text import format_value, write_head, write_name


class Buffer(Protocol):
    """A buffer of numbers that are not in the library's series yet."""

    def flush(self) -> None:
        """Pass on what is buffered."""
        ...


BATCH_SIZE: Final = 128
"""Amounts that are buffered before they are flushed at once: together each costs several times less than alone."""
BUFFERS: Final[WeakSet[Buffer]] = WeakSet()
"""Buffers in front of the series, which are flushed into them first."""
_SERIES: Final[list[Buffer]] = []


class Written(MetricWrapperBase):
    """A metric whose series are written anew only after they have changed: most have not since the last scrape."""

    _changed = True
    _lines = ""

    def write(self) -> str:
        """Write the metric with all its series."""
        (metric,) = self.describe()
        # The library has no public names and no types for its series and their labels.
        series: dict[Any, Written] = vars(self).get("_metrics", {(): self})
        lines = [one.write_series() for one in tuple(series.values())]
        return write_head(metric.name, metric.type, metric.documentation) + "".join(lines)

    def write_series(self) -> str:
        """Write this one of the series."""
        if self._changed:
            self._changed = False  # before the numbers are read: what is flushed meanwhile is seen the next time
            library: dict[str, Any] = vars(self)
            name, labels = library["_name"], dict(zip(library["_labelnames"], library["_labelvalues"], strict=True))
            self._lines = "".join(
                f"{write_name(name + sample.name, labels | sample.labels)} {format_value(sample.value)}\n"
                for sample in self._child_samples()
            )
        return self._lines


class Counter(Written, prometheus_client.Counter):
    """A counter, or one of its series."""

    def _metric_init(self) -> None:
        super()._metric_init()
        self.pending = 0
        _SERIES.append(self)

    def count(self, times: int = 1) -> None:
        """Count an event, once or several times."""
        self.pending += times

    def flush(self) -> None:
        """Add what is buffered to the library's counter."""
        pending, self.pending = self.pending, 0
        if pending:
            self.inc(pending)
            self._changed = True


class Gauge(prometheus_client.Gauge):
    """A gauge without labels, whose value is set through `level`."""

    def _metric_init(self) -> None:
        super()._metric_init()
        self.level = 0
        _SERIES.append(self)

    def flush(self) -> None:
        """Set the library's gauge to the level."""
        self.set(self.level)


class Histogram(Written, prometheus_client.Histogram):
    """A histogram, or one of its series."""

    def _metric_init(self) -> None:
        super()._metric_init()
        self._pending: list[float] = []
        _SERIES.append(self)

    def note(self, amount: float) -> None:
        """Buffer an amount."""
        self._pending.append(amount)
        if len(self._pending) >= BATCH_SIZE:
            self.flush()

    def flush(self) -> None:
        """Add what is buffered to the library's histogram."""
        if self._pending:
            self.observe_all(self._pending)
            self._pending = []

    def observe_all(self, amounts: Sequence[float]) -> None:
        """Add several amounts to the library's histogram."""
        # The library has a method for one amount only, and no types for its values.
        values: list[Any] = self._buckets  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
        ordered, below = sorted(amounts), 0
        for bound, bucket in zip(self._upper_bounds, values, strict=True):
            up_to = bisect_right(ordered, bound, below)
            if up_to > below:
                bucket.inc(up_to - below)
                below = up_to
        cast("Any", self._sum).inc(sum(amounts))
        self._changed = True


def flush() -> None:
    """Flush every buffer, and then every series."""
    for buffer in tuple(BUFFERS):
        buffer.flush()
    for series in _SERIES:
        series.flush()
