"""The app that opens all games: it follows the feed of its finished games, a few at a time, at any process."""

import asyncio
from collections.abc import Collection
from hashlib import sha256
from random import Random
from typing import Any, Final

from tests.programs.chaos.histories.harmed import Harmed
from tests.programs.chaos.histories.history import History
from tests.support.games.client import Call, Client

APP_KEY: Final = "the-key-of-the-app"
API_KEYS: Final = f"app:{sha256(APP_KEY.encode()).hexdigest()}"
WAIT_SECONDS: Final = 2
"""Seconds for which a request waits for a game."""


class Reader:
    """A reader of the feed, which goes on behind the last game that it saw.

    Shape: `strikes` is the share of its requests during which the process that is asked is killed.
    """

    def __init__(self, servers: Harmed, history: History, rng: Random, strikes: float = 0.0) -> None:
        self._servers = servers
        self._client = Client(servers.ports)
        self._strikes = strikes
        self._history = history
        self._rng = rng
        self._place: str | None = None

    async def follow(self, stop: asyncio.Event) -> None:
        """Read the feed until this is cancelled; no process is killed once there is to be an end."""
        while True:
            self._client.turn_to(self._rng.randrange(9))
            if self._strikes and not stop.is_set() and self._rng.random() < self._strikes:
                games, _ = await asyncio.gather(self._read(WAIT_SECONDS), self._servers.strike(self._client.port))
            else:
                games = await self._read(WAIT_SECONDS)
            self._history.finished += games

    async def read_all(self) -> list[Any]:
        """Read the whole feed from its beginning."""
        self._place, games = None, list[Any]()
        while page := await self._read(0):
            games += page
        return games

    async def _read(self, wait: int) -> list[Any]:
        after = f"&after={self._place}" if self._place else ""
        path = f"/v1/finished-games?limit={self._rng.randint(1, 3)}&wait={wait}{after}"
        answer = await self._client.insist(Call("GET", path, app=APP_KEY))
        assert answer.status == 200, answer
        page = answer.json
        self._place = page["next"]
        if page["dropped"]:
            self._history.wrong.append(f"the feed has dropped {page['dropped']} games")
        return list(page["games"])

    def leave(self) -> None:
        """Close the connection."""
        self._client.leave()


async def wait_for_games(history: History, games: Collection[str], longest: float) -> None:
    """Wait until the feed has shown games, for some seconds at most."""
    clock = asyncio.get_running_loop().time
    until = clock() + longest
    while {*games} - {each["id"] for each in history.finished} and clock() < until:  # noqa: ASYNC110 – readers tell nobody
        await asyncio.sleep(0.5)
