"""The stop of a process, in two steps: it drains, then it ends. Whoever must know is told, and so is Prometheus."""

from collections.abc import Callable

from service.metrics.families import DRAINING, READY


class Stop:
    """How far the stop of this process has come.

    While it drains, it serves as ever, but asks not to be sent more. At the end it listens no more.
    """

    def __init__(self) -> None:
        self.draining = False
        self._told: list[Callable[[], None]] = []
        DRAINING.set(0)
        tell_ready(ready=True)

    def drain(self) -> None:
        """Begin: ask not to be sent more."""
        self.draining = True
        DRAINING.set(1)
        tell_ready(ready=False)

    def at_end(self, tell: Callable[[], None]) -> None:
        """Call this at the end, when whatever has no end of its own must come to one."""
        self._told.append(tell)

    def end(self) -> None:
        """Tell everyone that it is the end."""
        for tell in self._told:
            tell()


def tell_ready(*, ready: bool) -> None:
    """Tell Prometheus whether requests may come: they may until a check says otherwise."""
    READY.set(ready)
