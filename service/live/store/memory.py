"""Live games inside the process: bounded in number and in bytes, with an expiry each."""

from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from itertools import accumulate, islice, takewhile
from time import monotonic, time_ns
from typing import Final

from cachetools import TLRUCache, TTLCache

from service.live.store.protocol import (
    GONE_SECONDS,
    MAX_FEED_BYTES,
    MAX_FEED_SHARE,
    FeedPage,
    IndexedGame,
    Loaded,
    ShareUsed,
    StoreFull,
    StoreStats,
)
from service.live.store.watchers import PresenceLeases, Watchers, holder_of
from service.platform.limits import LIVE_GAMES
from service.schemas.ids import NOBODY, Caller, GameId, is_app
from service.schemas.revision import revision_of

_LOG_BYTES: Final = 512
"""Overhead in bytes of a log, and of each entry; measured and rounded up."""
_ENTRY_BYTES: Final = 64
_ENDED: Final = ":ended"
"""The suffix of a game's id in the key of its log kept aside."""
MAX_GONE: Final = 10_000
"""Ended games that are remembered; beyond that the first is forgotten. Some 300 bytes each."""
MAX_DEBTORS: Final = 100_000
"""Names with a debt; beyond that the least recently charged is forgiven. Some 200 bytes each."""


def _size(entry: bytes) -> int:
    return len(entry) + _ENTRY_BYTES


class _Log:
    """A log, or a remembered value as a log of one entry."""

    __slots__ = ("entries", "expires", "is_game", "left", "owner", "size")

    def __init__(self, entry: bytes, expires: float, owner: Caller, *, is_game: bool = False) -> None:
        self.is_game = is_game
        self.owner = owner
        self.left: dict[str, float] = {}
        self.entries = [entry]
        self.size = _LOG_BYTES + _size(entry)
        self.expires = expires


class _Logs(TLRUCache[str, _Log]):
    """All logs, the ended games, how many of them expired, and the share of each owner."""

    expired = 0
    gone: TTLCache[str, None]
    owned: Counter[Caller]
    owned_bytes: Counter[Caller]

    def add_to(self, owner: Caller, logs: int, size: int) -> None:
        """Add to the logs and bytes of an owner."""
        self.owned[owner] += logs
        self.owned_bytes[owner] += size
        if not self.owned[owner]:
            del self.owned[owner], self.owned_bytes[owner]

    def expire(self, time: float | None = None) -> list[tuple[str, _Log]]:
        """Remove the expired logs, as the cache itself does before an insertion."""
        expired = super().expire(time)
        self.expired += sum(log.is_game for _, log in expired)
        for name, log in expired:
            self.note_end(name, log)
        return expired

    def note_end(self, name: str, log: _Log) -> None:
        """Give an owner back the share of a removed log, and note that its game is gone."""
        self.add_to(log.owner, -1, -log.size)
        if log.is_game:
            self.gone[name] = None


class _Feed:
    """The open games of an app, and the entries of its feed with their expiry."""

    def __init__(self) -> None:
        self.open: dict[GameId, int] = {}
        self.entries = deque[tuple[float, bytes]]()
        self.first = self.size = self.last = 0
        self.swept_until = 0.0

    def drop_first(self) -> None:
        """Drop the oldest entry."""
        self.size -= _size(self.entries.popleft()[1])
        self.first += 1


