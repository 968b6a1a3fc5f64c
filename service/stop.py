"""The stop of a process, in two steps: it drains, then it ends. Whoever must know is told, and so is Prometheus."""

from collections.abc import Callable
from typing import Final

from prometheus_client import Gauge

_draining: Final = Gauge(
    "catchten_draining", "1 from the moment a process is told to stop, else 0.", multiprocess_mode="livemax"
)
_ready: Final = Gauge(
    "catchten_ready",
    "1 while /readyz, when last asked, said that requests may come, else 0.",
    multiprocess_mode="livemin",
)


class Stop:
    """How far the stop of this process has come.

    While it drains, it serves as ever, but asks not to be sent more. At the end it listens no more.
    """

    def __init__(self) -> None:
        self.draining = False
        self._told: list[Callable[[], None]] = []
        _draining.set(0)
        tell_ready(ready=True)

    def drain(self) -> None:
        """Begin: ask not to be sent more."""
        self.draining = True
        _draining.set(1)
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
    _ready.set(ready)
