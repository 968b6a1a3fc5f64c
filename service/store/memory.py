"""Live games inside the process: bounded in number and in bytes, each expiring by itself."""

from collections import OrderedDict
from collections.abc import Callable
from time import monotonic
from typing import Final

from cachetools import TLRUCache

from service.store.protocol import Census, StoreFull, Watchers

_OF_KEPT: Final = 512
"""What a log costs besides its entries, and each entry besides its bytes, measured and rounded up, in bytes."""
_OF_ENTRY: Final = 64
DEBTORS_AT_MOST: Final = 100_000
"""Names that owe something; beyond that the one that was charged longest ago is let off. Some 200 bytes each."""


def _size(entry: bytes) -> int:
    return len(entry) + _OF_ENTRY


class _Kept:
    """A log, or a remembered value as a log of one entry."""

    __slots__ = ("entries", "is_game", "size", "ttl")

    def __init__(self, entry: bytes, ttl: int, *, is_game: bool = False) -> None:
        self.is_game = is_game
        self.entries = [entry]
        self.size = _OF_KEPT + _size(entry)
        self.ttl = ttl


class _Shelf(TLRUCache[str, _Kept]):
    """All that is kept, and how many games have expired."""

    expired = 0

    def expire(self, time: float | None = None) -> list[tuple[str, _Kept]]:
        """Take off what has expired; the cache itself does so before it takes anything in."""
        gone = super().expire(time)
        self.expired += sum(kept.is_game for _, kept in gone)
        return gone


class MemoryStore(Watchers):
    """A store inside the process, for one process.

    Unit: `games_at_most` counts games and remembered values together, `bytes_at_most` the memory that they take;
    `clock` tells seconds.
    """

    def __init__(self, games_at_most: int, bytes_at_most: int, clock: Callable[[], float] = monotonic) -> None:
        super().__init__()
        self._games_at_most = games_at_most
        self._clock = clock
        # When each name will owe nothing any more, in microseconds; the one charged last comes last.
        self._free = OrderedDict[str, int]()
        self._games = 0  # made and not dropped
        self._kept = _Shelf(
            bytes_at_most, ttu=lambda _, kept, now: now + kept.ttl, timer=clock, getsizeof=lambda kept: kept.size
        )

    async def create(self, game: str, entry: bytes, ttl: int, once: int = 0) -> bytes | None:
        """Begin a log, unless there is one, or was one not long ago."""
        made, mark = f"{game}:made", _Kept(b"", once)
        kept = self._kept.get(game)
        if kept is not None:
            return kept.entries[0]
        if made in self._kept:
            return None
        log = _Kept(entry, ttl, is_game=True)
        self._check_room(log.size + (mark.size if once else 0), 2 if once else 1)
        self._kept[game] = log
        self._games += 1
        if once:
            self._kept[made] = mark
        return entry

    async def load(self, game: str, start: int = 0, known: bytes = b"") -> list[bytes]:  # noqa: ARG002 – nothing is ever lost here
        """Return the entries from the one at `start` on."""
        kept = self._kept.get(game)
        return [] if kept is None else kept.entries[start:]

    async def append(self, game: str, version: int, entry: bytes, ttl: int, after: bytes) -> bool:
        """Append an entry to a log of that length."""
        with self._kept.timer:  # which stands still meanwhile, so that nothing expires in between
            kept = self._kept.get(game)
            if kept is None or len(kept.entries) != version or kept.entries[-1] != after:
                return False
            self._check_room(_size(entry), 0)
            kept.entries.append(entry)
            kept.size += _size(entry)
            kept.ttl = ttl
            # Taken out and put back, so that its new size and its new expiry are counted.
            del self._kept[game]
            self._kept[game] = kept
        self.tell(game, version + 1)
        return True

    async def drop(self, game: str) -> None:
        """Forget a game, and let those that watch it see so."""
        if self._kept.pop(game, None) is not None:
            self._games -= 1
        self.tell_to_look(game)

    async def remember(self, key: str, value: bytes, ttl: int) -> bytes:
        """Keep a value under a key that has none."""
        kept = self._kept.get(key)
        if kept is None:
            kept = _Kept(value, ttl)
            self._check_room(kept.size, 1)
            self._kept[key] = kept
        return kept.entries[0]

    async def charge(self, name: str, cost: int, at_most: int) -> tuple[bool, int]:
        """Let a name owe more, unless that came to too much."""
        now = int(self._clock() * 1_000_000)
        owed = max(self._free.get(name, 0) - now, 0)
        if owed + cost > at_most:
            return False, owed
        self._free[name] = now + owed + cost
        self._free.move_to_end(name)
        if len(self._free) > DEBTORS_AT_MOST:
            self._free.popitem(last=False)
        return True, owed + cost

    async def ping(self) -> None:
        """Nothing can be out of reach."""

    async def census(self) -> Census:
        """Tell how many games there are, once those that have expired are gone."""
        self._kept.expire()
        return Census(self._games - self._kept.expired, self._kept.expired)

    async def open(self) -> None:
        """Nothing to connect to."""

    async def close(self) -> None:
        """Nothing to let go of."""

    def _check_room(self, size: int, more: int) -> None:
        """Refuse what does not fit beside all that has not expired; the cache would forget another game instead."""
        if len(self._kept) + more > self._games_at_most or self._kept.currsize + size > self._kept.maxsize:
            raise StoreFull
