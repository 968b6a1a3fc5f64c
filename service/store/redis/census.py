"""How many games there are in Redis: counted now and then by one process, for all who want to know.

Redis could keep an index of the games only if somebody took out of it what has expired. So the keys are walked, a page
at a time and with pauses, by whoever asks first once a turn is over; nobody asks, nobody walks.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

from service.store.protocol import StoreDown, StoreFull
from service.store.redis.pipeline import Answer, Command, Line
from service.store.redis.topology import Place, Places, Theirs

NAME: Final = "census"
"""In the place of a game's id."""
KEPT: Final = f"catchten:{{{NAME}}}"
TURN: Final = f"{KEPT}:turn"
TURN_SECONDS: Final = 60
"""Nobody begins sooner after another."""
KEPT_SECONDS: Final = 600
"""After so long the number is no longer told."""
PAGE: Final = 1000
"""Keys looked at in one command, which takes Redis less than a millisecond."""
PAUSE: Final = 0.02
"""Seconds between two pages."""


class Taker:
    """One who counts the games when it is his turn.

    Unit: `timeout` bounds a step, in seconds.
    """

    def __init__(
        self,
        places: Places,
        line: Callable[[Place], Line],
        ask: Callable[[str, Command], Awaitable[Answer]],
        timeout: float,
    ) -> None:
        self._places = places
        self._line = line
        self._ask = ask
        self._timeout = timeout
        self._walking: asyncio.Task[None] | None = None

    async def games(self) -> int | None:
        """Tell how many games there were of late, and begin to count if it is time.

        Errors: StoreDown.
        """
        if (self._walking is None or self._walking.done()) and await self._take_turn():
            self._walking = asyncio.create_task(self._walk())
        kept: Theirs = await self._ask(NAME, Command(("GET", KEPT)))
        return None if kept is None else int(kept)

    async def close(self) -> None:
        """Leave off."""
        if self._walking is not None:
            self._walking.cancel()
            await asyncio.wait([self._walking])

    async def _take_turn(self) -> bool:
        with suppress(StoreFull):
            return await self._ask(NAME, Command(("SET", TURN, "", "NX", "EX", TURN_SECONDS))) is not None
        return False

    async def _walk(self) -> None:
        """Count the games, unless Redis is out of reach or full; then somebody begins again when the turn is over."""
        with suppress(StoreDown, StoreFull, TimeoutError):
            async with asyncio.timeout(self._timeout):
                places = await self._places.primaries()
            games = sum([await self._count(place) for place in places])
            await self._ask(NAME, Command(("SET", KEPT, games, "EX", KEPT_SECONDS)))

    async def _count(self, place: Place) -> int:
        games, cursor = 0, b"0"
        while True:
            cursor, found = await self._page(place, cursor)
            games += found
            if cursor == b"0":
                return games
            # A walk that takes longer than a turn keeps it.
            await self._ask(NAME, Command(("SET", TURN, "", "EX", TURN_SECONDS)))
            await asyncio.sleep(PAUSE)

    async def _page(self, place: Place, cursor: bytes) -> tuple[bytes, int]:
        """Look at some keys; only games are lists."""
        words = ("SCAN", cursor, "MATCH", "catchten:{*", "COUNT", PAGE, "TYPE", "list")
        until = asyncio.get_running_loop().time() + self._timeout
        answer: Theirs = await self._line(place).ask(Command(words), until)
        if isinstance(answer, Exception):
            raise StoreDown from answer
        return answer[0], len(answer[1])
