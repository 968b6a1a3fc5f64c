"""The rate limit: a quota of requests for each caller, counted in the store, so that all processes share it.

Each request adds its share of the window to its caller's use. The use decays with time and may not exceed one window.
So a quota can be spent at once, and refills evenly. The algorithm is known as GCRA.

The process counts a caller far from the limit itself, and reports the sum to the store ten times a second. Near the
limit, it asks the store for each request. So processes together exceed the quota at most by their unreported sums.
While the store does not answer, the process counts by itself, from the last known use.
"""

import re
from asyncio import Task, create_task, sleep
from collections.abc import Callable
from logging import getLogger
from time import monotonic
from typing import Final, NamedTuple

from cachetools import TTLCache

from service.http.context import Headers
from service.live.store.memory import MemoryStore
from service.live.store.protocol import Store, StoreDown, StoreFull
from service.platform.metrics.families import RATES_UNSHARED
from service.schemas.ids import Caller

PAUSE: Final = 5.0
"""Seconds before the store is asked again after it failed to answer."""
REPORT_SECONDS: Final = 0.1
"""Seconds between a process's reports to the store."""
UNREPORTED_DIVISOR: Final = 16
"""The largest unreported share of a quota: a sixteenth."""
_FRESH_SECONDS: Final = 1.0
"""Seconds for which the store's last answer about a caller is fresh enough."""
_MAX_KNOWN: Final = 10_000
"""Callers whose use is cached, in some 300 bytes each, for at most a window; for others the store is asked."""
_WINDOWS: Final = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}
_RATE: Final = re.compile(r"([1-9][0-9]{0,5})/(second|minute|hour|day)")
_SECOND: Final = 1_000_000
"""Microseconds in a second: the store counts in them."""
_UNLIMITED: Final = 10**15
"""A bound that no caller's use reaches: 31 years."""
_logger: Final = getLogger(__name__)


class RateLimitResult(NamedTuple):
    """The seconds that a caller has to wait, 0 if admitted, and the headers with the rest of its quota."""

    retry_after: int
    headers: Headers


class RateLimit:
    """The quota of every caller.

    Shape: `rate` is a number of requests, a slash, and second, minute, hour or day.
    """

    def __init__(self, store: Store, rate: str, clock: Callable[[], float] = monotonic) -> None:
        found = _RATE.fullmatch(rate)
        if found is None:
            raise ValueError(rate)
        quota, window = int(found[1]), _WINDOWS[found[2]]
        self._store = store
        self._own_store = MemoryStore(0, 0, clock)
        self._clock = clock
        self._share = round(window * _SECOND / quota)
        self._at_most = self._share * quota
        self._policy = (b"ratelimit-policy", b'"default";q=%d;w=%d' % (quota, window))
        self._away = False
        self._ask_at = 0.0
        self._known: TTLCache[Caller, tuple[int, float]] = TTLCache(_MAX_KNOWN, window, clock)
        self._unreported = dict[Caller, int]()
        self._reporting: Task[None] | None = None

    def try_consume_at_once(self, caller: Caller) -> Headers | None:
        """Charge one request to a quota, and return its headers. Return None if the store has to be asked."""
        used = self._consume_here(caller, self._share)
        return None if used is None else self._headers(0, used)

    async def try_consume(self, caller: Caller) -> RateLimitResult:
        """Charge one request to a quota, unless it is used up."""
        return await self._consume(caller, self._share, self._at_most)

    async def consume(self, caller: Caller, requests: int) -> RateLimitResult:
        """Charge more requests to an admitted caller; a use beyond the quota makes its next wait longer."""
        return await self._consume(caller, self._share * requests, _UNLIMITED)

    async def _consume(self, caller: Caller, cost: int, at_most: int) -> RateLimitResult:
        used = self._consume_here(caller, cost)
        if used is not None:
            return RateLimitResult(0, self._headers(0, used))
        if unreported := self._unreported.pop(caller, 0):
            await self._consume_in_store(caller, unreported, _UNLIMITED)
        admitted, used = await self._consume_in_store(caller, cost, at_most)
        retry_after = 0 if admitted else _seconds(used + self._share - self._at_most)
        return RateLimitResult(retry_after, self._headers(retry_after, used))

    def _consume_here(self, caller: Caller, cost: int) -> int | None:
        """Charge a caller known to be far from the limit, and return its use. Return None for any other."""
        known = self._known.get(caller)
        if known is None or self._clock() - known[1] >= _FRESH_SECONDS:
            return None
        unreported = self._unreported.get(caller, 0) + cost
        used = self._used(known) + unreported
        if unreported > self._at_most // UNREPORTED_DIVISOR or used > self._at_most // 2:
            return None
        self._unreported[caller] = unreported
        if self._reporting is None:
            self._reporting = create_task(self._report())
        return used

    async def _report(self) -> None:
        """Report the counts of this process to the store, until nothing is left to report."""
        try:
            while True:
                await sleep(REPORT_SECONDS)
                unreported, self._unreported = self._unreported, {}
                if not unreported:
                    return
                for caller, cost in unreported.items():
                    await self._consume_in_store(caller, cost, _UNLIMITED)
        finally:
            self._reporting = None

    async def _consume_in_store(self, caller: Caller, cost: int, at_most: int) -> tuple[bool, int]:
        """Charge in the store, or in this process while the store is down, and cache the use."""
        name = f"rate/{caller}"
        consumed = await self._consume_shared(name, cost, at_most)
        if consumed is None:
            RATES_UNSHARED.inc(cost // self._share)
            consumed = await self._consume_own(caller, name, cost, at_most)
        self._known[caller] = consumed[1], self._clock()
        return consumed

    async def _consume_own(self, caller: Caller, name: str, cost: int, at_most: int) -> tuple[bool, int]:
        """Charge in this process, starting from the store's last answer about the caller."""
        known = self._known.get(caller)
        if known is not None:
            _, counted = await self._own_store.consume(name, 0, _UNLIMITED)
            await self._own_store.consume(name, max(0, self._used(known) - counted), _UNLIMITED)
        return await self._own_store.consume(name, cost, at_most)

    def _used(self, known: tuple[int, float]) -> int:
        """Return what is left of a use after some time."""
        return max(0, known[0] - int((self._clock() - known[1]) * _SECOND))

    async def _consume_shared(self, name: str, cost: int, at_most: int) -> tuple[bool, int] | None:
        """Charge in the store. Return None if it does not answer."""
        now = self._clock()
        if self._away:
            if now < self._ask_at:
                return None
            self._ask_at = now + PAUSE  # only this request probes; others do not wait for it
        try:
            consumed = await self._store.consume(name, cost, at_most)
        except (StoreDown, StoreFull) as exc:
            if not self._away:
                _logger.warning("this process limits rates by itself: the store does not count requests: %r", exc)
            self._away, self._ask_at = True, self._clock() + PAUSE
            return None
        if self._away:
            self._away = False
            _logger.warning("all processes limit rates together again")
        return consumed

    def _headers(self, retry_after: int, used: int) -> Headers:
        """Write the headers: the quota, its rest and, for a refused caller, the seconds to wait."""
        requests = max(0, self._at_most - used) // self._share
        left = (self._policy, (b"ratelimit", b'"default";r=%d;t=%d' % (requests, _seconds(used))))
        return (*left, (b"retry-after", b"%d" % retry_after)) if retry_after else left


def _seconds(time: int) -> int:
    """Round up to whole seconds."""
    return -(-time // _SECOND)
