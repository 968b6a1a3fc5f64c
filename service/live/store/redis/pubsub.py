"""The watchers of this process, notified of changes that any process makes to their games.

A cluster of Redis 7 or later has sharded channels: a message stays on the servers of the channel's slot. If the slot
moves, the server ends the subscription. Older servers, and servers outside a cluster, have classic channels. The answer
to a subscription tells the kind.
"""

import asyncio
from typing import Any, Final

from service.live.store.redis.failures import log_failure
from service.live.store.redis.topology import Connection, Node, Topology, pack
from service.live.store.watchers import PresenceLeases, Watcher, Watchers
from service.schemas.ids import GameId
from service.schemas.revision import parse_revision

CHANNELS: Final = "catchten:changes:"
"""The prefix of a game's channel."""
QUIET: Final = 3.0
"""Seconds without a message before the connection is probed: a half-open one looks the same as a quiet one."""
PAUSE: Final = 0.25
"""Seconds between tries to connect."""
MOVE_TIMEOUT: Final = 1.0
"""Seconds before a subscription that the server ended is requested again, if the game is still there."""
GONE: Final = b""
"""The message that a game is gone."""
LEASES: Final = b"marks "
"""The prefix of a message with the presence leases beside a game."""
MAX_AT_ONCE: Final = 200
"""Games that are placed per time slice of about a millisecond."""


def channel(game: GameId) -> str:
    """Return the channel of a game's changes; in a cluster it is on the game's own slot."""
    return f"{CHANNELS}{{{game}}}"


def parse_leases(text: bytes) -> PresenceLeases:
    """Return the names of presence leases, from a text of names and expiry times."""
    return tuple(text.decode().split()[::2])


class Listener:
    """Subscribes to the changes of some games at one server, as long as there are any.

    Unit: `timeout` bounds each step, in seconds.
    """

    def __init__(self, node: Node, subscriber: "Subscriber", timeout: float, *, sharded: bool) -> None:
        self.node = node
        self._subscriber = subscriber
        self._timeout = timeout
        self._sharded = self._shards = sharded
        # Wanted games, games subscribed on this connection, and games that may be in only one of these.
        self._games, self._subscribed, self._changed = set[GameId](), set[GameId](), set[GameId]()
        self._wakeup = asyncio.Event()
        self._task = asyncio.create_task(self._run())

    def add(self, game: GameId) -> None:
        """Subscribe to the changes of a game."""
        self._games.add(game)
        self._request(game)

    def discard(self, game: GameId) -> None:
        """Unsubscribe from the changes of a game."""
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
        """Wait before the next try; if a server only lacks sharded channels, try classic ones at once."""
        if self._sharded and "unknown command" in str(failure):
            self._sharded = False
            return
        log_failure(failure)
        self._sharded = self._shards
        self._subscriber.on_error()
        await asyncio.sleep(PAUSE)

    async def _listen(self) -> None:
        """Listen on one connection until no game is left.

        Errors: any of the library's; TimeoutError, if the server stops answering.
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
        """Wait for a message; if none comes, send PING.

        Errors: TimeoutError.
        """
        message: Any = await connection.read_response(timeout=QUIET)
        if message is None:
            async with asyncio.timeout(self._timeout):
                await connection.send_packed_command([pack(("PING",))], check_health=False)
                message = await connection.read_response()
        return message

    def _take(self, message: Any) -> None:
        """Handle a message, an answer to a request or to PING, or the notice that a channel left this server."""
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
    """The watchers of this process, notified of each change once, by this process itself or by Redis.

    A process subscribes only to watched games, at the server that keeps them, and reads no other traffic. Messages may
    be lost before a subscription: at the start, after a reconnect, and after a game has moved. Then its watchers
    resync.
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
        """Notify the watchers of a game of a message, unless it repeats the last one."""
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
        """Tell the watchers of a game that messages may be lost."""
        self._latest.pop(game, None)
        self.notify_resync(game)

    def on_error(self) -> None:
        """Refresh the map of slots; then place the games again."""
        self._topology.refresh_soon()

    def on_closed(self, listener: Listener) -> None:
        """Forget an ended listener."""
        del self._listeners[listener.node]

    async def _place_games(self) -> None:
        for at, game in enumerate(tuple(self._by_game)):
            if at % MAX_AT_ONCE == 0:
                await asyncio.sleep(0)
            if game in self._by_game:
                self._place(game)

    def _place(self, game: GameId) -> None:
        """Listen for a game only at the server that keeps it."""
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
