"""The rate limit: a quota of requests for each caller, counted in the store, so that all processes share it.

Each request adds its share of the window to the debt of its caller, time pays the debt off, and it may not exceed one
window. So a quota can be spent at once, and comes back evenly. The algorithm is known as GCRA. While the store does not
answer, the process counts by itself.
"""

import re
from collections.abc import Callable
from logging import getLogger
from time import monotonic
from typing import Final, NamedTuple

from service.http.context import Headers
from service.live.store.memory import MemoryStore
from service.live.store.protocol import Store, StoreDown, StoreFull
from service.platform.metrics.families import RATES_UNSHARED

PAUSE: Final = 5.0
"""Seconds for which a store that gave no answer is not asked again."""
_WINDOWS: Final = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}
_RATE: Final = re.compile(r"([1-9][0-9]{0,5})/(second|minute|hour|day)")
_SECOND: Final = 1_000_000
"""Microseconds in a second: the store counts in them."""
_UNLIMITED: Final = 10**15
"""A debt that no caller reaches: 31 years."""
_logger: Final = getLogger(__name__)


class RateLimitResult(NamedTuple):
    """The seconds for which a caller has to wait, 0 if it is admitted, and the headers that say what is left."""

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

    async def admit(self, caller: str) -> RateLimitResult:
        """Consume one request of a quota, unless it is used up."""
        return await self._consume(caller, self._share, self._at_most)

    async def consume(self, caller: str, requests: int) -> RateLimitResult:
        """Consume more requests of the quota of an admitted caller; beyond it, the caller has to wait the longer."""
        return await self._consume(caller, self._share * requests, _UNLIMITED)

    async def _consume(self, caller: str, cost: int, at_most: int) -> RateLimitResult:
        name = f"rate/{caller}"
        charged = await self._charge_shared(name, cost, at_most)
        if charged is None:
            RATES_UNSHARED.inc()
            charged = await self._own_store.charge(name, cost, at_most)
        admitted, owed = charged
        retry_after = 0 if admitted else _seconds(owed + self._share - self._at_most)
        return RateLimitResult(retry_after, self._headers(retry_after, owed))

    async def _charge_shared(self, name: str, cost: int, at_most: int) -> tuple[bool, int] | None:
        """Charge a caller in the store. Return None if that does not answer."""
        now = self._clock()
        if self._away:
            if now < self._ask_at:
                return None
            self._ask_at = now + PAUSE  # only this request tries; the others do not wait for it
        try:
            charged = await self._store.charge(name, cost, at_most)
        except (StoreDown, StoreFull) as exc:
            if not self._away:
                _logger.warning("this process limits rates by itself: the store does not count requests: %r", exc)
            self._away, self._ask_at = True, self._clock() + PAUSE
            return None
        if self._away:
            self._away = False
            _logger.warning("all processes limit rates together again")
        return charged

    def _headers(self, retry_after: int, owed: int) -> Headers:
        """Write the quota, what is left of it, and for a caller that is not admitted, the seconds to wait."""
        requests = max(0, self._at_most - owed) // self._share
        left = (self._policy, (b"ratelimit", b'"default";r=%d;t=%d' % (requests, _seconds(owed))))
        return (*left, (b"retry-after", b"%d" % retry_after)) if retry_after else left


def _seconds(time: int) -> int:
    """Round up to whole seconds."""
    return -(-time // _SECOND)
