"""Readiness: the two steps in which a process stops, draining and ending, and the metrics that show them."""

from collections.abc import Callable

from service.metrics.families import DRAINING, READY


class Stop:
    """The stop of this process.

    While it drains, the process answers every request, but asks load balancers to send no more. When it ends, it
    no longer listens.
    """

    def __init__(self) -> None:
        self.draining = False
        self._callbacks: list[Callable[[], None]] = []
        DRAINING.set(0)
        set_ready(ready=True)

    def drain(self) -> None:
        """Begin to drain: the process is no longer ready."""
        self.draining = True
        DRAINING.set(1)
        set_ready(ready=False)

    def call_at_end(self, callback: Callable[[], None]) -> None:
        """Register a callback for the end, to finish what has no end of its own, such as event streams."""
        self._callbacks.append(callback)

    def end(self) -> None:
        """Call every registered callback."""
        for callback in self._callbacks:
            callback()


def set_ready(*, ready: bool) -> None:
    """Set the metric of readiness. Until it is first checked, a process is ready unless it drains."""
    READY.set(ready)
