"""Throttled log lines: the first at once, then one at intervals for all that happened meanwhile."""

from collections.abc import Callable
from logging import getLogger
from time import monotonic
from typing import Final

LOG_EVERY: Final = 10.0
"""Minimum seconds between two lines."""
_logger: Final = getLogger(__name__)


class RareLog:
    """A warning that many causes may raise at once.

    Shape: `line` has a placeholder for each word of `add`, and a last one for the number of causes since the last line.
    Unit: `clock` returns seconds.
    """

    def __init__(self, line: str, clock: Callable[[], float] = monotonic) -> None:
        self._line = line
        self._clock = clock
        self._count = 0
        self._log_at = -LOG_EVERY

    def add(self, *words: str) -> None:
        """Log a line, or only count the cause."""
        self._count += 1
        now = self._clock()
        if now >= self._log_at:
            _logger.warning(self._line, *words, self._count)
            self._count, self._log_at = 0, now + LOG_EVERY
