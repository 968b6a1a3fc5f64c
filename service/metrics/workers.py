"""Several processes that serve one port and count together: each writes its numbers to files, and all read all of them.

The library looks for the folder of the files when it is imported. It must therefore be named in the environment before
the processes start, and each must start as a new Python, not as a fork of this one.
"""

import asyncio
import os
from collections.abc import Generator
from contextlib import contextmanager, suppress
from tempfile import TemporaryDirectory
from typing import Final

from service.metrics import buffered as late

FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"
"""The variable of the environment in which the library looks for the folder."""
EVERY: Final = 1.0
"""So many seconds the numbers of one process are behind, at most, where another one shows them."""


@contextmanager
def counting_together() -> Generator[None]:
    """Let the processes that are started meanwhile count together, and forget their numbers at the end."""
    with TemporaryDirectory(prefix="catchten-metrics-") as folder:
        os.environ[FOLDER] = folder
        try:
            yield
        finally:
            del os.environ[FOLDER]


def count_together() -> bool:
    """Tell whether this process is one of several that count together."""
    return FOLDER in os.environ


class Settling:
    """Writes down now and then what was counted, where other processes are to see it."""

    def __init__(self) -> None:
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Begin, if there are other processes."""
        if count_together():
            self._task = asyncio.create_task(_settle_now_and_then())

    async def close(self) -> None:
        """Write the last numbers."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        late.settle()


async def _settle_now_and_then() -> None:
    while True:
        late.settle()
        await asyncio.sleep(EVERY)
