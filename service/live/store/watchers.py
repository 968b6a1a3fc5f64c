"""Those in this process that are notified of the changes of a game."""

from abc import ABC, abstractmethod
from collections import defaultdict
from typing import TypeAlias

from service.schemas.ids import GameId
from service.schemas.revision import Revision

PresenceLeases: TypeAlias = tuple[str, ...]
"""The names of the presence leases beside a game."""


class Watcher(ABC):
    """One that is notified of the changes of a game.

    Shape: `notified` is the latest revision that it was notified of, None once it has been seen to; `resync` is set
    when the game is gone, or notifications may have been lost, so that the game itself must be read;
    `presence_leases` are those beside the game, None if nothing was said of them since they were seen to.
    """

    __slots__ = ("notified", "presence_leases", "resync")

    def __init__(self) -> None:
        self.notified: Revision | None = None
        self.presence_leases: PresenceLeases | None = None
        self.resync = False

    def notify(self, revision: Revision) -> None:
        """Notify it of a revision."""
        if self.notified is not None and revision.version < self.notified.version:
            self.resync = True  # it comes late, or the store has lost the later one
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
        """Begin to do something about a notification."""


class Watchers:
    """The watchers of all games in this process, those of a game in the order in which they came."""

    def __init__(self) -> None:
        self._by_game: defaultdict[GameId, dict[Watcher, None]] = defaultdict(dict)

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
        for watcher in self._by_game.get(game, ()):
            watcher.notify(revision)

    def notify_presence(self, game: GameId, leases: PresenceLeases) -> None:
        """Notify the watchers of a game of the presence leases beside it."""
        for watcher in self._by_game.get(game, ()):
            watcher.notify_presence(leases)

    def notify_resync(self, game: GameId) -> None:
        """Notify the watchers of a game that it must be read."""
        for watcher in self._by_game.get(game, ()):
            watcher.notify_resync()
