"""The log of why calls on Redis failed."""

from collections.abc import Callable
from time import monotonic
from typing import Final

from service.live.store.rare_log import RareLog


class FailureLog:
    """The failures of a process.

    Unit: `clock` returns seconds.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._log = RareLog("a call on Redis failed: %s (failed since the last such line: %d)", clock)

    def add(self, failure: Exception) -> None:
        """Log a failure and how many there were since the last line, or only count it."""
        # Neither the server nor the library writes a password, a key or an entry into the text of a failure.
        self._log.add(f"{type(failure).__name__}: {failure}".removesuffix(": "))


log_failure: Final = FailureLog().add
"""Log a failure of this process."""
