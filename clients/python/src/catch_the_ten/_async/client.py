"""The client of a service."""

from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from typing import Self

import httpx

from catch_the_ten._async.calls import AsyncCalls
from catch_the_ten._async.game import AsyncGame
from catch_the_ten._async.transport import AsyncTransport
from catch_the_ten.history import History
from catch_the_ten.models import ComputerLevel, FinishedGame
from catch_the_ten.problems import StaleVersion
from catch_the_ten.sight import Update


class AsyncClient(AsyncCalls):
    """A client of the service at `url`; `key` is the app's API key, if the service requires one.

    A call with a temporary failure is retried for up to `patience` seconds, after the delay that the service asks for.
    A stream without bytes for `silence` seconds is dead: the service sends something every 15 seconds. `http` carries
    settings of httpx itself: certificates, proxies, timeouts. The caller closes it.
    """

    def __init__(
        self,
        url: str = "http://127.0.0.1:8000",
        *,
        key: str = "",
        patience: float = 30.0,
        silence: float = 25.0,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        self._own = http is None
        self._http = http or httpx.AsyncClient(timeout=10, limits=httpx.Limits(max_connections=None))
        super().__init__(AsyncTransport(url, key, patience, silence, self._http))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections, unless the caller provided them."""
        if self._own:
            await self._http.aclose()

    async def join(self, game_id: str, token: str = "") -> AsyncGame:
        """Return a live game as the bearer of a token sees it; without a token, as a spectator."""
        return await AsyncGame.join(self._transport, game_id, token)

    async def finished_games(self, after: str = "", *, wait: int = 20) -> AsyncGenerator[FinishedGame]:
        """Follow the app's finished games, from the oldest available or behind a stored `place`.

        It waits for the next game without end. Store a game's `place` once you have handled the game. After a crash a
        game may come again with the same `id`.
        """
        place: str | None = after or None
        while True:
            page = await self.list_finished_games(after=place, wait=wait)
            for game in page.games:
                yield game
            place = page.next

    async def play_seat(self, game: AsyncGame, level: ComputerLevel = "medium") -> AsyncGenerator[Update]:
        """Play the seat of a game to its end with the cards that the service suggests, and deal where it deals.

        Yields each update before it acts on it.
        """
        history = History()
        async with aclosing(game.changes()) as updates:
            async for update in updates:
                history.take(update)
                yield update
                if update.version == game.latest.version:
                    with suppress(StaleVersion):  # somebody was faster; the next update shows it
                        await self._act(game, level, history)

    async def _act(self, game: AsyncGame, level: ComputerLevel, history: History) -> None:
        if game.is_my_deal:
            await game.deal()
        elif game.position is not None and game.is_my_turn:
            suggested = await self.suggestions(game.position.state, level=level, plays=history.plays)
            await game.play(suggested.card)
