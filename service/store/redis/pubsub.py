"""What is announced in Redis about the games that are watched in this process, heard on one connection."""

import asyncio
from collections import deque
from typing import Final

from service.store.protocol import Watcher, Watchers
from service.store.redis.topology import Connection, Places, Theirs, pack

CHANNELS: Final = "catchten:changes:"
"""What a game's channel begins with. A message is the new version, or nothing where the game is gone."""
QUIET: Final = 3.0
"""After so many seconds without a message the connection is tried, for one that is half open looks the same."""
PAUSE: Final = 0.25
"""Seconds before it is tried again to connect."""


def channel(game: str) -> str:
    """Tell where the changes of a game are announced."""
    return CHANNELS + game


class News(Watchers):
    """The watchers of this process, told of what others announce.

    Only games that are watched are subscribed to, so that a process does not hear what all the others do. Whoever
    may have missed something is told to look: all after a reconnect, a game's watchers once its channel is open.
    Unit: `timeout` in seconds, of each step.
    """

    def __init__(self, places: Places, timeout: float) -> None:
        super().__init__()
        self._places = places
        self._timeout = timeout
        # None while there is no connection to speak on.
        self._orders: deque[tuple[str, str]] | None = None
        self._ordered = asyncio.Event()
        self._listener: asyncio.Task[None] | None = None

    def watch(self, game: str, watcher: Watcher) -> None:
        """Tell the watcher of every change to a game from now on."""
        first = not self.watched(game)
        super().watch(game, watcher)
        if first:
            self._order("SUBSCRIBE", game)

    def unwatch(self, game: str, watcher: Watcher) -> None:
        """Tell the watcher no more."""
        super().unwatch(game, watcher)
        if not self.watched(game):
            self._order("UNSUBSCRIBE", game)

    def watched(self, game: str) -> bool:
        """Tell whether anybody watches a game."""
        return game in self._by_game

    def start(self) -> None:
        """Begin to listen; Redis need not be there yet."""
        self._listener = asyncio.create_task(self._listen())

    async def stop(self) -> None:
        """Listen no more."""
        if self._listener is not None:
            self._listener.cancel()
            await asyncio.wait([self._listener])

    def _order(self, verb: str, game: str) -> None:
        if self._orders is not None:
            self._orders.append((verb, game))
            self._ordered.set()

    async def _listen(self) -> None:
        while True:
            try:
                await self._listen_once()
            except Exception:  # noqa: BLE001 – the library and the event loop raise all kinds on a broken connection
                self._places.doubt()
            await asyncio.sleep(PAUSE)

    async def _listen_once(self) -> None:
        async with asyncio.timeout(self._timeout):
            place = await self._places.any()
            connection = await place.lease()
        speaker = asyncio.create_task(self._speak(connection))
        try:
            while True:
                self._hear(await self._next(connection))
        finally:
            speaker.cancel()
            self._orders = None
            await connection.disconnect(nowait=True)
            await place.give_back(connection)

    async def _next(self, connection: Connection) -> Theirs:
        """Wait for a message; where none comes, ask for a sign of life.

        Errors: TimeoutError.
        """
        message = await connection.read_response(timeout=QUIET)
        if message is None:
            async with asyncio.timeout(self._timeout):
                await _say(connection, "PING")
            message = await connection.read_response(timeout=self._timeout)
        if message is None:
            raise TimeoutError
        return message

    async def _speak(self, connection: Connection) -> None:
        """Open the channels of all games that are watched, and then whatever is ordered."""
        orders = self._orders = deque[tuple[str, str]]()
        # One that nobody announces on comes first, so that there is always one.
        await _say(connection, "SUBSCRIBE", CHANNELS, *(channel(game) for game in tuple(self._by_game)))
        while True:
            await self._ordered.wait()
            self._ordered.clear()
            while orders:
                verb, game = orders.popleft()
                await _say(connection, verb, channel(game))

    def _hear(self, message: list[Theirs]) -> None:
        kind, *rest = message
        if kind not in {b"message", b"subscribe"}:
            return
        game = rest[0].decode().removeprefix(CHANNELS)
        if kind == b"message" and rest[1]:
            self.tell(game, int(rest[1]))
        else:
            self.tell_to_look(game)


async def _say(connection: Connection, *words: str) -> None:
    await connection.send_packed_command([pack(words)], check_health=False)