class MemoryStore(Watchers):
    """A store inside one process.

    Unit: `max_games` counts games and remembered values together, `max_bytes` the memory that they take; `clock`
    returns seconds.
    """

    def __init__(
        self, max_games: int, max_bytes: int, clock: Callable[[], float] = monotonic, max_debtors: int = MAX_DEBTORS
    ) -> None:
        super().__init__()
        self._max_games = max_games
        self._clock = clock
        self._max_debtors = max_debtors
        # The theoretical arrival time (GCRA) of each name, in microseconds; the latest consumer comes last.
        self._theoretical_arrival = OrderedDict[str, int]()
        self._leases: dict[GameId, PresenceLeases] = {}
        self._feeds = defaultdict[Caller, _Feed](_Feed)
        self._logs = _Logs(max_bytes, ttu=lambda _, log, __: log.expires, timer=clock, getsizeof=lambda log: log.size)
        self._logs.owned, self._logs.owned_bytes = Counter(), Counter()
        self._logs.gone = TTLCache(MAX_GONE, GONE_SECONDS, clock)

    async def create(self, game: GameId, entry: bytes, ttl: int, owner: Caller = NOBODY) -> tuple[bytes, bool] | None:
        """Begin a log, unless one exists or existed recently."""
        found = self._logs.get(game)
        if found is not None:
            return found.entries[0], False
        if await self.is_gone(game):
            return None
        log = _Log(entry, self._clock() + ttl, owner, is_game=True)
        self._require_room(owner, 1, log.size)
        self._put(game, log)
        if is_app(owner):
            feed = self._feeds[owner]
            feed.last = feed.open[game] = max(await self.read_clock(game), feed.last + 1)
        return entry, True

    async def load(self, game: GameId, start: int = 0, last_entry: bytes = b"", stop: int | None = None) -> Loaded:  # noqa: ARG002 – this store loses nothing
        """Return the entries from the one at `start` on, up to the one at `stop`, and the presence leases."""
        log = self._logs.get(game)
        return Loaded([] if log is None else log.entries[start:stop], self._leases.get(game, ()))

    async def is_gone(self, game: GameId) -> bool:
        """Return True if a game ended recently."""
        self._logs.expire()
        return game in self._logs.gone

    async def is_deleted(self, game: GameId) -> bool:
        """Return True if a game was dropped recently, before its time."""
        return await self.is_gone(game)

    async def append(
        self,
        game: GameId,
        version: int,
        entry: bytes,
        ttl: int,
        after: bytes,
        owner: Caller = NOBODY,  # noqa: ARG002 – the log has its owner
    ) -> bool:
        """Append an entry to a log of that length, charged to the owner of the log."""
        with self._logs.timer:  # frozen meanwhile, so nothing expires in between
            log = self._logs.get(game)
            if log is None or len(log.entries) != version or log.entries[-1] != after:
                return False
            self._require_room(log.owner, 0, _size(entry))
            self._logs.add_to(log.owner, 0, _size(entry))
            log.entries.append(entry)
            log.size += _size(entry)
            log.expires = self._clock() + ttl
            # Remove and insert again, so the cache counts its new size and expiry.
            del self._logs[game]
            self._logs[game] = log
        self.notify(game, revision_of(version + 1, entry))
        return True

    async def drop(self, game: GameId, keep: int = 0) -> None:
        """Delete a game, and notify its watchers."""
        await self._drop(game, keep, b"deleted")

    async def expire(self, game: GameId, last_entry: bytes, keep: int) -> bool:
        """Drop a game whose time is over, unless something extended it."""
        log = self._logs.get(game)
        if log is None or log.entries[-1] != last_entry or log.expires > self._clock() + keep:
            return False
        await self._drop(game, keep, b"expired")
        self._logs.expired += 1
        return True

    async def _drop(self, game: GameId, keep: int, how: bytes) -> None:
        log = self._logs.pop(game, None)
        if log is not None:
            self._logs.note_end(game, log)
            if keep:
                log.is_game, log.expires = False, self._clock() + keep
                log.entries.append(b"%b %d" % (how, await self.read_clock(game)))
                self._put(f"{game}{_ENDED}", log)
        self.notify_resync(game)

    async def load_ended(self, game: GameId) -> list[bytes] | None:
        """Return the log kept aside for an ended game."""
        log = self._logs.get(f"{game}{_ENDED}")
        if log is not None:
            return log.entries
        return [] if await self.is_gone(game) else None

    async def forget_ended(self, game: GameId) -> None:
        """Delete the log kept aside."""
        log = self._logs.pop(f"{game}{_ENDED}", None)
        if log is not None:
            self._logs.note_end(game, log)

    async def list_open(self, app: Caller, after: int, limit: int) -> list[IndexedGame]:
        """List the games in the index of an app."""
        behind = (IndexedGame(game, at) for game, at in self._feeds[app].open.items() if at > after)
        return [*islice(behind, limit)]

    async def announce(self, app: Caller, game: GameId, entry: bytes, ttl: int) -> int | None:
        """Move a game from an app's index to its feed, and drop entries that are too old or too many."""
        feed, now, dropped = self._feeds[app], self._clock(), 0
        if feed.open.pop(game, None) is None:
            return None
        if entry:
            feed.entries.append((now + ttl, entry))
            feed.size += _size(entry)
        at_most = self._logs.maxsize // max(MAX_FEED_SHARE, 2 * len(self._feeds))  # feeds share half of it
        while len(feed.entries) > 1 and ((is_old := feed.entries[0][0] <= now) or feed.size > at_most):
            feed.drop_first()
            dropped += not is_old
        self.notify_resync(GameId(app))
        return dropped

    async def load_feed(self, app: Caller, start: int, limit: int) -> FeedPage:
        """Return the entries of a feed from a position on."""
        feed = self._feeds[app]
        end, at = feed.first + len(feed.entries), max(start, feed.first)
        at = feed.first if at > end else at
        entries = [entry for _, entry in islice(feed.entries, at - feed.first, at - feed.first + limit)]
        sizes = accumulate(map(len, entries))
        fitting = sum(1 for _ in takewhile(lambda size: size <= MAX_FEED_BYTES, sizes))
        return FeedPage(feed.first, end, at, entries[: max(fitting, 2)])

    async def take_sweep(self, app: Caller, seconds: int) -> bool:
        """Take the sweep of the index of an app."""
        feed, now = self._feeds[app], self._clock()
        if feed.swept_until > now:
            return False
        feed.swept_until = now + seconds
        return True

    async def remember(self, key: str, value: bytes, ttl: int, owner: Caller = NOBODY) -> bytes:
        """Store a value under a key, unless it has one."""
        log = self._logs.get(key)
        if log is None:
            log = _Log(value, self._clock() + ttl, owner)
            self._require_room(owner, 1, log.size)
            self._put(key, log)
        return log.entries[0]

    async def consume(self, name: str, cost: int, at_most: int) -> tuple[bool, int]:
        """Charge a name, unless that would exceed its limit."""
        now = int(self._clock() * 1_000_000)
        used = max(self._theoretical_arrival.get(name, 0) - now, 0)
        if used + cost > at_most:
            return False, used
        self._theoretical_arrival[name] = now + used + cost
        self._theoretical_arrival.move_to_end(name)
        if len(self._theoretical_arrival) > self._max_debtors:
            self._theoretical_arrival.popitem(last=False)
        return True, used + cost

    async def read_clock(self, game: GameId) -> int:  # noqa: ARG002 – all games share one clock
        """Return the time by the clock of this process."""
        return time_ns() // 1_000_000

    async def mark(self, game: GameId, name: str, seconds: float, *, stays: bool = True, ttl: float = 0) -> None:  # noqa: ARG002 – a lease ends with the process
        """Store or remove a presence lease beside a game, and extend the game's expiry."""
        log, expires = self._logs.get(game), self._clock() + ttl
        if log is not None and log.expires < expires:
            log.expires = expires
            self._logs[game] = log
        before = self._leases.pop(game, ())
        after = (*[lease for lease in before if lease != name], *((name,) if stays else ()))
        if after:
            self._leases[game] = after
        if log is not None and not stays:
            log.left[holder_of(name)] = self._clock()
        if len(after) != len(before):
            self.notify_presence(game, after)

    async def find_absence(self, game: GameId, holder: str) -> float | None:
        """Return how long a holder has had no lease. Return None if it never had one."""
        if holder in map(holder_of, self._leases.get(game, ())):
            return 0.0
        log = self._logs.get(game)
        left_at = None if log is None else log.left.get(holder)
        return None if left_at is None else self._clock() - left_at

    async def ping(self) -> None:
        """Do nothing: it cannot be down."""

    async def stats(self) -> StoreStats:
        """Return how full the store is, after removing expired games."""
        self._logs.expire()
        used = max(len(self._logs) / self._max_games, self._logs.currsize / self._logs.maxsize)
        return StoreStats(self._logs.expired, used, evicts=False, unawaited=0)

    async def close(self) -> None:
        """Do nothing: there is no connection."""

    def _put(self, key: str, log: _Log) -> None:
        self._logs[key] = log
        self._logs.add_to(log.owner, 1, log.size)

    def _require_room(self, owner: Caller, logs: int, size: int) -> None:
        """Refuse a log that does not fit: the cache would evict another game for it.

        Errors: StoreFull, also if the owner has its most logs, or would have more than half of the bytes.
        """
        self._logs.expire()
        used, owned = len(self._logs), self._logs.owned[owner]
        if used + logs > self._max_games or self._logs.currsize + size > self._logs.maxsize:
            raise StoreFull
        if owner and (
            (logs and not LIVE_GAMES.may_take(logs, owned, used, self._max_games))
            or self._logs.owned_bytes[owner] + size > self._logs.maxsize // 2
        ):
            raise ShareUsed
