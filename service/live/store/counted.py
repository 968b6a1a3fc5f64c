"""A store of live games that counts and times its calls."""

import math
from collections.abc import Awaitable, Callable
from functools import partial
from inspect import iscoroutinefunction
from time import perf_counter
from typing import Any, Final, Literal, TypeAlias, cast, get_args

from service.live.store.protocol import ShareUsed, Store, StoreDown, StoreFull, StoreStats
from service.platform.metrics.families import (
    GAMES_CREATED,
    GAMES_DELETED,
    GAMES_EXPIRED,
    STORE_CALLS,
    STORE_DISK_FAILS,
    STORE_EVICTS,
    STORE_MISSING,
    STORE_SECONDS,
    STORE_UNAWAITED,
    STORE_USED,
)
from service.schemas.ids import NOBODY, Caller, GameId

CALLS: Final = [name for name, call in vars(Store).items() if iscoroutinefunction(call) and name != "close"]
"""Every call that waits for the store."""
FEED_CALLS: Final = {"expire", "load_ended", "forget_ended", "list_open", "announce", "load_feed", "take_sweep"}
"""The calls for the games of apps."""
Outcome: TypeAlias = Literal["ok", "down", "full", "share"]
OUTCOMES: Final[tuple[Outcome, ...]] = get_args(Outcome)
_OF_FAILURE: Final[dict[type[Exception], Outcome]] = {StoreFull: "full", ShareUsed: "share"}
_GAUGES: Final = (STORE_USED, STORE_EVICTS, STORE_UNAWAITED, STORE_MISSING, STORE_DISK_FAILS)
"""In the order of the fields of the stats, after the first."""
LABELS: Final = {call: call for call in CALLS} | dict.fromkeys(FEED_CALLS, "feed") | {"find_absence": "mark"}
"""The label of each call. Calls for the games of apps share one, and so does presence: a label is thirteen series."""
_COUNTERS: Final = {
    call: {outcome: STORE_CALLS.labels(label, outcome) for outcome in OUTCOMES} for call, label in LABELS.items()
}
_SECONDS: Final = {call: STORE_SECONDS.labels(label) for call, label in LABELS.items()}


def count_calls(store: Store) -> Store:
    """Return a store that passes its calls on to another one, and counts and times them."""
    return cast("Store", _CountedStore(store))


class _CountedStore:
    """A store that passes its calls on by name, and counts games by their answers."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._expired = 0
        _show(StoreStats())

    def __getattr__(self, name: str) -> Any:
        """Return a call of the other store, looked up once, and counted if it waits for the store."""
        call = getattr(self._store, name)
        vars(self)[name] = counted = partial(_count, name, call) if name in _SECONDS else call
        return counted

    async def create(self, game: GameId, entry: bytes, ttl: int, owner: Caller = NOBODY) -> tuple[bytes, bool] | None:
        """Begin the log of a game, and count the game if it is new."""
        kept: tuple[bytes, bool] | None = await _count("create", self._store.create, game, entry, ttl, owner)
        GAMES_CREATED.inc(kept is not None and kept[1])
        return kept

    async def drop(self, game: GameId, keep: int = 0) -> None:
        """Delete a game, and count it."""
        await _count("drop", self._store.drop, game, keep)
        GAMES_DELETED.inc()

    async def stats(self) -> StoreStats:
        """Return how full the store is, and set the metrics of it."""
        try:
            stats: StoreStats = await _count("stats", self._store.stats)
        except StoreDown:
            _show(StoreStats())
            raise
        _show(stats)
        GAMES_EXPIRED.inc(stats.expired - self._expired)
        self._expired = stats.expired
        return stats


async def _count(name: str, call: Callable[..., Awaitable[Any]], *args: object, **fields: object) -> Any:
    """Make a call, and count and time it, unless it is canceled."""
    start = perf_counter()
    try:
        answer = await call(*args, **fields)
    except (StoreDown, StoreFull) as exc:
        _end(name, _OF_FAILURE.get(type(exc), "down"), start)
        raise
    _end(name, "ok", start)
    return answer


def _end(name: str, outcome: Outcome, start: float) -> None:
    _COUNTERS[name][outcome].inc()
    _SECONDS[name].observe(perf_counter() - start)


def _show(stats: StoreStats) -> None:
    for gauge, value in zip(_GAUGES, stats[1:], strict=True):
        gauge.set(math.nan if value is None else value)
