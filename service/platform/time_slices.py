"""Heavy work runs in time slices, one at a time in the whole process.

So a light request waits for one slice at most. Slices run in the event loop's thread: another thread would hold the
interpreter's lock just as long, because the decoder never releases it.
"""

from asyncio import sleep
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from math import inf
from time import perf_counter
from typing import Final, Self, TypeVar

from service.game.generators import Sliced
from service.platform.limits import HEAVY_REQUESTS, PROCESSOR, FairSemaphore
from service.schemas.ids import NOBODY, Caller

Result = TypeVar("Result")

SLICE_SECONDS: Final = 0.002
"""Seconds of work after which a slice ends."""
_HEAVY_REQUESTS: Final = FairSemaphore(HEAVY_REQUESTS)
_PROCESSOR: Final = FairSemaphore(PROCESSOR)


class TimeSlice:
    """The time slices of one piece of work, one after the other.

    Unit: `ends_at`, when the work must yield, and `worked`, the length of all slices so far, in seconds.
    """

    def __init__(self, caller: Caller = NOBODY) -> None:
        self._caller = caller
        self._began: float | None = None
        self.ends_at = inf  # no slice: for light work
        self.worked = 0.0

    async def __aenter__(self) -> Self:
        """Wait for a slice."""
        await _PROCESSOR.acquire(self._caller)
        self._began = perf_counter()
        self.ends_at = self._began + SLICE_SECONDS
        return self

    async def __aexit__(self, *_: object) -> None:
        """End the slice after a round of the event loop; there is none if the wait for it was canceled."""
        if self._began is None:
            return
        self.worked += perf_counter() - self._began
        self._began = None
        try:
            await sleep(0)  # otherwise the next slice could begin before the loop has come round
        finally:
            _PROCESSOR.release(self._caller)

    async def yield_slice(self) -> None:
        """Let other requests work, and wait for the next slice."""
        await self.__aexit__()
        await self.__aenter__()

    async def run(self, work: Sliced[Result]) -> Result:
        """Run a generator in time slices, and return its result."""
        while True:
            try:
                next(work)
            except StopIteration as done:
                result: Result = done.value
                return result
            if perf_counter() > self.ends_at:
                await self.yield_slice()


@asynccontextmanager
async def take_slices(caller: Caller) -> AsyncGenerator[TimeSlice]:
    """Wait for a place and a slice, for a caller's long work."""
    async with _HEAVY_REQUESTS.hold(caller), TimeSlice(caller) as time_slice:
        yield time_slice


async def run_sliced(caller: Caller, work: Sliced[Result]) -> Result:
    """Run a caller's generator in time slices beside other requests, and return its result."""
    async with take_slices(caller) as time_slice:
        return await time_slice.run(work)
