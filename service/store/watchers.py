"""Those in this process that are notified of the changes of a game."""

from abc import ABC, abstractmethod
from collections import defaultdict


class Watcher(ABC):
    """One that is notified of the changes of a game.

    Shape: `version` is the latest of which it was notified; `resync` is set when the game is gone, or notifications may
    have been lost, so that the game itself must be read.
    """

    __slots__ = ("resync", "version")

    def __init__(self) -> None:
        self.version = 0
        self.resync = False

    def notify(self, version: int) -> None:
        """Notify it of a version."""
        self.version = max(self.version, version)
        self.wake()

    def notify_resync(self) -> None:
        """Notify it that the game must be read."""
        self.resync = True
        self.wake()

    @abstractmethod
    def wake(self) -> None:
        """Begin to do something about a notification."""


class Watchers:
    """The watchers of all games in this process."""

    def __init__(self) -> None:
        self._by_game: defaultdict[str, set[Watcher]] = defaultdict(set)

    def watch(self, game: str, watcher: Watcher) -> None:
        """Notify a watcher of every change to a game from now on."""
        self._by_game[game].add(watcher)

    def unwatch(self, game: str, watcher: Watcher) -> None:
        """Notify a watcher no more."""
        watchers = self._by_game[game]
        watchers.discard(watcher)
        if not watchers:
            del self._by_game[game]

    def notify(self, game: str, version: int) -> None:
        """Notify the watchers of a game of a version."""
        for watcher in self._by_game.get(game, ()):
            watcher.notify(version)

    def notify_resync(self, game: str) -> None:
        """Notify the watchers of a game that it must be read."""
        for watcher in self._by_game.get(game, ()):
            watcher.notify_resync()
