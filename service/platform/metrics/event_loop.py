"""The lag of the event loop: it delays every request of its process."""

import asyncio
from contextlib import suppress
from time import monotonic
from typing import Final

from service.platform.metrics.families import EVENT_LOOP_LAG
from service.platform.metrics.requests import REQUEST_BUFFER

INTERVAL: Final = 0.25
"""Seconds between two looks."""


class LagMeter:
    """Measures the event loop's lag at intervals, and counts the requests that have ended meanwhile."""

    def __init__(self) -> None:
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Begin."""
        self._task = asyncio.create_task(_measure())

    async def close(self) -> None:
        """Stop."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        REQUEST_BUFFER.flush()


async def _measure() -> None:
    while True:
        due = monotonic() + INTERVAL
        await asyncio.sleep(INTERVAL)
        EVENT_LOOP_LAG.observe(max(0.0, monotonic() - due))  # timers may be early by their resolution
        REQUEST_BUFFER.flush()
