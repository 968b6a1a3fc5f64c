"""Live games as logs of entries behind one small protocol, which stores bytes and knows no rules.

The version of a game is the length of its log. A change appends one entry if the log still is what the caller saw, and
renews its expiry, all at once or not at all. What a game is follows from its entries alone.
"""

from typing import NamedTuple, Protocol

from service.store.watchers import Watcher


class StoreDown(Exception):
    """The store cannot be reached, or did not answer in time; whether a change was made is not known."""


class StoreFull(Exception):
    """The store holds as much as it may; nothing was changed."""


class Room(NamedTuple):
    """How full a store is.

    Shape: `used` is the share of what it may hold that it holds; `evicts` is True if it drops games to make room.
    """

    used: float
    evicts: bool


class Census(NamedTuple):
    """How many games there are, how many have expired, as far as the store knows, and how much room is left.

    Shape: None for what is not known.
    """

    open: int | None
    expired: int
    room: Room | None = None


class Store(Protocol):
    """Where live games are kept.

    Unit: `ttl` and `once` in seconds.
    Errors: each call raises StoreDown within a bounded time; those that write raise StoreFull.
    """

    async def create(self, game: str, entry: bytes, ttl: int, once: int = 0, owner: str = "") -> bytes | None:
        """Begin a log with its first entry, and return the entry that it begins with: this one, or one found there.

        The same request opens a game with the same bytes, so only this very object says that the log is new.
        A store inside the process keeps about half of what it can for one `owner`, at most, unless that is empty.
        Return None if the log was created in the last `once` seconds and is gone.
        """
        ...

    async def load(self, game: str, start: int = 0, known: bytes = b"") -> list[bytes]:
        """Return the entries from the one at `start` on; none if the game is gone or has no more.

        They are kept as safely as the operator asks, as what `append` has written is. Where the last of them is
        `known`, one that was loaded or appended before, they were so then, and that is not seen to again.
        """
        ...

    async def append(self, game: str, version: int, entry: bytes, ttl: int, after: bytes) -> bool:
        """Append an entry to a log of that length whose last entry is `after`, and renew its expiry.

        Return False if the log is gone, has another length or another last entry: a store that has lost its latest
        changes may have reached the same length by others.
        """
        ...

    async def drop(self, game: str) -> None:
        """Forget a game."""
        ...

    async def remember(self, key: str, value: bytes, ttl: int, owner: str = "") -> bytes:
        """Keep a value under a key, unless it has one, and return the value that is kept."""
        ...

    async def charge(self, name: str, cost: int, at_most: int) -> tuple[bool, int]:
        """Let a name owe more, unless that came to more than `at_most`; return whether it does, and what it owes.

        Unit: microseconds; a debt gets smaller as time goes by.
        Errors: StoreDown, soon, for a request waits for it that needs no store otherwise.
        """
        ...

    def watch(self, game: str, watcher: Watcher) -> None:
        """Notify a watcher of every change to a game from now on."""
        ...

    def unwatch(self, game: str, watcher: Watcher) -> None:
        """Notify a watcher no more."""
        ...

    async def ping(self) -> None:
        """Ask for a sign of life."""
        ...

    async def census(self) -> Census:
        """Return how many games there are, without looking at each of them for it, and how much room is left."""
        ...

    async def open(self) -> None:
        """Connect as far as needed."""
        ...

    async def close(self) -> None:
        """Disconnect."""
        ...
