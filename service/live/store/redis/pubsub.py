"""The watchers of this process, notified of what any process does to the games that they watch.

A cluster of Redis 7 or later has sharded channels: a message stays on the servers of the channel's slot. If the slot
moves, the server ends the subscription. Older servers, and servers outside a cluster, have classic channels. The answer
to a subscription tells which kind a server has.
"""

import asyncio
from typing import Any, Final

from service.live.store.redis.failures import log_failure
from service.live.store.redis.topology import Connection, Node, Topology, pack
from service.live.store.watchers import PresenceLeases, Watcher, Watchers
from service.schemas.ids import GameId
from service.schemas.revision import parse_revision

CHANNELS: Final = "catchten:changes:"
"""The beginning of a game's channel."""
QUIET: Final = 3.0
"""Seconds without a message after which the connection is tried, for one that is half open looks the same."""
PAUSE: Final = 0.25
"""Seconds until the next try to connect."""
MOVE_TIMEOUT: Final = 1.0
"""Seconds after which a subscription that the server has ended is asked for again, if the game is still kept there."""
GONE: Final = b""
"""The message that a game is gone."""
LEASES: Final = b"marks "
"""The beginning of a message with the presence leases beside a game."""
MAX_AT_ONCE: Final = 200
"""Games that are placed before others get a turn, which takes about a millisecond."""


def channel(game: GameId) -> str:
    """Return the channel on which the changes of a game are published, which a cluster has on the game's own slot."""
    return f"{CHANNELS}{{{game}}}"


def parse_leases(text: bytes) -> PresenceLeases:
    """Return the names of presence leases, from a text in which each stands before the time at which it expires."""
    return tuple(text.decode().split()[::2])


class Listener:
    """Listens to one server for the changes of some games, for as long as there are any.

    Unit: `timeout` bounds each step, in seconds.
    """

    def __init__(self, node: Node, subscriber: "Subscriber", timeout: float, *, sharded: bool) -> None:
        self.node = node
        self._subscriber = subscriber
        self._timeout = timeout
        self._sharded = self._shards = sharded
        # The games to listen for, those asked for on this connection, and those that may be in only one of the two.
        self._games, self._subscribed, self._changed = set[GameId](), set[GameId](), set[GameId]()
        self._wakeup = asyncio.Event()
        self._task = asyncio.create_task(self._run())

    def add(self, game: GameId) -> None:
        """Listen for the changes of a game, too."""
        self._games.add(game)
        self._request(game)

    def discard(self, game: GameId) -> None:
        """Listen for the changes of a game no more."""
        self._games.discard(game)
        self._request(game)

    async def stop(self) -> None:
        """Listen no more."""
        self._task.cancel()
        await asyncio.wait([self._task])

    def _request(self, game: GameId) -> None:
        self._changed.add(game)
        self._wakeup.set()

    async def _run(self) -> None:
        while self._games:
            try:
                await self._listen()
            except* Exception as group:  # noqa: BLE001 – the library and the event loop raise all kinds
                await self._recover(group.exceptions[0])
        self._subscriber.on_closed(self)

    async def _recover(self, failure: Exception) -> None:
        """Wait a moment before the next try; a server that only lacks sharded channels is asked for others at once."""
        if self._sharded and "unknown command" in str(failure):
            self._sharded = False
            return
        log_failure(failure)
        self._sharded = self._shards
        self._subscriber.on_error()
        await asyncio.sleep(PAUSE)

    async def _listen(self) -> None:
        """Listen on one connection until there is no game left.

        Errors: any of the library's; TimeoutError, if the server gives no sign of life.
        """
        async with asyncio.timeout(self._timeout):
            connection = await self.node.acquire()
        self._subscribed.clear()
        self._changed = set(self._games)
        self._wakeup.set()
        try:
            async with asyncio.TaskGroup() as tasks:
                sender = tasks.create_task(self._send_requests(connection))
                while self._games:
                    self._take(await self._next_message(connection))
                sender.cancel()
        finally:
            await connection.disconnect(nowait=True)

    async def _send_requests(self, connection: Connection) -> None:
        while True:
            await self._wakeup.wait()
            self._wakeup.clear()
            games = {game for game in self._changed if (game in self._games) != (game in self._subscribed)}
            self._changed.clear()
            self._subscribed ^= games
            # One command for each channel: a cluster refuses one for channels of several slots.
            commands = b"".join(pack((self._verb(game), channel(game))) for game in games)
            await connection.send_packed_command([commands], check_health=False)

    def _verb(self, game: GameId) -> str:
        verb = "SUBSCRIBE" if game in self._subscribed else "UNSUBSCRIBE"
        return f"S{verb}" if self._sharded else verb

    async def _next_message(self, connection: Connection) -> Any:
        """Wait for a message; if none comes, ask for a sign of life.

        Errors: TimeoutError.
        """
        message: Any = await connection.read_response(timeout=QUIET)
        if message is None:
            async with asyncio.timeout(self._timeout):
                await connection.send_packed_command([pack(("PING",))], check_health=False)
                message = await connection.read_response()
        return message

    def _take(self, message: Any) -> None:
        """Take a message, the answer to a request or to PING, or word that a channel has left this server."""
        kind, name, *content = (message, b"") if isinstance(message, bytes) else message
        game = GameId(name.decode().removeprefix(CHANNELS)[1:-1])
        if kind in {b"message", b"smessage"}:
            self._subscriber.on_message(game, content[0])
        elif kind in {b"subscribe", b"ssubscribe"}:
            self._subscriber.on_gap(game)
        elif kind == b"sunsubscribe" and game in self._games:
            self._subscribed.discard(game)
            self._subscriber.on_error()
            asyncio.get_running_loop().call_later(MOVE_TIMEOUT, self._request, game)


class Subscriber(Watchers):
    """The watchers of this process, notified by this process itself and by Redis, of each change once.

    A process subscribes only to watched games, at the server that keeps them, so it does not read all other traffic.
    Messages may be lost before a subscription: at the start, after a reconnect, and after a game has moved. Its
    watchers are then asked to resync.
    Unit: `timeout` bounds each step, in seconds.
    """

    def __init__(self, topology: Topology, timeout: float) -> None:
        super().__init__()
        self._topology = topology
        self._timeout = timeout
        self._listeners: dict[Node, Listener] = {}
        self._places: dict[GameId, Listener] = {}
        self._latest: dict[GameId, bytes] = {}
        topology.on_change = self._place_games

    def watch(self, game: GameId, watcher: Watcher) -> None:
        """Notify a watcher of every change to a game from now on."""
        super().watch(game, watcher)
        if game not in self._places:
            self._place(game)

    def unwatch(self, game: GameId, watcher: Watcher) -> None:
        """Notify a watcher no more."""
        super().unwatch(game, watcher)
        if game not in self._by_game:
            self._latest.pop(game, None)
            if game in self._places:
                self._places.pop(game).discard(game)

    async def stop_listening(self) -> None:
        """Listen no more."""
        for listener in tuple(self._listeners.values()):
            await listener.stop()

    def on_message(self, game: GameId, message: bytes) -> None:
        """Notify the watchers of a game of a message, unless it is the one that they were last notified of."""
        if message.startswith(LEASES):
            self.notify_presence(game, parse_leases(message.removeprefix(LEASES)))
            return
        if game not in self._by_game or self._latest.get(game) == message:
            return
        self._latest[game] = message
        revision = parse_revision(message.decode())
        if revision is None:
            self.notify_resync(game)
        else:
            self.notify(game, revision)

    def on_gap(self, game: GameId) -> None:
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

    def _place(self, game: GameId) -> None:
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
