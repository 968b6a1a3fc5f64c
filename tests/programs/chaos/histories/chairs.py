"""Callers who play games through every failure: they race, send again, hang up, and write down what they are told.

The computer plays some of the seats with them, and sometimes one seat more or less. In some games a limit for moves
runs, and now and then nobody makes a move until the computer does.
"""

import asyncio
from collections.abc import Sequence
from random import Random
from typing import Any, Final

from service.game.cards import NUMBER
from tests.programs.chaos.histories.history import DEALT, Change, Content, History
from tests.support.games.client import Answer, Call, Client
from tests.support.games.player import SHORT, Player

CALLERS: Final = 3
"""Callers to a game, each at a process of its own to begin with."""
HANG_UP: Final = 0.02
"""Seconds at most after which a caller hangs up."""
LOOK: Final = 0.02
"""Seconds until a caller looks again whether the computer has played."""
STALL: Final = 20.0
"""Seconds within which the computer must have played, through every failure."""
LIMIT: Final = 5
"""Seconds that a seat has for a move in some of the games."""
LOOK_AWAY: Final = 1.0
"""Seconds until a caller who is absent looks again."""


class Lost(Exception):
    """The game is not there: the store has lost it."""


class Chair:
    """One game after the other, each played by several callers."""

    def __init__(self, ports: Sequence[int], history: History, rng: Random, pause: float, limited: float) -> None:
        self._clients = [Client(ports, turn) for turn in range(CALLERS)]
        self._history = history
        self._rng = rng
        self._pause = pause
        self._limited = limited
        self._game = Player(self._clients[0], SHORT, rng)
        self._opening = self._game.opening()
        self._seat = 0
        self._waits: dict[str, float] = {}
        self._limit: int | None = None
        self._left = ("", False)

    @property
    def repeated(self) -> int:
        """How often a call was sent again because there was no answer."""
        return sum(len(client.failures) for client in self._clients)

    @property
    def path(self) -> str:
        """The path of the game."""
        return self._game.path

    def token(self, seat: int) -> str:
        """Return the token of a seat."""
        return self._game.tokens[seat]

    async def sit_down(self) -> str:
        """Open a game, sending the request again now and then, and return its id."""
        self._game = Player(self._clients[0], SHORT, self._rng)
        levels = self._rng.choices((None, "easy"), k=SHORT.players - 1)
        seats = [{}, *({"computer": level} for level in levels)]
        opening = self._game.opening()
        self._limit = LIMIT if self._rng.random() < self._limited else None
        body = {**(opening.body or {}), "seats": seats, "move_seconds": self._limit}
        self._opening = opening._replace(body=body)
        opened = await self._open(self._clients[0])
        if self._rng.random() < 0.5:
            opened = await self._open(self._clients[1])
        self._game.take_tokens(opened)
        self._seat = 0
        return self._game.id

    async def _open(self, client: Client) -> dict[str, Any]:
        answer = await client.insist(self._opening)
        assert answer.status == 201, answer
        opened: dict[str, Any] = answer.json
        return opened

    async def play(self, stop: asyncio.Event) -> None:
        """Play until the game is over, or there is to be an end.

        Errors: Lost.
        """
        while not stop.is_set():
            seen = await self._look()
            phase = seen.json["phase"]
            if phase == "game_over":
                return
            if phase == "playing":
                await self._take_turn(seen)
            else:
                await self._deal(seen)
            await asyncio.sleep(self._rng.uniform(0, 2 * self._pause))
        for seat in range(SHORT.players):
            await self._change_player(seat, computer=False)

    def leave(self) -> None:
        """Close the connections."""
        for client in self._clients:
            client.leave()

    async def _look(self) -> Answer:
        """Look at the game as the seat whose turn it is."""
        look = Call("GET", self.path, token=self.token(self._seat))
        answer = await self._insist(look)
        if answer.status == 404 and (await self._open(self._clients[0]))["id"] == self._game.id:
            answer = await self._insist(look)  # the very same game, opened again
        if answer.status == 404:
            raise Lost
        assert answer.status == 200, answer
        return answer

    async def _take_turn(self, seen: Answer) -> None:
        """Play a card for the seat that looked, if it is its turn; several callers may want to."""
        turn = seen.json["position"]["turn"]
        if turn and self._rng.random() < 0.02:
            await self._change_player(turn, computer=self._rng.random() < 0.5)
        elif seen.json["seats"][turn]["computer"]:
            await self._wait_for_computer(seen.headers["etag"], LOOK)
        elif self._is_left(seen.headers["etag"]):
            await self._wait_for_computer(seen.headers["etag"], LOOK_AWAY)
        elif turn != self._seat:
            self._seat = turn
        else:
            await self._play(seen)

    async def _play(self, seen: Answer) -> None:
        position = seen.json["position"]
        racers = self._rng.choice((1, 1, 1, CALLERS))
        cards = [self._rng.choice(position["legal_cards"]) for _ in range(racers)]
        calls = [self._playing(card, seen.headers["etag"]) for card in cards]
        answers = await asyncio.gather(
            *(self._send(call, client) for call, client in zip(calls, self._clients, strict=False))
        )
        for call, card, answer in zip(calls, cards, answers, strict=True):
            self._note(call, ("played", self._seat, NUMBER[card]), answer)
        if self._rng.random() < 0.2:
            self._note(calls[0], ("played", self._seat, NUMBER[cards[0]]), await self._insist(calls[0]))

    def _is_left(self, etag: str) -> bool:
        """Choose for each turn with a limit if its seat is absent. Return True if it is."""
        if self._left[0] != etag:
            self._left = (etag, self._limit is not None and self._rng.random() < 0.4)
        return self._left[1]

    async def _wait_for_computer(self, etag: str, pause: float) -> None:
        now = asyncio.get_running_loop().time()
        self._waits = {etag: self._waits.get(etag, now)}
        assert now - self._waits[etag] < STALL, f"the computer does not play in {self.path} at {etag}"
        await asyncio.sleep(pause)

    async def _change_player(self, seat: int, *, computer: bool) -> None:
        """Let the computer play a seat, or take it back, once no other change comes in between."""
        method, body = ("PUT", {"level": "easy"}) if computer else ("DELETE", None)
        path = f"{self.path}/seats/{seat}/computer"
        answer: Answer | None = None
        while answer is None or answer.status == 412:
            etag = (await self._look()).headers["etag"]
            answer = await self._insist(Call(method, path, body, self._game.host, etag))
        # Seats whose players were absent may be the computer's, and one is left to a person.
        assert answer.status in ({200, 404, 422} if computer and self._limit else {200, 404}), answer

    def _playing(self, card: str, etag: str) -> Call:
        return Call("POST", f"{self.path}/plays", {"card": card}, self.token(self._seat), etag)

    async def _deal(self, seen: Answer) -> None:
        """Add entropy now and then, and deal."""
        etag = seen.headers["etag"]
        if self._rng.random() < 0.5:
            text = f"{self._rng.getrandbits(64):x}"
            call = Call("POST", f"{self.path}/entropy", {"entropy": text}, self.token(self._seat))
            answer = await self._send(call, self._clients[0])
            self._note(call, ("stirred", self._seat, text), answer)
            etag = answer.headers.get("etag", etag)  # without one, the store has lost the deal after the entropy
        call = Call("POST", f"{self.path}/deals", {}, self._game.host, etag)
        self._note(call, DEALT, await self._send(call, self._clients[-1]))

    async def _send(self, call: Call, client: Client) -> Answer:
        """Send a call, perhaps hang up before it is answered, and send it until it is."""
        if self._rng.random() < 0.1:
            try:
                await client.ask_and_leave(call, self._rng.uniform(0, HANG_UP))
            except OSError:
                client.leave()
        return await client.insist(call)

    async def _insist(self, call: Call) -> Answer:
        """Send a call from any caller, and note what is shown."""
        answer = await self._rng.choice(self._clients).insist(call)
        self._see(answer)
        return answer

    def _see(self, answer: Answer) -> None:
        if "etag" in answer.headers:
            self._history.looks.add((self._game.id, answer.headers["etag"].strip('"')))

    def _note(self, call: Call, content: Content, answer: Answer) -> None:
        """Write down what an answer to a change says."""
        self._see(answer)
        told: dict[str, Any] = answer.json
        if answer.status == 200:
            after, before = answer.headers["etag"].strip('"'), (call.version or "").strip('"')
            assert after == told["version"], answer
            assert (call.body or {}).get("card") in {None, *(each.get("card") for each in told.get("events", ()))}, (
                answer
            )
            self._history.acknowledged.add(Change(self._game.id, before, after, content))
        elif answer.status != 404:
            assert told["code"] in {"stale_version", "entropy_given", "deal_not_over"}, answer
