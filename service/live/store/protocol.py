"""Live games as logs of entries behind one small protocol, which stores bytes and knows no rules.

The version of a game is the length of its log. A change appends one entry if the log still is what the caller saw, and
renews its expiry, all at once or not at all. What a game is follows from its entries alone.
"""

from typing import Final, NamedTuple, Protocol

from service.live.store.watchers import PresenceLeases, Watcher
from service.schemas.ids import NOBODY, Caller, GameId

MAX_FEED_SHARE: Final = 16
"""The feed of one app has at most this part of what the store, or a server of it, can hold: a sixteenth."""
MAX_FEED_BYTES: Final = 256 * 1024
"""Bytes of feed entries that are read at once, as stored; two entries are, however long they are."""
INDEX_SECONDS: Final = 60 * 24 * 3600
"""Seconds for which the index of an app's open games is kept after its last use: twice the longest life of a game."""
GONE_SECONDS: Final = 24 * 3600
"""Seconds after its end for which it is known at least that a game was there."""


class StoreDown(Exception):
    """The store cannot be reached, or did not answer in time; whether a change was made is not known."""


class StoreMisconfigured(StoreDown):
    """The store is another one than the settings describe, which waiting does not mend; the text says what differs."""


class StoreFull(Exception):
    """The store holds as much as it may; nothing was changed."""


class ShareUsed(StoreFull):
    """The owner has as much in the store as one may; nothing was changed."""


class StoreStats(NamedTuple):
    """How full a store is, and how many games have expired; None if not known."""

    expired: int = 0
    """Games that have expired."""
    used: float | None = None
    """How full the store is, from 0 to 1."""
    evicts: bool | None = None
    """True if it drops games to make room."""
    unawaited: int | None = None
    """Replicas of a primary beyond those a change waits for; 0 if it waits for none."""
    missing: int | None = None
    """Replicas that a primary lacks."""
    disk_fails: bool | None = None
    """True if what it last wrote to its disk failed."""


class Loaded(NamedTuple):
    """Entries of the log of a game, and the presence leases beside it, as they were loaded."""

    entries: list[bytes]
    presence_leases: PresenceLeases = ()


class IndexedGame(NamedTuple):
    """A game in the index of an app, which is not known to be over."""

    game: GameId
    """The id of the game."""
    at: int
    """When it was put into the index, in milliseconds since 1970 began; no other game of the app has the same."""


class FeedPage(NamedTuple):
    """A part of the feed of an app, as stored."""

    first: int
    """The position of the first entry that is kept, which is the number of entries dropped before it."""
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
        """Begin a log with its first entry, and return the entry that it begins with, and True if the log is new.

        One `owner` has about half of the room, unless that is empty; the rest is for others. A game of an app is in the
        index of its open games before it is there.
        Return None if the game is known to be gone.
        """
        ...

    async def load(self, game: GameId, start: int = 0, last_entry: bytes = b"", stop: int | None = None) -> Loaded:
        """Return the entries from the one at `start` on, and the presence leases.

        There are none if the game is gone or has no more. Those from `stop` on are left out.
        The entries are on as many replicas as the operator asks for. If the last is `last_entry`, which this process
        loaded or appended before, that is not checked again.
        """
        ...

    async def is_gone(self, game: GameId) -> bool:
        """Return True if the game was there, and was dropped or has expired, as far as that is known still."""
        ...

    async def is_deleted(self, game: GameId) -> bool:
        """Return True if the game was dropped before its time, as far as that is known still."""
        ...

    async def append(
        self, game: GameId, version: int, entry: bytes, ttl: int, after: bytes, owner: Caller = NOBODY
    ) -> bool:
        """Append an entry to a log of `version` entries whose last is `after`, and renew its expiry.

        Return False if the log is gone, has another length or another last entry: a store that has lost its latest
        changes may have reached the same length by others.
        """
        ...

    async def drop(self, game: GameId, keep: int = 0) -> None:
        """Forget a game. Its log is kept aside for `keep` seconds: see `load_ended`."""
        ...

    async def expire(self, game: GameId, last_entry: bytes, keep: int) -> bool:
        """Drop a game that has no more than `keep` seconds left, if its last entry is still this one.

        Return True if it was dropped. Its log is kept aside for `keep` seconds.
        """
        ...

    async def load_ended(self, game: GameId) -> list[bytes] | None:
        """Return the log of a game that has ended, and behind it how and when, as `deleted 1764341400000`.

        Return [] if the log is gone as well, None if the game has not ended, or has not begun.
        """
        ...

    async def forget_ended(self, game: GameId) -> None:
        """Forget the log that was kept aside of a game that has ended."""
        ...

    async def list_open(self, app: Caller, after: int, limit: int) -> list[IndexedGame]:
        """List the games in the index of an app behind a place, in the order in which they were opened."""
        ...

    async def announce(self, app: Caller, game: GameId, entry: bytes, ttl: int) -> int | None:
        """Move a game from the index of an app to the end of its feed, and notify the watchers of the app.

        An empty entry only takes it out of the index. The oldest entries go once they are older than `ttl`, or for want
        of room. Return how many went for want of room; None if the game was not in the index.
        """
        ...

    async def load_feed(self, app: Caller, start: int, limit: int) -> FeedPage:
        """Return the entries of a feed from a position on; from the first if the position is behind the end.

        They are on as many replicas as the operator asks for.
        """
        ...

    async def take_sweep(self, app: Caller, seconds: int) -> bool:
        """Take the sweep of the index of an app for some seconds. Return False if another process has it."""
        ...

    async def remember(self, key: str, value: bytes, ttl: int, owner: Caller = NOBODY) -> bytes:
        """Keep a value under a key, unless it has one, and return the value that is kept."""
        ...

    async def consume(self, name: str, cost: int, at_most: int) -> tuple[bool, int]:
        """Count `cost` for a name, unless it then used more than `at_most`; return whether it was, and what is used.

        Unit: microseconds; what is used gets smaller as time goes by.
        Errors: StoreDown, soon, for a request waits for it that needs no store otherwise.
        """
        ...

    async def read_clock(self, game: GameId) -> int:
        """Return the time by the clock of the server that keeps a game, which is the same for all processes.

        Unit: milliseconds since 1970 began.
        """
        ...

    async def mark(self, game: GameId, name: str, seconds: float, *, stays: bool = True, ttl: float = 0) -> None:
        """Keep a presence lease beside a game for some seconds, or remove it, and notify watchers of what is new.

        A lease is no change of the game, and the store may lose it. One that has expired stays until another is kept
        or removed. A game that would expire sooner lives for `ttl` from now on.
        """
        ...

    async def find_absence(self, game: GameId, holder: str) -> float | None:
        """Return for how long a holder has had no presence lease beside a game. Return None if that is not known.

        A lease belongs to the holder whose name stands before its slash. The store may lose what it knows of this.
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
        """Ask for a sign of life."""
        ...

    async def stats(self) -> StoreStats:
        """Return how full the store is, without looking at each game for it."""
        ...

    async def close(self) -> None:
        """Disconnect."""
        ...
