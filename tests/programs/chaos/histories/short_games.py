"""A caller whose games end at once, in every way, while the process that is asked may be killed."""

import asyncio
from random import Random
from typing import Any, Final, Literal, TypeAlias

from tests.programs.chaos.histories.chairs import GONE, LOOK, PACK, SIDES, Wish
from tests.programs.chaos.histories.feeds import APP_KEY
from tests.programs.chaos.histories.harmed import Harmed
from tests.programs.chaos.histories.history import Change, History, read_content
from tests.reference import engine
from tests.support.games.client import Answer, Call, Client
from tests.support.games.player import SHORT, Player

End: TypeAlias = Literal["card", "computer", "resignation", "deletion", "expiry"]
ENDS: Final[tuple[End, ...]] = ("card", "computer", "resignation", "deletion", "expiry")
WEIGHTS: Final = (6, 6, 6, 6, 1)
"""How often games end in each way."""
EXPIRY: Final = 60
"""Seconds after which a game without a change expires: the shortest time."""
STRIKES: Final = 0.1
"""Share of the requests during which the process that is asked is killed."""
SCORES: Final = [30, 30]
"""Scores at which the first deal almost always ends the game."""


def make_last_position(rng: Random) -> Any:
    """Make a deal in play whose next card ends the game, whichever card it is."""
    while True:
        state = engine.deal("trebor", SIDES, rng.randrange(SHORT.players), rng.sample(PACK, len(PACK)), 1, SCORES)
        while engine.phase(state) == "playing":
            nexts = [engine.play(state, card) for card in engine.legal_cards(state)]
            if all(engine.phase(each) == "game_over" for each in nexts):
                return state
            state = rng.choice(nexts)


class ShortGames:
    """Opens one game after the other, and ends it."""

    def __init__(self, servers: Harmed, history: History, rng: Random, pause: float) -> None:
        self._servers = servers
        self._client = Client(servers.ports)
        self._history = history
        self._rng = rng
        self._pause = pause

    async def play(self, stop: asyncio.Event) -> None:
        """Play until there is to be an end."""
        while not stop.is_set():
            self._client.turn_to(self._rng.randrange(9))
            (end,) = self._rng.choices(ENDS, WEIGHTS)
            await self._play_to(end)
            await asyncio.sleep(self._rng.uniform(0, 2 * self._pause))
        self._client.leave()

    async def _play_to(self, end: End) -> None:
        state, player = make_last_position(self._rng), Player(self._client, SHORT, self._rng)
        turn: int = engine.turn(state) or 0
        seats = [{"computer": "easy"} if end == "computer" and seat == turn else {} for seat in range(SHORT.players)]
        body = {"rules": SHORT.rules, "state": state, "seats": seats, "ttl": EXPIRY if end == "expiry" else 3600}
        opened = await self._ask(player.opening()._replace(body=body, app=APP_KEY))
        assert opened.status == 201, opened
        player.take_tokens(opened.json)
        if end == "deletion":
            answer = await self._ask(Call("DELETE", player.path, None, player.host))
            assert answer.status in {204, *GONE}, answer
        elif end == "computer":
            await self._wait_for_computer(player.path)
        elif end != "expiry":
            await self._change(player.id, self._make_last(end, player, state, turn, opened.headers["etag"]))
        self._note_end(player.id, end)

    def _make_last(self, end: End, player: Player, state: Any, turn: int, etag: str) -> Wish:
        """Make the wish of a seat that ends its game."""
        if end == "resignation":
            seat = self._rng.randrange(SHORT.players)
            call = Call("POST", f"{player.path}/resignations", {}, player.tokens[seat], etag)
            return Wish(call, ("resigned", seat))
        card = self._rng.choice(engine.legal_cards(state))
        return Wish(
            Call("POST", f"{player.path}/plays", {"card": card}, player.tokens[turn], etag), ("played", turn, card)
        )

    async def _change(self, game: str, wish: Wish) -> None:
        """Make a change, and note the answer."""
        self._history.asked[game].add(wish.act)
        answer = await self._ask(wish.call)
        if answer.status == 200:
            told, before = answer.json, (wish.call.version or "").strip('"')
            at = asyncio.get_running_loop().time()
            change = Change(game, before, told["version"], read_content(told["events"]), wish.call.token or "", at)
            self._history.acknowledged[change] = None
        elif self._history.lossless:
            self._history.wrong.append(f"refused: {wish} in {game}: {answer.json}")

    async def _wait_for_computer(self, path: str) -> None:
        """Follow a game until the computer has ended it, or the store has lost it."""
        while (seen := await self._client.insist(Call("GET", path))).status == 200:
            if seen.json["phase"] == "game_over":
                return
            await asyncio.sleep(LOOK)

    async def _ask(self, call: Call) -> Answer:
        """Send a call until it is answered, and kill the process that is asked now and then."""
        if self._rng.random() >= STRIKES:
            return await self._client.insist(call)
        answer, _ = await asyncio.gather(self._client.insist(call), self._servers.strike(self._client.port))
        return answer

    def _note_end(self, game: str, end: End) -> None:
        """Write down how the feed has to tell of a game."""
        outcomes = {"deletion": "deleted", "expiry": "abandoned"}
        self._history.outcomes[game] = outcomes.get(end, "won")
        if end in outcomes:
            self._history.deleted.add(game)
