"""The watchers in this process: they are notified of the changes of a game."""

from abc import ABC, abstractmethod
from asyncio import get_running_loop
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Final, TypeAlias

from service.schemas.ids import GameId
from service.schemas.revision import Revision

PresenceLeases: TypeAlias = tuple[str, ...]
"""The names of the presence leases beside a game."""
NOTIFIED_AT_ONCE: Final = 64
"""Watchers that are notified per time slice: their writes take some two milliseconds."""


def holder_of(lease: str) -> str:
    """Return the holder of a presence lease: the part of its name before the slash."""
    return lease.partition("/")[0]


class Watcher(ABC):
    """A watcher is notified of the changes of a game.

    Shape: `notified` is the latest announced revision, None once handled. `resync` is set if the game is gone or
    notifications may be lost: the watcher must read the game. `presence_leases` are the changed leases beside the game,
    None once handled.
    """

    __slots__ = ("notified", "presence_leases", "resync")

    def __init__(self) -> None:
        self.notified: Revision | None = None
        self.presence_leases: PresenceLeases | None = None
        self.resync = False

    def notify(self, revision: Revision) -> None:
        """Notify it of a revision."""
        if self.notified is not None and revision.version < self.notified.version:
            self.resync = True  # it is late, or the store lost the later one
        else:
            self.notified = revision
        self.wake()

    def notify_presence(self, leases: PresenceLeases) -> None:
        """Notify it of the presence leases beside the game."""
        self.presence_leases = leases
        self.wake()

    def notify_resync(self) -> None:
        """Notify it that the game must be read."""
        self.resync = True
        self.wake()

    @abstractmethod
    def wake(self) -> None:
        """Take the notification, and begin to handle it."""


class Watchers:
    """The watchers of all games in this process, those of a game in the order of their arrival."""

    def __init__(self) -> None:
        self._by_game: defaultdict[GameId, dict[Watcher, None]] = defaultdict(dict)
        self._untold: dict[GameId, PresenceLeases] = {}
        self._tells_presence = False

    def watch(self, game: GameId, watcher: Watcher) -> None:
        """Notify a watcher of every change to a game from now on."""
        self._by_game[game][watcher] = None

    def unwatch(self, game: GameId, watcher: Watcher) -> None:
        """Notify a watcher no more."""
        watchers = self._by_game[game]
        watchers.pop(watcher, None)
        if not watchers:
            del self._by_game[game]

    def notify(self, game: GameId, revision: Revision) -> None:
        """Notify the watchers of a game of a revision."""
        self._notify_each(game, lambda watcher: watcher.notify(revision))

    def notify_presence(self, game: GameId, leases: PresenceLeases) -> None:
        """Notify the watchers of a game of its presence leases soon, and once even if they change meanwhile.

        A seat may come and go at any rate, so presence notifications of all games share one budget of time.
        """
        self._untold[game] = leases
        if not self._tells_presence:
            self._tells_presence = True
            get_running_loop().call_soon(self._notify_presence, self._take_untold())

    def _notify_presence(self, waiting: Iterator[tuple[Watcher, PresenceLeases]]) -> None:
        """Notify some watchers in each round of the event loop, until all changed leases are told."""
        some = tuple(islice(waiting, NOTIFIED_AT_ONCE))
        self._tells_presence = len(some) == NOTIFIED_AT_ONCE
        if self._tells_presence:
            get_running_loop().call_soon(self._notify_presence, waiting)
        for watcher, leases in some:
            watcher.notify_presence(leases)

    def _take_untold(self) -> Iterator[tuple[Watcher, PresenceLeases]]:
        """Yield the watchers of each game with its leases, except those that leave meanwhile."""
        while self._untold:
            game = next(iter(self._untold))
            leases, watchers = self._untold.pop(game), self._by_game.get(game, {})
            yield from ((watcher, leases) for watcher in tuple(watchers) if watcher in watchers)

    def notify_resync(self, game: GameId) -> None:
        """Tell the watchers of a game to read it again."""
        self._notify_each(game, Watcher.notify_resync)

    def _notify_each(
        self, game: GameId, notify: Callable[[Watcher], None], waiting: Sequence[Watcher] | None = None
    ) -> None:
        """Notify the watchers of a game, some in each round of the event loop, except those that leave meanwhile."""
        watchers = self._by_game.get(game, {})
        waiting = tuple(watchers) if waiting is None else waiting
        for watcher in waiting[:NOTIFIED_AT_ONCE]:
            if watcher in watchers:
                notify(watcher)
        if len(waiting) > NOTIFIED_AT_ONCE:
            get_running_loop().call_soon(self._notify_each, game, notify, waiting[NOTIFIED_AT_ONCE:])
