"""A store of live games that counts and times its calls."""

import math
from collections.abc import Awaitable
from time import perf_counter
from typing import Final, Literal, TypeAlias, TypeVar, get_args

from service.metrics.families import (
    GAMES_CREATED,
    GAMES_DELETED,
    GAMES_EXPIRED,
    STORE_CALLS,
    STORE_EVICTS,
    STORE_SECONDS,
    STORE_USED,
)
from service.store.protocol import ShareUsed, Store, StoreDown, StoreFull, StoreStats
from service.store.watchers import Marks, Watcher

Answer = TypeVar("Answer")
Name: TypeAlias = Literal[
    "create",
    "load",
    "is_gone",
    "append",
    "drop",
    "remember",
    "charge",
    "read_clock",
    "mark",
    "list_marks",
    "ping",
    "stats",
]
OUTCOMES: Final = ("ok", "down", "full", "share")


class _Series:
    """The series of a kind of call."""

    def __init__(self, call: Name) -> None:
        self.ok, self.down, self.full, self.share = (STORE_CALLS.labels(call, outcome) for outcome in OUTCOMES)
        self.seconds = STORE_SECONDS.labels(call)


CALLS: Final[tuple[Name, ...]] = get_args(Name)
_SERIES: Final = {call: _Series(call) for call in CALLS}


async def _count_call(call: Name, work: Awaitable[Answer]) -> Answer:
    """Wait for a call, and count and time it; a call that was cancelled is not counted."""
    series, start = _SERIES[call], perf_counter()
    try:
        answer = await work
    except StoreDown:
        series.down.inc()
        series.seconds.observe(perf_counter() - start)
        raise
    except StoreFull as exc:
        (series.share if isinstance(exc, ShareUsed) else series.full).inc()
        series.seconds.observe(perf_counter() - start)
        raise
    series.ok.inc()
    series.seconds.observe(perf_counter() - start)
    return answer


def _show(stats: StoreStats) -> None:
    STORE_USED.set(math.nan if stats.used is None else stats.used)
    STORE_EVICTS.set(math.nan if stats.evicts is None else stats.evicts)


class CountedStore:
    """A store that passes its calls on to another one, and counts and times them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._expired = 0
        _show(StoreStats())

    async def create(self, game: str, entry: bytes, ttl: int, owner: str = "") -> bytes | None:
        """Begin the log of a game, and count the game if it is new."""
        kept = await _count_call("create", self._store.create(game, entry, ttl, owner))
        GAMES_CREATED.inc(kept is entry)
        return kept

    async def load(self, game: str, start: int = 0, last_entry: bytes = b"") -> list[bytes]:
        """Return the entries from the one at `start` on."""
        return await _count_call("load", self._store.load(game, start, last_entry))

    async def is_gone(self, game: str) -> bool:
        """Return True if a game was there and is gone."""
        return await _count_call("is_gone", self._store.is_gone(game))

    async def append(self, game: str, version: int, entry: bytes, ttl: int, after: bytes, owner: str = "") -> bool:
        """Append an entry to a log of that length."""
        return await _count_call("append", self._store.append(game, version, entry, ttl, after, owner))

    async def drop(self, game: str) -> None:
        """Delete a game, and count it."""
        await _count_call("drop", self._store.drop(game))
        GAMES_DELETED.inc()

    async def remember(self, key: str, value: bytes, ttl: int, owner: str = "") -> bytes:
        """Keep a value under a key that has none."""
        return await _count_call("remember", self._store.remember(key, value, ttl, owner))

    async def charge(self, name: str, cost: int, at_most: int) -> tuple[bool, int]:
        """Charge a caller, unless its debt would be too high."""
        return await _count_call("charge", self._store.charge(name, cost, at_most))

    async def read_clock(self, game: str) -> int:
        """Return the time by the clock of the server that keeps a game."""
        return await _count_call("read_clock", self._store.read_clock(game))

    async def mark(self, game: str, name: str, seconds: float, *, stays: bool = True) -> None:
        """Keep a mark beside a game, or remove it."""
        await _count_call("mark", self._store.mark(game, name, seconds, stays=stays))

    async def list_marks(self, game: str) -> Marks:
        """List the marks beside a game."""
        return await _count_call("list_marks", self._store.list_marks(game))

    def watch(self, game: str, watcher: Watcher) -> None:
        """Notify a watcher of every change to a game from now on."""
        self._store.watch(game, watcher)

    def unwatch(self, game: str, watcher: Watcher) -> None:
        """Stop notifying a watcher."""
        self._store.unwatch(game, watcher)

    async def ping(self) -> None:
        """Check that the store can be reached."""
        await _count_call("ping", self._store.ping())

    async def stats(self) -> StoreStats:
        """Return how full the store is, and set the metrics of it."""
        try:
            stats = await _count_call("stats", self._store.stats())
        except StoreDown:
            _show(StoreStats())
            raise
        _show(stats)
        GAMES_EXPIRED.inc(stats.expired - self._expired)
        self._expired = stats.expired
        return stats

    async def close(self) -> None:
        """Disconnect."""
        await self._store.close()
