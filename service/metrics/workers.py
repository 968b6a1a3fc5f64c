"""Metrics of several processes that serve one port: each writes its numbers to files, and each reads those of all.

prometheus-client looks for the folder of these files when it is imported. It must therefore be named in the environment
before the processes start, and each must start as a new Python, not as a fork of this one.
"""

import asyncio
import os
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, TextIO

from service.metrics import buffered
from service.metrics.processes import take_number

FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable in which prometheus-client looks for the folder."""
FLUSH_SECONDS: Final = 1.0
"""Seconds that the numbers of a process are behind, at most, where another process shows them."""


@contextmanager
def share_metrics() -> Generator[None]:
    """Make processes that are started meanwhile share their metrics, and remove the files at the end."""
    with TemporaryDirectory(prefix="catchten-metrics-") as folder:
        os.environ[FOLDER] = folder
        try:
            yield
        finally:
            del os.environ[FOLDER]


def shares_metrics() -> bool:
    """Return True if this process is one of several that share their metrics."""
    return FOLDER in os.environ


class Flusher:
    """Flushes buffered metrics at intervals, so that other processes can show them."""

    def __init__(self) -> None:
        self._task: asyncio.Task[None] | None = None
        self._number: TextIO | None = None

    async def open(self) -> None:
        """Begin, if there are other processes."""
        if shares_metrics():
            self._number = take_number(Path(os.environ[FOLDER]))
            self._task = asyncio.create_task(_flush_at_intervals())

    async def close(self) -> None:
        """Stop, and flush for the last time."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        if self._number is not None:
            self._number.close()
        buffered.flush()


async def _flush_at_intervals() -> None:
    while True:
        buffered.flush()
        await asyncio.sleep(FLUSH_SECONDS)
