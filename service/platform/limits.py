"""The limited resources of a process, their amounts, and the share of each caller.

A caller may take a piece if its share is then no more than was free before. A single caller can hold about half, the
next caller a quarter, so a newcomer always finds room. A caller is an app or, without a key, an address.
"""

from asyncio import CancelledError, Future, get_running_loop
from collections import Counter, deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Final, Literal, Self, TypeAlias

from msgspec import Struct

from service.schemas.ids import Caller
from service.schemas.refusal import ProblemCode, Refusal

Keeper: TypeAlias = Literal["process", "store", "quota"]
_MIB: Final = 1024 * 1024


class Limit(Struct, frozen=True):
    """A limited resource."""

    what: str
    """The thing, for people."""
    unit: str
    """What it is counted in."""
    in_all: int
    """The amount, unless `setting` names it."""
    refusal: ProblemCode | None = None
    """The problem once all of it is taken; None if callers wait instead."""
    setting: str = ""
    """The setting that replaces `in_all`; empty for none."""
    keeper: Keeper = "process"
    """Who keeps its account; `store` and `quota` keep their own."""

    def may_take(self, more: int, own: int, taken: int, in_all: int | None = None) -> bool:
        """Return True if a caller with `own` of all `taken` may take more: it then has at most what is free."""
        return own + more <= (self.in_all if in_all is None else in_all) - taken


# Includes the decoded form of bodies until they are answered.
BODIES: Final = Limit("bodies", "bytes", 64 * _MIB, "too_busy")
HEAVY_REQUESTS: Final = Limit("heavy requests under way, each with what it has made so far", "places", 12)
PROCESSOR: Final = Limit("time for heavy work", "slices at once", 1)
THINKING: Final = Limit("turns of computers that are thought out", "places", 8)
TURNS: Final = Limit("turns of computers and limits for moves that are waited for", "turns", 8000)
STREAMS: Final = Limit("event streams", "places", 10_000, "too_many_streams", setting="MAX_STREAMS")
POLLS: Final = Limit("requests that wait for finished games", "places", 1000, "too_busy")
LIVE_GAMES: Final = Limit("live games in memory, without Redis", "games", 10_000, "store_full", keeper="store")
GAME_BYTES: Final = Limit("live games in memory, without Redis", "bytes", 64 * _MIB, "store_full", keeper="store")
QUOTA: Final = Limit("requests and their work", "requests", 0, "too_many_requests", "RATE_LIMIT", keeper="quota")


class Account:
    """The amounts taken of one resource, in all and by caller."""

    def __init__(self, limit: Limit, in_all: int | None = None) -> None:
        self._limit = limit
        self._in_all = limit.in_all if in_all is None else in_all
        self.taken = 0
        self.taken_by = Counter[Caller]()

    def may_take(self, caller: Caller, more: int = 1) -> bool:
        """Return True if a caller may take more."""
        return self._limit.may_take(more, self.taken_by[caller], self.taken, self._in_all)

    def try_take(self, caller: Caller, more: int = 1) -> bool:
        """Take more for a caller, and return True. Return False if the caller may not."""
        if not self.may_take(caller, more):
            return False
        self.taken += more
        self.taken_by[caller] += more
        return True

    def take(self, caller: Caller, more: int = 1) -> None:
        """Take more for a caller.

        Errors: Refusal: `share_used_up` if others could have as much, else the one of the limit.
        """
        if not self.try_take(caller, more):
            own, limit = self.taken_by[caller], self._limit
            is_full = more > self._in_all - self.taken
            code = (limit.refusal or "too_busy") if is_full else "share_used_up"
            detail = f"{self.taken} of {self._in_all} {limit.unit} for {limit.what} are taken, {own} by you."
            raise Refusal(code, detail)

    def give_back(self, caller: Caller, less: int = 1) -> None:
        """Release some of a caller's share."""
        self.taken -= less
        self.taken_by[caller] -= less
        if not self.taken_by[caller]:
            del self.taken_by[caller]


class Holding:
    """The amount that one request holds until it is answered or its client disconnects."""

    def __init__(self, account: Account, caller: Caller) -> None:
        self._account = account
        self._caller = caller
        self._own = 0

    def __enter__(self) -> Self:
        """Hold nothing yet."""
        return self

    def __exit__(self, *_: object) -> None:
        """Give all back."""
        self.hold(0)

    def hold(self, size: int) -> None:
        """Raise the amount that the request holds to `size`; 0 releases it.

        Errors: Refusal, as for `take`.
        """
        if size > self._own:
            self._account.take(self._caller, size - self._own)
            self._own = size
        elif not size and self._own:
            self._account.give_back(self._caller, self._own)
            self._own = 0


class FairSemaphore:
    """A semaphore over an account: waiting callers enter in round-robin order, each caller's requests in order.

    It is bound to no event loop.
    """

    def __init__(self, limit: Limit, in_all: int | None = None) -> None:
        self._account = Account(limit, in_all)
        self._waiting: dict[Caller, deque[Future[None]]] = {}

    @asynccontextmanager
    async def hold(self, caller: Caller) -> AsyncGenerator[None]:
        """Wait for a place, and hold it until the end of the block."""
        await self.acquire(caller)
        try:
            yield
        finally:
            self.release(caller)

    async def acquire(self, caller: Caller) -> None:
        """Wait for a place, and take it."""
        if self._account.try_take(caller):  # a place is free, so no waiter could take it
            return
        admitted = get_running_loop().create_future()
        self._waiting.setdefault(caller, deque()).append(admitted)
        try:
            await admitted
        except CancelledError:
            if admitted.done() and not admitted.cancelled():
                self.release(caller)
            raise

    def release(self, caller: Caller) -> None:
        """Release a place, and admit the next waiters."""
        self._account.give_back(caller)
        while (following := next(filter(self._account.may_take, self._waiting), None)) is not None:
            queue = self._waiting.pop(following)
            admitted = queue.popleft()
            if queue:
                self._waiting[following] = queue  # behind the other callers
            if not admitted.done():
                self._account.try_take(following)
                admitted.set_result(None)
