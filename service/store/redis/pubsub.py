"""The watchers of this process, notified of what any process does to the games that they watch."""

import asyncio
from typing import Final

from service.revision import parse_revision
from service.store.redis.client import Node
from service.store.redis.listener import Listener, channel
from service.store.redis.topology import Topology
from service.store.watchers import Watcher, Watchers

GONE: Final = b""
"""The message that a game is gone."""
MAX_AT_ONCE: Final = 200
"""Games that are placed before others get a turn, which takes about a millisecond."""


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
        topology.on_change(self._place_games)

    def watch(self, game: str, watcher: Watcher) -> None:
        """Notify a watcher of every change to a game from now on."""
        super().watch(game, watcher)
        if game not in self._places:
            self._place(game)

    def unwatch(self, game: str, watcher: Watcher) -> None:
        """Notify a watcher no more."""
        super().unwatch(game, watcher)
        if game not in self._by_game:
            self._latest.pop(game, None)
            if game in self._places:
                self._places.pop(game).discard(game)

    async def stop(self) -> None:
        """Listen no more."""
        for listener in tuple(self._listeners.values()):
            await listener.stop()

    def on_message(self, game: str, message: bytes) -> None:
        """Notify the watchers of a game of a message, unless it is the one of which they were notified last."""
        if game not in self._by_game or self._latest.get(game) == message:
            return
        self._latest[game] = message
        revision = parse_revision(message.decode())
        if revision is None:
            self.notify_resync(game)
        else:
            self.notify(game, revision)

    def on_gap(self, game: str) -> None:
        """Notify the watchers of a game that messages may have been missed."""
        self._latest.pop(game, None)
        self.notify_resync(game)

    def on_error(self) -> None:
        """Ask who keeps what, after which games are placed anew."""
        self._topology.refresh_soon()

    def on_closed(self, listener: Listener) -> None:
        """Forget a listener that has ended."""
        del self._listeners[listener.node]

    async def _place_games(self) -> None:
        for at, game in enumerate(tuple(self._by_game)):
            if at % MAX_AT_ONCE == 0:
                await asyncio.sleep(0)
            if game in self._by_game:
                self._place(game)

    def _place(self, game: str) -> None:
        """Listen for a game where it is kept, and nowhere else."""
        node, place = self._topology.find(channel(game)), self._places.get(game)
        if node is None:
            self._topology.refresh_soon()
        elif place is None or place.node is not node:
            if place is not None:
                place.discard(game)
            if node not in self._listeners:
                self._listeners[node] = Listener(node, self, self._timeout, sharded=self._topology.is_cluster)
            self._places[game] = self._listeners[node]
            self._places[game].add(game)
