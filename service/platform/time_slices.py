"""Heavy work is done in time slices, one at a time of all requests of the process.

So a light request waits for one slice at most. The slices are worked in the thread of the event loop: another thread
would hold the interpreter's lock as long, for the decoder never lets it go.
"""

from asyncio import sleep
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from math import inf
from time import perf_counter
from typing import Final, Self, TypeVar

from service.game.generators import Sliced
from service.platform.ledger import HEAVY_REQUESTS, PROCESSOR, FairSemaphore
from service.schemas.ids import NOBODY, Caller

Result = TypeVar("Result")

SLICE_SECONDS: Final = 0.002
"""Seconds of work after which a slice ends."""
_HEAVY_REQUESTS: Final = FairSemaphore(HEAVY_REQUESTS)
_PROCESSOR: Final = FairSemaphore(PROCESSOR)


class TimeSlice:
    """A slice of the time of the process, one after the other for one piece of work.

    Unit: `ends_at`, when the work has to yield, and `worked`, the length of all slices so far, in seconds.
    """

    def __init__(self, caller: Caller = NOBODY) -> None:
        self._caller = caller
        self._began: float | None = None
        self.ends_at = inf  # without a slice, which is for light work
        self.worked = 0.0

    async def __aenter__(self) -> Self:
        """Wait for a slice."""
        await _PROCESSOR.acquire(self._caller)
        self._began = perf_counter()
        self.ends_at = self._began + SLICE_SECONDS
        return self

    async def __aexit__(self, *_: object) -> None:
        """End the slice after the event loop has come round; there is none if the wait for it was cancelled."""
        if self._began is None:
            return
        self.worked += perf_counter() - self._began
        self._began = None
        try:
            await sleep(0)  # if this came after, the next one could work before the loop has come round
        finally:
            _PROCESSOR.release(self._caller)

    async def yield_slice(self) -> None:
        """Let other requests work, and wait for the next slice."""
        await self.__aexit__()
        await self.__aenter__()

    async def run(self, work: Sliced[Result]) -> Result:
        """Do work that yields between its pieces, and return its result."""
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
    """Wait for a place and a slice, for the work of a caller that takes many slices."""
    async with _HEAVY_REQUESTS.hold(caller), TimeSlice(caller) as time_slice:
        yield time_slice


async def run_sliced(caller: Caller, work: Sliced[Result]) -> Result:
    """Do the work of a caller that yields between its pieces, beside other requests, and return its result."""
    async with take_slices(caller) as time_slice:
        return await time_slice.run(work)
