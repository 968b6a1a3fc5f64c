"""A client that follows a game in event streams, leaves now and then, and comes back anywhere with what it saw last."""

import asyncio
from collections.abc import Sequence
from random import Random
from typing import Final

from service.game.cards import NUMBER
from tests.programs.chaos.histories.history import DEALT, UNTOLD, Content, Message, Session
from tests.support.games.streams import Event, NotServed, stream

STAY: Final = 0.2
"""Seconds for which a client stays with one connection, at least."""
PAUSE: Final = 0.1
"""Seconds until it comes back."""


class Follower:
    """One client of a game's streams.

    Unit: `stay`, with one connection, in seconds at most.
    """

    def __init__(self, ports: Sequence[int], session: Session, path: str, token: str, rng: Random, stay: float) -> None:
        self._ports = ports
        self._session = session
        self._path = path
        self._token = token
        self._rng = rng
        self._longest = stay
        self.connections = 0

    async def follow(self) -> None:
        """Follow the game until it is cancelled."""
        while True:
            try:
                async with asyncio.timeout(self._rng.uniform(STAY, self._longest)):
                    await self._stay()
            except NotServed as refused:
                if b" 404 " in refused.head and self._session.last:
                    self._session.take(Message("gone"))
                await asyncio.sleep(PAUSE)
            except (OSError, EOFError):
                await asyncio.sleep(PAUSE)  # the process was killed, or the client leaves

    async def _stay(self) -> None:
        port = self._rng.choice(self._ports)
        async with stream(port, self._path, self._token, self._session.last) as opened:
            self.connections += 1
            while True:
                self._session.take(read_message(await opened.next()))


def read_message(event: Event) -> Message:
    """Return a message of a stream as the history has it."""
    return Message(event.name, event.id, _content(event) if event.name == "change" else UNTOLD)


def _content(event: Event) -> Content:
    """Return what an event tells of a change: the card, or that the cards were dealt."""
    for happened in event.content["events"]:
        if happened["type"] == "card_played":
            return ("played", happened["seat"], NUMBER[happened["card"]])
        if happened["type"] == "cards_dealt":
            return DEALT
        if happened["type"] == "token_renewed":
            return ("renewed", happened["seat"])
        if happened["type"] in {"computer_seated", "computer_left"}:
            return ("seated", happened["seat"], happened.get("level"))
    return UNTOLD
