"""How much one caller may ask: a quota for each stretch of time, counted in the store, so that all processes share it.

Each request adds its share of the window to what its caller owes, time pays it back, and nobody may owe more than one
window: so a quota may be spent at once, and flows back evenly. The algorithm is known as GCRA.
"""

import re
from collections.abc import Callable
from logging import getLogger
from time import monotonic
from typing import Final, NamedTuple

from service.http.context import Headers
from service.store.protocol import Store, StoreDown, StoreFull

PAUSE: Final = 5.0
"""Seconds for which a store that gave no answer is not asked again."""
_WINDOWS: Final = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}
_RATE: Final = re.compile(r"([1-9][0-9]{0,5})/(second|minute|hour|day)")
_SECOND: Final = 1_000_000
"""Of the units in which the store counts, microseconds."""
_WHATEVER: Final = 10**15
"""More than anybody can owe: 31 years."""
_logger: Final = getLogger(__name__)


class Standing(NamedTuple):
    """Where a caller stands: whether it is let in, and the headers that say what is left to it."""

    admitted: bool
    headers: Headers


class RateLimit:
    """A quota for every caller.

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
        """Charge a caller for one request, unless its quota is spent; None where the store cannot tell."""
        return await self._charge(caller, self._share, self._at_most)

    async def charge_more(self, caller: str, requests: int) -> Standing | None:
        """Charge a caller that was let in for more; what goes beyond its quota keeps it waiting the longer."""
        return await self._charge(caller, self._share * requests, _WHATEVER)

    async def _charge(self, caller: str, cost: int, at_most: int) -> Standing | None:
        now = self._clock()
        if self._away:
            if now < self._ask_at:
                return None
            self._ask_at = now + PAUSE  # one request tries; the others need not wait for it
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
        return Standing(admitted, self._headers(admitted=admitted, owed=owed))

    def _headers(self, *, admitted: bool, owed: int) -> Headers:
        """Write what is left, the seconds until all is left again, and to one that must wait, how long."""
        left = max(0, self._at_most - owed) // self._share
        told = (self._policy, (b"ratelimit", b'"default";r=%d;t=%d' % (left, _seconds(owed))))
        if admitted:
            return told
        return (*told, (b"retry-after", b"%d" % _seconds(owed + self._share - self._at_most)))


def _seconds(time: int) -> int:
    """Round up to whole seconds."""
    return -(-time // _SECOND)
