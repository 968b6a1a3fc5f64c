"""One connection on which a server of Redis announces the changes of the games that it keeps.

In a cluster of Redis 7 or later the channels are sharded: a message stays with the servers of the slot that the channel
is on, and where the slot moves, the server ends the subscription. Older servers, and those that are no cluster, have
classic channels. A server says which it has when it is asked to subscribe.
"""

import asyncio
from collections import deque
from typing import Any, Final, Protocol, TypeAlias

from redis.exceptions import MovedError, ResponseError

from service.store.redis.client import Connection, pack
from service.store.redis.failures import log_failure
from service.store.redis.topology import Node

CHANNELS: Final = "catchten:changes:"
"""The beginning of a game's channel."""
QUIET: Final = 3.0
"""After so many seconds without a message the connection is tried, for one that is half open looks the same."""
PAUSE: Final = 0.25
"""Seconds until the next try to connect."""
SHARDED: Final = ("SSUBSCRIBE", "SUNSUBSCRIBE")
CLASSIC: Final = ("SUBSCRIBE", "UNSUBSCRIBE")

Message: TypeAlias = Any
"""A message that a server sends on its own account, as a list, or the answer to PING."""


def channel(game: str) -> str:
    """Return the channel on which the changes of a game are published, which a cluster has on the game's own slot."""
    return f"{CHANNELS}{{{game}}}"


class Hearer(Protocol):
    """One that is told what a listener hears."""

    def hear(self, game: str, message: bytes) -> None:
        """Hear a message about a game."""
        ...

    def miss(self, game: str) -> None:
        """Learn that messages about a game may have been missed until now."""
        ...

    def move(self, game: str, to: MovedError) -> None:
        """Learn that a game is kept by another server."""
        ...

    def fail(self) -> None:
        """Learn that the server does not answer any more."""
        ...

    def end(self, listener: "Listener") -> None:
        """Learn that a listener has no game left, and has ended."""
        ...


class Listener:
    """Listens to one server for the changes of some games, for as long as there are any.

    Unit: `timeout` bounds each step, in seconds.
    """

    def __init__(self, node: Node, hearer: Hearer, timeout: float, *, sharded: bool) -> None:
        self.node = node
        self._hearer = hearer
        self._timeout = timeout
        self._verbs = self._preferred = SHARDED if sharded else CLASSIC
        self._games: set[str] = set()
        self._reached = True
        # What is to be sent, and what was sent and not yet answered; nothing is while there is no connection.
        self._requests: deque[tuple[bool, str]] = deque()
        self._unanswered: deque[tuple[bool, str]] = deque()
        self._requested = asyncio.Event()
        self._task = asyncio.create_task(self._run())

    def add(self, game: str) -> None:
        """Listen for the changes of a game, too."""
        if game not in self._games:
            self._games.add(game)
            self._request(game, begin=True)

    def discard(self, game: str) -> None:
        """Listen for the changes of a game no more."""
        if game in self._games:
            self._games.remove(game)
            self._request(game, begin=False)

    async def stop(self) -> None:
        """Listen no more."""
        self._task.cancel()
        await asyncio.wait([self._task])

    def _request(self, game: str, *, begin: bool) -> None:
        self._requests.append((begin, game))
        self._requested.set()

    async def _run(self) -> None:
        while self._games:
            try:
                await self._listen()
            except Exception as exc:  # noqa: BLE001 – the library and the event loop raise all kinds
                log_failure(exc)
                # Once: asking who keeps what renews the connections to all other servers, too.
                if self._reached:
                    self._reached = False
                    self._hearer.fail()
                await asyncio.sleep(PAUSE)
        self._hearer.end(self)

    async def _listen(self) -> None:
        """Listen on one connection until there is nothing left to listen for.

        Errors: whatever the library raises; TimeoutError, if the server gives no sign of life.
        """
        async with asyncio.timeout(self._timeout):
            connection = await self.node.acquire()
        self._reached = True
        self._verbs = self._preferred
        self._unanswered.clear()
        self._requests = deque((True, game) for game in self._games)
        self._requested.set()
        sender = asyncio.create_task(self._send_requests(connection))
        try:
            while self._games or self._requests or self._unanswered:
                await self._hear_next(connection)
        finally:
            sender.cancel()
            await connection.disconnect(nowait=True)
            await self.node.release(connection)

    async def _send_requests(self, connection: Connection) -> None:
        while True:
            await self._requested.wait()
            self._requested.clear()
            requests, self._requests = self._requests, deque()
            self._unanswered.extend(requests)
            # One command for each channel: a cluster refuses one for channels of several slots.
            lines = [pack((self._verbs[not begin], channel(game))) for begin, game in requests]
            await connection.send_packed_command([b"".join(lines)], check_health=False)

    async def _hear_next(self, connection: Connection) -> None:
        try:
            message = await self._next_message(connection)
        except ResponseError as exc:
            if not self._unanswered:
                raise
            self._take_refusal(*self._unanswered.popleft(), exc)
        else:
            # The answer to PING is a word where there is no subscription; nothing comes at the end.
            if message is not None and message != b"PONG":
                self._take(*message)

    async def _next_message(self, connection: Connection) -> Message:
        """Wait for a message; if none comes, ask for a sign of life.

        Errors: TimeoutError.
        """
        message = await connection.read_response(timeout=QUIET)
        if message is None and self._games:
            async with asyncio.timeout(self._timeout):
                await connection.send_packed_command([pack(("PING",))], check_health=False)
            message = await connection.read_response(timeout=self._timeout)
            if message is None:
                raise TimeoutError
        return message

    def _take(self, kind: bytes, name: bytes, content: Message = None) -> None:
        """Take a message, the answer to a request, or word that a channel has left this server."""
        game = name.decode().removeprefix(CHANNELS)[1:-1]
        if kind in {b"message", b"smessage"}:
            self._hearer.hear(game, content)
        elif kind in {b"subscribe", b"ssubscribe"}:
            self._unanswered.popleft()
            self._hearer.miss(game)
        elif self._unanswered and self._unanswered[0] == (False, game):
            self._unanswered.popleft()
        elif kind == b"sunsubscribe" and game in self._games:
            # Asked again, the server says who keeps the game now.
            self._request(game, begin=True)

    def _take_refusal(self, begin: bool, game: str, refusal: ResponseError) -> None:  # noqa: FBT001 – a request as it was kept
        """Go on after a refused request.

        Errors: ResponseError, for one after which there is nothing to go on with.
        """
        if not begin or game not in self._games:
            return
        if isinstance(refusal, MovedError):
            self._games.remove(game)
            self._hearer.move(game, refusal)
        elif self._preferred is SHARDED and "unknown command" in str(refusal):
            self._verbs = CLASSIC
            self._request(game, begin=True)
        else:
            raise refusal
