"""A client that follows a game in event streams, leaves now and then, and comes back anywhere with what it saw last."""

import asyncio
from collections.abc import Sequence
from random import Random
from typing import Final

from tests.programs.chaos.histories.history import Message, Session, read_content
from tests.support.games.streams import Event, NotServed, stream

STAY: Final = 0.2
"""Seconds for which a client stays with one connection, at least."""
PAUSE: Final = 0.1
"""Seconds until it comes back."""


class Follower:
    """One client of a game's streams.

    Unit: `stay`, with one connection, in seconds at most.
    """

    def __init__(self, ports: Sequence[int], session: Session, path: str, rng: Random, stay: float) -> None:
        self._ports = ports
        self._session = session
        self._path = path
        self._rng = rng
        self._longest = stay
        self._seat: int | None = None
        self.connections = 0

    async def follow(self, seat: int, token: str) -> None:
        """Follow the game from a seat until it is cancelled; as a spectator once the token is void."""
        self._seat = seat
        while True:
            try:
                async with asyncio.timeout(self._rng.uniform(STAY, self._longest)):
                    await self._stay(token)
            except NotServed as refused:
                status = refused.head.split(b" ", 2)[1]
                if status == b"401":
                    token, self._seat = "", None
                if status in {b"404", b"410"} and self._session.last:
                    self._session.take(Message("gone"))
                await asyncio.sleep(PAUSE)
            except (OSError, EOFError):
                await asyncio.sleep(PAUSE)  # the process was killed, or the client leaves

    async def _stay(self, token: str) -> None:
        port = self._rng.choice(self._ports)
        async with stream(port, self._path, token, self._session.last) as opened:
            self.connections += 1
            self._session.seat = self._seat
            clock = asyncio.get_running_loop().time
            began = clock()
            try:
                while True:
                    event = await opened.next()
                    self._session.take(read_message(event))
                    if event.name == "game" and event.content["seat"] != self._seat:  # the players have changed seats
                        self._leave(began, clock())
                        self._session.seat = self._seat = event.content["seat"]
                        began = clock()
            finally:
                self._session.seat = None
                self._leave(began, clock())

    def _leave(self, began: float, ended: float) -> None:
        if self._seat is not None:
            self._session.stays.append((self._seat, began, ended))


def read_message(event: Event) -> Message:
    """Return a message of a stream as the history has it."""
    return Message(event.name, event.id, read_content(event.content["events"]) if event.name == "change" else ())
