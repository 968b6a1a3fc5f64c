"""Live games: a log of entries for each, behind one small protocol. It stores bytes and knows no rules.

The version of a game is the length of its log. A change appends one entry if the log still has the length that the
caller saw, and renews the expiry, all at once or not at all; what a game is follows from its entries alone.
"""

from abc import ABC, abstractmethod
from collections import defaultdict
from typing import NamedTuple, Protocol


class StoreDown(Exception):
    """The store cannot be reached, or did not answer in time; whether a change was made is not known."""


class StoreFull(Exception):
    """The store holds as much as it may; nothing was changed."""


class Census(NamedTuple):
    """How many games there are, None while it is not known, and how many have expired, as far as the store is told."""

    open: int | None
    expired: int


class Store(Protocol):
    """Where live games are kept.

    Unit: `ttl` and `once` in seconds.
    Errors: each call raises StoreDown within a bounded time; `create`, `append` and `remember` also StoreFull.
    """

    async def create(self, game: str, entry: bytes, ttl: int, once: int = 0) -> bytes | None:
        """Begin a log with its first entry, and return the entry that it begins with: this one, or one found there.

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

    async def remember(self, key: str, value: bytes, ttl: int) -> bytes:
        """Keep a value under a key that has none; tell the value that is kept."""
        ...

    async def charge(self, name: str, cost: int, at_most: int) -> tuple[bool, int]:
        """Let a name owe more, unless that came to more than `at_most`; tell whether it does, and what it owes.

        Unit: microseconds of time; a debt melts away as time goes by.
        Errors: StoreDown, soon, for a request waits for it that needs no store otherwise; StoreFull.
        """
        ...

    def watch(self, game: str, watcher: "Watcher") -> None:
        """Tell the watcher of every change to a game from now on."""
        ...

    def unwatch(self, game: str, watcher: "Watcher") -> None:
        """Tell the watcher no more."""
        ...

    async def ping(self) -> None:
        """Ask for a sign of life."""
        ...

    async def census(self) -> Census:
        """Tell how many games there are, without looking at each of them for it."""
        ...

    async def open(self) -> None:
        """Connect as far as needed."""
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...


class Watcher(ABC):
    """One who waits for the changes of a game: the latest version told of, and whether to look for oneself."""

    __slots__ = ("look", "version")

    def __init__(self) -> None:
        self.version = 0
        self.look = False

    def tell(self, version: int) -> None:
        """Tell of a version."""
        self.version = max(self.version, version)
        self.wake()

    def tell_to_look(self) -> None:
        """Tell that something may have happened: the game may be gone, or news may have been lost."""
        self.look = True
        self.wake()

    @abstractmethod
    def wake(self) -> None:
        """Begin to do something about it."""


class Watchers:
    """The watchers of all games in this process."""

    def __init__(self) -> None:
        self._by_game: defaultdict[str, set[Watcher]] = defaultdict(set)

    def watch(self, game: str, watcher: Watcher) -> None:
        """Tell the watcher of every change to a game from now on."""
        self._by_game[game].add(watcher)

    def unwatch(self, game: str, watcher: Watcher) -> None:
        """Tell the watcher no more."""
        watchers = self._by_game[game]
        watchers.discard(watcher)
        if not watchers:
            del self._by_game[game]

    def tell(self, game: str, version: int) -> None:
        """Tell the watchers of a game of a version."""
        for watcher in self._by_game.get(game, ()):
            watcher.tell(version)

    def tell_to_look(self, game: str) -> None:
        """Tell the watchers of a game to look for themselves."""
        for watcher in self._by_game.get(game, ()):
            watcher.tell_to_look()

    def tell_all_to_look(self) -> None:
        """Tell every watcher to look for itself."""
        for game in self._by_game:
            self.tell_to_look(game)
