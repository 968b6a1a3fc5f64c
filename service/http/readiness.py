"""The two steps in which a process stops, draining and ending, and what its metrics say of them."""

from collections.abc import Callable

from service.metrics.families import DRAINING, READY


class Stop:
    """How far the stop of this process has come.

    While it drains, the process answers every request, but asks load balancers to send no more. When it ends, it
    listens no more.
    """

    def __init__(self) -> None:
        self.draining = False
        self._callbacks: list[Callable[[], None]] = []
        DRAINING.set(0)
        set_ready(ready=True)

    def drain(self) -> None:
        """Begin to drain: from now on the process is not ready."""
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
    """Set the metric of readiness; without a check, a process that does not drain is ready."""
    READY.set(ready)
