"""The protocol of a store of live games: it keeps logs of bytes and knows no rules.

The version of a game is the length of its log. A change appends one entry if the log is still as the caller saw it, and
extends its expiry, atomically. A game follows from its entries alone.
"""

from typing import Final, NamedTuple, Protocol

from service.live.store.watchers import PresenceLeases, Watcher
from service.schemas.ids import NOBODY, Caller, GameId

MAX_FEED_SHARE: Final = 16
"""The largest share of the store, or of one of its servers, for the feed of one app: a sixteenth."""
MAX_FEED_BYTES: Final = 256 * 1024
"""Bytes of stored feed entries per read; at least two entries are read, however long."""
INDEX_SECONDS: Final = 60 * 24 * 3600
"""Seconds after its last use until an app's index of open games expires: twice the longest life of a game."""
GONE_SECONDS: Final = 24 * 3600
"""Seconds for which at least the existence of an ended game is remembered."""


class StoreDown(Exception):
    """The store cannot be reached, or did not answer in time; a change may or may not have been made."""


class StoreMisconfigured(StoreDown):
    """The store is not as the settings describe, and waiting does not help; the text says what differs."""


class StoreFull(Exception):
    """The store is full; nothing was changed."""


class ShareUsed(StoreFull):
    """The owner has used its share of the store; nothing was changed."""


class StoreStats(NamedTuple):
    """How full a store is, and how many games have expired; None if unknown."""

    expired: int = 0
    """Games that have expired."""
    used: float | None = None
    """How full the store is, from 0 to 1."""
    evicts: bool | None = None
    """True if it evicts games to make room."""
    unawaited: int | None = None
    """Connected replicas beyond those that a change waits for; 0 if it waits for none."""
    missing: int | None = None
    """Replicas that a primary lacks."""
    disk_fails: bool | None = None
    """True if its last write to disk failed."""


class Loaded(NamedTuple):
    """Loaded entries of a game's log, and the presence leases beside it."""

    entries: list[bytes]
    presence_leases: PresenceLeases = ()


class IndexedGame(NamedTuple):
    """A game in the index of an app, not known to be over."""

    game: GameId
    """The id of the game."""
    at: int
    """When it entered the index, in milliseconds since 1970; unique for the app."""


class FeedPage(NamedTuple):
    """A part of the feed of an app, as stored."""

    first: int
    """The position of the first kept entry: the number of entries dropped before it."""
    end: int
    """The position after the last entry."""
    start: int
    """The position of the first of `entries`."""
    entries: list[bytes]
    """The entries, in order."""


class Store(Protocol):
    """Where live games are kept.

    Unit: `ttl` in seconds.
    Errors: each call raises StoreDown within a bounded time; those that write raise StoreFull.
    """

    async def create(self, game: GameId, entry: bytes, ttl: int, owner: Caller = NOBODY) -> tuple[bytes, bool] | None:
        """Begin a log with its first entry; return its first entry, and True if the log is new.

        One `owner` may use about half of the room, unless it is empty; the rest is for others. A game of an app enters
        the index of open games before it exists. Return None if the game is known to be gone.
        """
        ...

    async def load(self, game: GameId, start: int = 0, last_entry: bytes = b"", stop: int | None = None) -> Loaded:
        """Return the entries from `start` on, and the presence leases.

        There are none if the game is gone or has no more. Entries from `stop` on are left out. The entries are on as
        many replicas as the operator asks for. `last_entry`, which this process loaded or appended before, is not
        checked again.
        """
        ...

    async def is_gone(self, game: GameId) -> bool:
        """Return True if the game is known to have been dropped or to have expired."""
        ...

    async def is_deleted(self, game: GameId) -> bool:
        """Return True if the game is known to have been dropped before its time."""
        ...

    async def append(
        self, game: GameId, version: int, entry: bytes, ttl: int, after: bytes, owner: Caller = NOBODY
    ) -> bool:
        """Append an entry to a log of `version` entries whose last is `after`, and extend its expiry.

        Return False if the log is gone, or has another length or another last entry: after lost changes, other changes
        may have brought it to the same length.
        """
        ...

    async def drop(self, game: GameId, keep: int = 0) -> None:
        """Delete a game. Its log is kept aside for `keep` seconds: see `load_ended`."""
        ...

    async def expire(self, game: GameId, last_entry: bytes, keep: int) -> bool:
        """Drop a game with at most `keep` seconds left, if this is still its last entry.

        Return True if it was dropped. Its log is kept aside for `keep` seconds.
        """
        ...

    async def load_ended(self, game: GameId) -> list[bytes] | None:
        """Return the log of an ended game and, behind it, how and when it ended, as `deleted 1764341400000`.

        Return [] if the log is gone too, None if the game has not begun or not ended.
        """
        ...

    async def forget_ended(self, game: GameId) -> None:
        """Delete the log kept aside for an ended game."""
        ...

    async def list_open(self, app: Caller, after: int, limit: int) -> list[IndexedGame]:
        """List an app's games in the index behind a place, in the order of opening."""
        ...

    async def announce(self, app: Caller, game: GameId, entry: bytes, ttl: int) -> int | None:
        """Move a game from an app's index to the end of its feed, and notify the app's watchers.

        An empty entry only removes it from the index. Entries older than `ttl` are dropped, and the oldest ones if
        there is no room. Return how many were dropped for lack of room; None if the game was not in the index.
        """
        ...

    async def load_feed(self, app: Caller, start: int, limit: int) -> FeedPage:
        """Return the entries of a feed from a position on; from the first if that is behind the end.

        The entries are on as many replicas as the operator asks for.
        """
        ...

    async def take_sweep(self, app: Caller, seconds: int) -> bool:
        """Reserve the sweep of an app's index for some seconds. Return False if another process has it."""
        ...

    async def remember(self, key: str, value: bytes, ttl: int, owner: Caller = NOBODY) -> bytes:
        """Store a value under a key, unless it has one, and return the stored value."""
        ...

    async def consume(self, name: str, cost: int, at_most: int) -> tuple[bool, int]:
        """Charge `cost` to a name, unless its use would exceed `at_most`; return if it was charged, and the use.

        Unit: microseconds; the use decreases as time passes.
        Errors: StoreDown, after a short timeout, because requests without any other need of the store wait for it.
        """
        ...

    async def read_clock(self, game: GameId) -> int:
        """Return the time of the server that keeps a game: one clock for all processes.

        Unit: milliseconds since 1970 began.
        """
        ...

    async def mark(self, game: GameId, name: str, seconds: float, *, stays: bool = True, ttl: float = 0) -> None:
        """Store a presence lease beside a game for some seconds, or remove it, and notify watchers of changes.

        A lease is no change of the game, and the store may lose it. An expired lease stays until another is stored or
        removed. The game lives for at least `ttl` from now on.
        """
        ...

    async def find_absence(self, game: GameId, holder: str) -> float | None:
        """Return how long a holder has had no presence lease beside a game. Return None if unknown.

        The holder's name is the part of the lease before the slash. The store may lose this knowledge.
        Unit: seconds; 0 for a holder who has a lease.
        """
        ...

    def watch(self, game: GameId, watcher: Watcher) -> None:
        """Notify a watcher of every change to a game from now on."""
        ...

    def unwatch(self, game: GameId, watcher: Watcher) -> None:
        """Notify a watcher no more."""
        ...

    async def ping(self) -> None:
        """Check that the store answers."""
        ...

    async def stats(self) -> StoreStats:
        """Return how full the store is, without visiting each game."""
        ...

    async def close(self) -> None:
        """Disconnect."""
        ...
