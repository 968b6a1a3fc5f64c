"""The log of why calls on Redis failed: a line at once, and then one in a while for all that fail meanwhile."""

from collections.abc import Callable
from logging import getLogger
from time import monotonic
from typing import Final

LOG_EVERY: Final = 10.0
"""Seconds between two lines, at least."""
_logger: Final = getLogger(__name__)


class FailureLog:
    """The failures of a process.

    Unit: `clock` returns seconds.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._failed = 0
        self._log_at = -LOG_EVERY

    def add(self, failure: Exception) -> None:
        """Log a failure and how many there were since the last line, or only count it."""
        self._failed += 1
        now = self._clock()
        if now >= self._log_at:
            # Neither the server nor the library writes a password, a key or an entry into the text of a failure.
            reason = f"{type(failure).__name__}: {failure}".removesuffix(": ")
            _logger.warning("a call on Redis failed: %s (failed since the last such line: %d)", reason, self._failed)
            self._failed, self._log_at = 0, now + LOG_EVERY


log_failure: Final = FailureLog().add
"""Log a failure of this process."""
