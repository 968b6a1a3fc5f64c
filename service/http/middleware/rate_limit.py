"""The rate limit: a quota of requests for each caller, counted in the store, so that all processes share it.

Each request adds its share of the window to the debt of its caller, time pays the debt off, and it may not exceed one
window. So a quota can be spent at once, and comes back evenly. The algorithm is known as GCRA.
"""

import re
from collections.abc import Callable
from logging import getLogger
from time import monotonic
from typing import Final, NamedTuple

from service.http.context import Headers
from service.metrics.families import RATES_SKIPPED
from service.store.protocol import Store, StoreDown, StoreFull

PAUSE: Final = 5.0
"""Seconds for which a store that gave no answer is not asked again."""
_WINDOWS: Final = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}
_RATE: Final = re.compile(r"([1-9][0-9]{0,5})/(second|minute|hour|day)")
_SECOND: Final = 1_000_000
"""Microseconds in a second: the store counts in them."""
_UNLIMITED: Final = 10**15
"""A debt that no caller reaches: 31 years."""
_logger: Final = getLogger(__name__)


class Standing(NamedTuple):
    """The standing of a caller: the seconds to wait, 0 if it is admitted, and the headers that say what is left."""

    wait: int
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
        self._clock = clock
        self._share = round(window * _SECOND / quota)
        self._at_most = self._share * quota
        self._policy = (b"ratelimit-policy", b'"default";q=%d;w=%d' % (quota, window))
        self._away = False
        self._ask_at = 0.0

    async def admit(self, caller: str) -> Standing | None:
        """Charge a caller for one request, unless its quota is used up. Return None if the store does not answer."""
        standing = await self._charge(caller, self._share, self._at_most)
        if standing is None:
            RATES_SKIPPED.count()
        return standing

    async def charge_more(self, caller: str, requests: int) -> Standing | None:
        """Charge an admitted caller for more requests; beyond its quota, it has to wait the longer.

        Return None if the store does not answer.
        """
        return await self._charge(caller, self._share * requests, _UNLIMITED)

    async def _charge(self, caller: str, cost: int, at_most: int) -> Standing | None:
        now = self._clock()
        if self._away:
            if now < self._ask_at:
                return None
            self._ask_at = now + PAUSE  # only this request tries; the others do not wait for it
        try:
            admitted, owed = await self._store.charge(f"rate/{caller}", cost, at_most)
        except (StoreDown, StoreFull) as exc:
            if not self._away:
                _logger.warning("rates are not limited: the store does not count requests: %r", exc)
            self._away, self._ask_at = True, self._clock() + PAUSE
            return None
        if self._away:
            self._away = False
            _logger.warning("rates are limited again")
        wait = 0 if admitted else _seconds(owed + self._share - self._at_most)
        return Standing(wait, self._headers(wait, owed))

    def _headers(self, wait: int, owed: int) -> Headers:
        """Write the quota, what is left of it, and for a caller that is not admitted, the seconds to wait."""
        left = max(0, self._at_most - owed) // self._share
        standing = (self._policy, (b"ratelimit", b'"default";r=%d;t=%d' % (left, _seconds(owed))))
        return (*standing, (b"retry-after", b"%d" % wait)) if wait else standing


def _seconds(time: int) -> int:
    """Round up to whole seconds."""
    return -(-time // _SECOND)
