"""The watchers of this process, notified of what any process does to the games that they watch."""

import asyncio
from collections import deque
from typing import Final

from redis.exceptions import MovedError

from service.revision import parse_revision
from service.store.redis.failures import log_failure
from service.store.redis.listener import Listener, channel
from service.store.redis.topology import Node, Topology
from service.store.watchers import Watcher, Watchers

GONE: Final = b""
"""The message that a game is gone."""
AT_ONCE: Final = 200
"""Games that are placed without letting others have their turn, which takes about a millisecond."""


class Subscriber(Watchers):
    """The watchers of this process, notified by this process itself and by Redis, of each change once.

    Only to games that are watched does it listen, at the server that keeps them, so that a process does not read what
    all the others do. Where messages may have been lost, watchers are asked to resync: those of a game once its channel
    is subscribed to, which happens again after a reconnect and where the game has moved.
    Unit: `timeout` bounds each step, in seconds.
    """

    def __init__(self, topology: Topology, timeout: float) -> None:
        super().__init__()
        self._topology = topology
        self._timeout = timeout
        self._listeners: dict[Node, Listener] = {}
        self._places: dict[str, Listener] = {}
        self._latest: dict[str, bytes] = {}
        # Games to be placed anew, and what servers said of where some have gone.
        self._unplaced: set[str] = set()
        self._moves: deque[tuple[str, MovedError]] = deque()
        self._changed = asyncio.Event()
        self._placing: asyncio.Task[None] | None = None

    def watch(self, game: str, watcher: Watcher) -> None:
        """Notify a watcher of every change to a game from now on."""
        if not self.is_watched(game):
            self._replace(game)
        super().watch(game, watcher)

    def unwatch(self, game: str, watcher: Watcher) -> None:
        """Notify a watcher no more."""
        super().unwatch(game, watcher)
        if not self.is_watched(game):
            self._latest.pop(game, None)
            self._replace(game)

    def is_watched(self, game: str) -> bool:
        """Return whether a game has a watcher."""
        return game in self._by_game

    def start(self) -> None:
        """Begin to listen; Redis need not be there yet."""
        self._topology.follow(lambda: self._replace(*self._by_game))
        self._placing = asyncio.create_task(self._place_games())

    async def stop(self) -> None:
        """Listen no more."""
        if self._placing is not None:
            self._placing.cancel()
            await asyncio.wait([self._placing])
        for listener in tuple(self._listeners.values()):
            await listener.stop()

    def hear(self, game: str, message: bytes) -> None:
        """Notify the watchers of a game of a message, unless it is the one of which they were notified last."""
        if not self.is_watched(game) or self._latest.get(game) == message:
            return
        self._latest[game] = message
        revision = parse_revision(message.decode())
        if revision is None:
            self.notify_resync(game)
        else:
            self.notify(game, revision)

    def miss(self, game: str) -> None:
        """Notify the watchers of a game that messages may have been missed."""
        self._latest.pop(game, None)
        self.notify_resync(game)

    def move(self, game: str, to: MovedError) -> None:
        """Listen for a game at the server that another one names."""
        self._moves.append((game, to))
        self._changed.set()

    def fail(self) -> None:
        """Ask who keeps what when a server does not answer."""
        self._topology.refresh_soon()

    def end(self, listener: Listener) -> None:
        """Forget a listener that has ended."""
        del self._listeners[listener.node]

    def _replace(self, *games: str) -> None:
        self._unplaced.update(games)
        self._changed.set()

    async def _place_games(self) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            while self._moves:
                await self._follow_move(*self._moves.popleft())
            while self._unplaced:
                for _ in range(min(AT_ONCE, len(self._unplaced))):
                    self._place(self._unplaced.pop())
                await asyncio.sleep(0)

    async def _follow_move(self, game: str, to: MovedError) -> None:
        """Take note of where a game has gone."""
        try:
            await self._topology.redirect(to)
        except Exception as exc:  # noqa: BLE001 – the library raises all kinds
            log_failure(exc)
            self._topology.refresh_soon()  # after which all games are placed anew
        else:
            self._unplaced.add(game)

    def _place(self, game: str) -> None:
        """Listen for a game where it is kept, if it is watched, and nowhere else."""
        node = self._topology.known_node(channel(game)) if self.is_watched(game) else None
        place = self._places.get(game)
        if place is not None and place.node is not node:
            self._places.pop(game).discard(game)
        if node is not None:
            self._places[game] = self._listener(node)
            self._places[game].add(game)
        elif self.is_watched(game):
            self._topology.refresh_soon()

    def _listener(self, node: Node) -> Listener:
        if node not in self._listeners:
            self._listeners[node] = Listener(node, self, self._timeout, sharded=self._topology.is_cluster)
        return self._listeners[node]
