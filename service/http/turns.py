"""Turns: heavy work is done in short pieces, one at a time of all requests of the process.

So a light question waits for one piece at most. The pieces are done in the thread of the event loop: another thread
would hold the interpreter's lock as long, for the decoder never lets it go.
"""

from asyncio import CancelledError, Future, get_running_loop, sleep
from collections import deque
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager
from math import inf
from time import perf_counter
from typing import Final, Self, TypeVar

Result = TypeVar("Result")

LIGHT_BYTES: Final = 2048
"""Bytes of a body that is light to read and to answer, unless it is a batch."""
PIECE_SECONDS: Final = 0.002
"""Seconds of work after which the turn passes on."""
PLACES: Final = 8
"""Requests whose heavy work is under way at once: each keeps what it has made so far in memory."""


class Queue:
    """Lets so many in at once, and the others in the order in which they came. It is bound to no event loop."""

    def __init__(self, at_once: int) -> None:
        self._free = at_once
        self._waiting = deque[Future[None]]()

    async def enter(self) -> None:
        """Wait for a place, and take it."""
        if self._free:
            self._free -= 1
            return
        called = get_running_loop().create_future()
        self._waiting.append(called)
        try:
            await called
        except CancelledError:
            if called.done() and not called.cancelled():
                self.leave()
            raise

    def leave(self) -> None:
        """Leave a place to the next who waits for it."""
        while self._waiting:
            called = self._waiting.popleft()
            if not called.done():
                called.set_result(None)
                return
        self._free += 1


_PLACES: Final = Queue(PLACES)
_TURN: Final = Queue(1)


class Turn:
    """The turn of one request: it may work until `ends_at`, then it has to pass the turn on."""

    def __init__(self) -> None:
        self._held = False
        self.ends_at = inf  # without a turn, which is for light work

    async def __aenter__(self) -> Self:
        """Wait for the turn."""
        await _TURN.enter()
        self._held, self.ends_at = True, perf_counter() + PIECE_SECONDS
        return self

    async def __aexit__(self, *_: object) -> None:
        """Let the event loop come round, and leave the turn to the next; it is not held if it did not come back."""
        if self._held:
            self._held = False
            try:
                await sleep(0)  # if this came after, the next one could work before the loop has come round
            finally:
                _TURN.leave()

    async def pass_on(self) -> None:
        """Let other requests work, and wait for the next turn."""
        await self.__aexit__()
        await self.__aenter__()

    async def run(self, work: Generator[None, None, Result]) -> Result:
        """Do work that yields between its pieces, and return its result."""
        while True:
            try:
                next(work)
            except StopIteration as done:
                result: Result = done.value
                return result
            if perf_counter() > self.ends_at:
                await self.pass_on()


@asynccontextmanager
async def take_turns(places: Queue = _PLACES) -> AsyncGenerator[Turn]:
    """Wait for a place and a turn, for work of many pieces."""
    await places.enter()
    try:
        async with Turn() as turn:
            yield turn
    finally:
        places.leave()
