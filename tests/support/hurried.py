"""An event loop on which no time passes while it waits, so that a long limit can be tested as soon as a short one."""

import asyncio
from selectors import DefaultSelector, SelectorKey


class _Selector(DefaultSelector):
    """A selector that counts the seconds for which it should have waited."""

    def __init__(self) -> None:
        super().__init__()
        self.skipped = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[SelectorKey, int]]:
        self.skipped += max(timeout or 0, 0)
        return super().select(0 if timeout is not None else None)


class HurriedLoop(asyncio.SelectorEventLoop):
    """A loop whose time is what it should have waited, however slow the machine is."""

    def __init__(self) -> None:
        self._selecting = _Selector()
        super().__init__(self._selecting)

    def time(self) -> float:
        return self._selecting.skipped
