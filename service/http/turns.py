"""Turns: heavy work is done in short pieces, one at a time of all requests of the process.

So a light question waits for one piece at most. The pieces are done in the thread of the event loop: another thread
would hold the interpreter's lock as long, for the decoder never lets it go.
"""

from asyncio import CancelledError, Future, get_running_loop, sleep
from collections import Counter, deque
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


class FairQueue:
    """Lets so many in at once, of one caller half of them, at most; of those who wait, one of each caller by turns."""

    def __init__(self, at_once: int) -> None:
        self._free = at_once
        self._share = (at_once + 1) // 2
        self._inside = Counter[str]()
        self._waiting: dict[str, deque[Future[None]]] = {}

    @asynccontextmanager
    async def place(self, caller: str) -> AsyncGenerator[None]:
        """Wait for a place, and keep it for a while."""
        called = get_running_loop().create_future()
        self._waiting.setdefault(caller, deque()).append(called)
        self._call_next()
        try:
            await called
            yield
        finally:
            if called.done() and not called.cancelled():
                self._leave(caller)

    def _leave(self, caller: str) -> None:
        self._free += 1
        self._inside[caller] -= 1
        if not self._inside[caller]:
            del self._inside[caller]
        self._call_next()

    def _call_next(self) -> None:
        """Call in those for whom there are places."""
        while self._free:
            caller = next((one for one in self._waiting if self._inside[one] < self._share), None)
            if caller is None:
                return
            line = self._waiting.pop(caller)
            called = line.popleft()
            if line:
                self._waiting[caller] = line  # behind the other callers
            if not called.done():
                self._free -= 1
                self._inside[caller] += 1
                called.set_result(None)


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
async def take_turns() -> AsyncGenerator[Turn]:
    """Wait for a place and a turn, for work of many pieces."""
    await _PLACES.enter()
    try:
        async with Turn() as turn:
            yield turn
    finally:
        _PLACES.leave()
