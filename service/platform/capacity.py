"""The capacity of a process: so many at once, of which one caller has at most half."""

from asyncio import CancelledError, Future, get_running_loop
from collections import Counter, deque


class CapacityLimiter:
    """Counts what is under way, in all and by caller: at most `limit`, and of one caller at most half, rounded up."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._share = (limit + 1) // 2
        self.taken = 0
        self.taken_by = Counter[str]()

    def has_capacity(self, caller: str) -> bool:
        """Return True if one more fits for a caller."""
        return self.taken < self._limit and self.taken_by[caller] < self._share

    def try_acquire(self, caller: str) -> bool:
        """Take a place for a caller, and return True. Return False if none is left for it."""
        if not self.has_capacity(caller):
            return False
        self.taken += 1
        self.taken_by[caller] += 1
        return True

    def release(self, caller: str) -> None:
        """Give a place of a caller back."""
        self.taken -= 1
        self.taken_by[caller] -= 1
        if not self.taken_by[caller]:
            del self.taken_by[caller]


class FairSemaphore:
    """A semaphore over a capacity: callers who wait are let in by turns, each in the order of its own requests.

    It is bound to no event loop.
    """

    def __init__(self, limit: int) -> None:
        self._capacity = CapacityLimiter(limit)
        self._waiting: dict[str, deque[Future[None]]] = {}

    async def acquire(self, caller: str) -> None:
        """Wait for a place, and take it."""
        if self._capacity.try_acquire(caller):  # then nobody waits for whom there is a place
            return
        admitted = get_running_loop().create_future()
        self._waiting.setdefault(caller, deque()).append(admitted)
        try:
            await admitted
        except CancelledError:
            if admitted.done() and not admitted.cancelled():
                self.release(caller)
            raise

    def release(self, caller: str) -> None:
        """Give a place back, and let in whoever is next."""
        self._capacity.release(caller)
        while (following := next(filter(self._capacity.has_capacity, self._waiting), None)) is not None:
            queue = self._waiting.pop(following)
            admitted = queue.popleft()
            if queue:
                self._waiting[following] = queue  # behind the other callers
            if not admitted.done():
                self._capacity.try_acquire(following)
                admitted.set_result(None)
                return
