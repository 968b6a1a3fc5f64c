"""Messages that Redis publishes about the games that are watched in this process, read on one connection."""

import asyncio
from collections import deque
from typing import Any, Final

from service.store.redis.client import Connection, pack
from service.store.redis.failures import log_failure
from service.store.redis.topology import Topology
from service.store.watchers import Watcher, Watchers

CHANNELS: Final = "catchten:changes:"
"""The beginning of a game's channel. A message is the new version, or nothing if the game is gone."""
QUIET: Final = 3.0
"""After so many seconds without a message the connection is tried, for one that is half open looks the same."""
PAUSE: Final = 0.25
"""Seconds until the next try to connect."""


def channel(game: str) -> str:
    """Return the channel on which the changes of a game are published."""
    return CHANNELS + game


class Subscriber(Watchers):
    """The watchers of this process, notified of what any process publishes.

    Only to games that are watched does it subscribe, so that a process does not read what all the others do. Where
    messages may have been lost, watchers are asked to resync: those of a game once its channel is subscribed to, which
    after a reconnect happens for all.
    Unit: `timeout` bounds each step, in seconds.
    """

    def __init__(self, topology: Topology, timeout: float) -> None:
        super().__init__()
        self._topology = topology
        self._timeout = timeout
        # What is to be sent; None while there is no connection.
        self._requests: deque[tuple[str, str]] | None = None
        self._requested = asyncio.Event()
        self._listener: asyncio.Task[None] | None = None

    def watch(self, game: str, watcher: Watcher) -> None:
        """Notify a watcher of every change to a game from now on."""
        first = not self.is_watched(game)
        super().watch(game, watcher)
        if first:
            self._request("SUBSCRIBE", game)

    def unwatch(self, game: str, watcher: Watcher) -> None:
        """Notify a watcher no more."""
        super().unwatch(game, watcher)
        if not self.is_watched(game):
            self._request("UNSUBSCRIBE", game)

    def is_watched(self, game: str) -> bool:
        """Return whether a game has a watcher."""
        return game in self._by_game

    def start(self) -> None:
        """Begin to listen; Redis need not be there yet."""
        self._listener = asyncio.create_task(self._listen())

    async def stop(self) -> None:
        """Listen no more."""
        if self._listener is not None:
            self._listener.cancel()
            await asyncio.wait([self._listener])

    def _request(self, command: str, game: str) -> None:
        if self._requests is not None:
            self._requests.append((command, game))
            self._requested.set()

    async def _listen(self) -> None:
        while True:
            try:
                await self._listen_once()
            except Exception as exc:  # noqa: BLE001 – the library and the event loop raise all kinds
                log_failure(exc)
                self._topology.refresh_soon()
            await asyncio.sleep(PAUSE)

    async def _listen_once(self) -> None:
        async with asyncio.timeout(self._timeout):
            node = await self._topology.any_node()
            connection = await node.acquire()
        sender = asyncio.create_task(self._send_requests(connection))
        try:
            while True:
                self._dispatch(await self._next_message(connection))
        finally:
            sender.cancel()
            self._requests = None
            await connection.disconnect(nowait=True)
            await node.release(connection)

    async def _next_message(self, connection: Connection) -> list[Any]:
        """Wait for a message; if none comes, ask for a sign of life.

        Errors: TimeoutError.
        """
        message = await connection.read_response(timeout=QUIET)
        if message is None:
            async with asyncio.timeout(self._timeout):
                await _send(connection, "PING")
            message = await connection.read_response(timeout=self._timeout)
        if message is None:
            raise TimeoutError
        read: list[Any] = message
        return read

    async def _send_requests(self, connection: Connection) -> None:
        """Subscribe to all games that are watched, and then do as is requested."""
        requests = self._requests = deque[tuple[str, str]]()
        # A channel on which nobody publishes comes first, so that there is always one.
        await _send(connection, "SUBSCRIBE", CHANNELS, *(channel(game) for game in tuple(self._by_game)))
        while True:
            await self._requested.wait()
            self._requested.clear()
            while requests:
                command, game = requests.popleft()
                await _send(connection, command, channel(game))

    def _dispatch(self, message: list[Any]) -> None:
        kind, *rest = message
        if kind not in {b"message", b"subscribe"}:
            return
        game = rest[0].decode().removeprefix(CHANNELS)
        if kind == b"message" and rest[1]:
            self.notify(game, int(rest[1]))
        else:
            self.notify_resync(game)


async def _send(connection: Connection, *arguments: str) -> None:
    await connection.send_packed_command([pack(arguments)], check_health=False)
