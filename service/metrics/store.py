"""A store of live games that counts and times its calls."""

import math
from collections.abc import Awaitable
from time import perf_counter
from typing import Final, Literal, TypeAlias, TypeVar, get_args

from service.metrics.families import (
    GAMES_CREATED,
    GAMES_DELETED,
    GAMES_EXPIRED,
    GAMES_OPEN,
    STORE_CALLS,
    STORE_EVICTS,
    STORE_SECONDS,
    STORE_USED,
)
from service.store.protocol import Census, Room, Store, StoreDown, StoreFull
from service.store.watchers import Watcher

Answer = TypeVar("Answer")
Name: TypeAlias = Literal["create", "load", "append", "drop", "remember", "charge", "ping", "census"]
OUTCOMES: Final = ("ok", "down", "full")


class _Series:
    """The series of a kind of call."""

    def __init__(self, call: Name) -> None:
        self.ok, self.down, self.full = (STORE_CALLS.labels(call, outcome) for outcome in OUTCOMES)
        self.seconds = STORE_SECONDS.labels(call)


CALLS: Final[tuple[Name, ...]] = get_args(Name)
_SERIES: Final = {call: _Series(call) for call in CALLS}


async def _count_call(call: Name, work: Awaitable[Answer]) -> Answer:
    """Wait for a call, and count and time it; a call that was cancelled is not counted."""
    series, start = _SERIES[call], perf_counter()
    try:
        answer = await work
    except StoreDown:
        series.down.count()
        series.seconds.note(perf_counter() - start)
        raise
    except StoreFull:
        series.full.count()
        series.seconds.note(perf_counter() - start)
        raise
    series.ok.count()
    series.seconds.note(perf_counter() - start)
    return answer


def _show_store(games: int | None, room: Room | None) -> None:
    GAMES_OPEN.set(math.nan if games is None else games)
    STORE_USED.set(math.nan if room is None else room.used)
    STORE_EVICTS.set(math.nan if room is None else room.evicts)


class CountedStore:
    """A store that passes its calls on to another one, and counts and times them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._expired = 0
        _show_store(None, None)

    async def create(self, game: str, entry: bytes, ttl: int, once: int = 0, owner: str = "") -> bytes | None:
        """Begin the log of a game, and count the game if it is new."""
        kept = await _count_call("create", self._store.create(game, entry, ttl, once, owner))
        GAMES_CREATED.count(kept is entry)
        return kept

    async def load(self, game: str, start: int = 0, known: bytes = b"") -> list[bytes]:
        """Return the entries from the one at `start` on."""
        return await _count_call("load", self._store.load(game, start, known))

    async def append(self, game: str, version: int, entry: bytes, ttl: int, after: bytes) -> bool:
        """Append an entry to a log of that length."""
        return await _count_call("append", self._store.append(game, version, entry, ttl, after))

    async def drop(self, game: str) -> None:
        """Delete a game, and count it."""
        await _count_call("drop", self._store.drop(game))
        GAMES_DELETED.count()

    async def remember(self, key: str, value: bytes, ttl: int, owner: str = "") -> bytes:
        """Keep a value under a key that has none."""
        return await _count_call("remember", self._store.remember(key, value, ttl, owner))

    async def charge(self, name: str, cost: int, at_most: int) -> tuple[bool, int]:
        """Charge a caller, unless its debt would be too high."""
        return await _count_call("charge", self._store.charge(name, cost, at_most))

    def watch(self, game: str, watcher: Watcher) -> None:
        """Notify a watcher of every change to a game from now on."""
        self._store.watch(game, watcher)

    def unwatch(self, game: str, watcher: Watcher) -> None:
        """Stop notifying a watcher."""
        self._store.unwatch(game, watcher)

    async def ping(self) -> None:
        """Check that the store can be reached."""
        await _count_call("ping", self._store.ping())

    async def census(self) -> Census:
        """Return the number of games and the room that is left, and set the metrics of them."""
        try:
            census = await _count_call("census", self._store.census())
        except StoreDown:
            _show_store(None, None)
            raise
        _show_store(census.open, census.room)
        GAMES_EXPIRED.count(census.expired - self._expired)
        self._expired = census.expired
        return census

    async def open(self) -> None:
        """Connect as far as needed."""
        await self._store.open()

    async def close(self) -> None:
        """Disconnect."""
        await self._store.close()
