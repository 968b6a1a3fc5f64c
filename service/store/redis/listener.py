"""One connection on which a server of Redis announces the changes of the games that it keeps.

In a cluster of Redis 7 or later the channels are sharded: a message stays with the servers of the slot that the channel
is on, and where the slot moves, the server ends the subscription. Older servers, and those that are no cluster, have
classic channels. A server says which it has when it is asked to subscribe.
"""

import asyncio
from typing import Any, Final, Protocol

from service.store.redis.client import Connection, Node, pack
from service.store.redis.failures import log_failure

CHANNELS: Final = "catchten:changes:"
"""The beginning of a game's channel."""
QUIET: Final = 3.0
"""After so many seconds without a message the connection is tried, for one that is half open looks the same."""
PAUSE: Final = 0.25
"""Seconds until the next try to connect."""
MOVE_TIMEOUT: Final = 1.0
"""Seconds after which a subscription that the server has ended is asked for again, if the game is still kept there."""


def channel(game: str) -> str:
    """Return the channel on which the changes of a game are published, which a cluster has on the game's own slot."""
    return f"{CHANNELS}{{{game}}}"


class Hearer(Protocol):
    """One that is told what a listener hears."""

    def on_message(self, game: str, message: bytes) -> None:
        """Take a message about a game."""
        ...

    def on_gap(self, game: str) -> None:
        """Take note that messages about a game may have been missed until now."""
        ...

    def on_error(self) -> None:
        """Take note that the server does not answer any more, or does not keep a game any more."""
        ...

    def on_closed(self, listener: "Listener") -> None:
        """Take note that a listener has no game left, and has ended."""
        ...


class Listener:
    """Listens to one server for the changes of some games, for as long as there are any.

    Unit: `timeout` bounds each step, in seconds.
    """

    def __init__(self, node: Node, hearer: Hearer, timeout: float, *, sharded: bool) -> None:
        self.node = node
        self._hearer = hearer
        self._timeout = timeout
        self._sharded = self._shards = sharded
        # The games to listen for, those that were asked for on this connection, and those of which this may differ.
        self._games, self._subscribed, self._changed = set[str](), set[str](), set[str]()
        self._wakeup = asyncio.Event()
        self._task = asyncio.create_task(self._run())

    def add(self, game: str) -> None:
        """Listen for the changes of a game, too."""
        self._games.add(game)
        self._request(game)

    def discard(self, game: str) -> None:
        """Listen for the changes of a game no more."""
        self._games.discard(game)
        self._request(game)

    async def stop(self) -> None:
        """Listen no more."""
        self._task.cancel()
        await asyncio.wait([self._task])

    def _request(self, game: str) -> None:
        self._changed.add(game)
        self._wakeup.set()

    async def _run(self) -> None:
        while self._games:
            try:
                await self._listen()
            except* Exception as group:  # noqa: BLE001 – the library and the event loop raise all kinds
                await self._recover(group.exceptions[0])
        self._hearer.on_closed(self)

    async def _recover(self, failure: Exception) -> None:
        """Wait a moment before the next try; a server that only lacks sharded channels is asked for others at once."""
        if self._sharded and "unknown command" in str(failure):
            self._sharded = False
            return
        log_failure(failure)
        self._sharded = self._shards
        self._hearer.on_error()
        await asyncio.sleep(PAUSE)

    async def _listen(self) -> None:
        """Listen on one connection until there is no game left.

        Errors: whatever the library raises; TimeoutError, if the server gives no sign of life.
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

    def _verb(self, game: str) -> str:
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
        game = name.decode().removeprefix(CHANNELS)[1:-1]
        if kind in {b"message", b"smessage"}:
            self._hearer.on_message(game, content[0])
        elif kind in {b"subscribe", b"ssubscribe"}:
            self._hearer.on_gap(game)
        elif kind == b"sunsubscribe" and game in self._games:
            self._subscribed.discard(game)
            self._hearer.on_error()
            asyncio.get_running_loop().call_later(MOVE_TIMEOUT, self._request, game)
