"""Work, counted and not timed, so that a test of it says the same on every machine."""

import sys
from collections.abc import Generator
from contextlib import contextmanager


class Work:
    """How many functions were called."""

    calls = 0

    @contextmanager
    def counted(self) -> Generator[None]:
        """Count the calls."""
        before = sys.getprofile()
        self.calls = 0
        sys.setprofile(self._count)
        try:
            yield
        finally:
            sys.setprofile(before)

    def _count(self, frame: object, event: str, argument: object) -> None:
        self.calls += event == "call"
