"""A random player of all seats of a live game, who notes every acknowledged play."""

from random import Random
from typing import Any, NamedTuple
from uuid import UUID

from service.game.rulesets import RULESETS
from tests.support.games.callers import number_of
from tests.support.games.client import Answer, Call, Client


class Kind(NamedTuple):
    """A game that a source lays: its rules, how many play, in how many sides."""

    rules: str
    players: int
    sides: int


KINDS = [
    Kind(rules.id, table.players, sides)
    for rules in RULESETS.values()
    for table in rules.tables
    for sides in table.sides
]
SHORT = Kind("trebor", 4, 2)
"""Few plays to a game."""


class Player:
    """A game, and what its player knows of it."""

    def __init__(self, client: Client, kind: Kind, rng: Random, app: str | None = None) -> None:
        self.client = client
        self._app = app
        self.rng = rng
        self.kind = kind
        self.id = ""
        self.tokens: list[str] = []
        self.host = ""
        self.version = 0
        self.etag = ""
        self.position: dict[str, Any] = {}
        self.hands: dict[int, list[str]] = {}
        self.acknowledged: list[tuple[int, int, str]] = []

    @property
    def path(self) -> str:
        return f"/v1/games/{self.id}"

    @property
    def over(self) -> bool:
        return self.position.get("phase") == "game_over"

    def opening(self) -> Call:
        players, sides = self.kind.players, self.kind.sides
        seats = [[seat for seat in range(players) if seat % sides == side] for side in range(sides)]
        key = str(UUID(int=self.rng.getrandbits(128)))
        return Call("POST", "/v1/games", {"rules": self.kind.rules, "sides": seats}, key=key, app=self._app)

    async def open(self) -> None:
        answer = _checked(await self.client.insist(self.opening()), 201)
        self.take_tokens(answer.json)
        self.version, self.etag = number_of(answer.json["version"]), answer.headers["etag"]

    def take_tokens(self, opened: dict[str, Any]) -> None:
        """Take the id and the tokens of an opened game."""
        self.id, self.host = opened["id"], opened["host_token"]
        self.tokens = [seat["token"] for seat in opened["seats"]]

    async def deal(self) -> None:
        call = Call("POST", f"{self.path}/deals", {}, self.host, self.etag)
        self._take(_checked(await self.client.insist(call), 200))
        self.hands.clear()

    async def next_play(self) -> Call:
        """Choose a card that is likely to be legal."""
        seat = self.position["turn"]
        if not self.hands.get(seat):
            seen = _checked(await self.client.insist(Call("GET", self.path, token=self.tokens[seat])), 200).json
            self.hands[seat] = seen["position"]["state"]["hands"][seat]
        trick, hand = self.position["state"]["trick"], self.hands[seat]
        following = [card for card in hand if trick and card[1] == trick[0][1]]
        return self.playing(seat, self.rng.choice(following or hand))

    def playing(self, seat: int, card: str) -> Call:
        return Call("POST", f"{self.path}/plays", {"card": card}, self.tokens[seat], self.etag)

    async def play(self) -> None:
        """Play one card, another one if the rules forbid the first."""
        call = await self.next_play()
        answer = await self.client.insist(call)
        if answer.status == 422:
            seat = self.position["turn"]
            call = self.playing(seat, self.rng.choice(answer.json["verdict"]["legal_cards"]))
            answer = await self.client.insist(call)
        self.took(call, answer)

    def took(self, call: Call, answer: Answer) -> None:
        """Write down an acknowledged play."""
        assert call.body is not None
        seat, card = self.position["turn"], str(call.body["card"])
        assert call.version == self.etag
        before = self.version
        self._take(_checked(answer, 200))
        assert self.version == before + 1
        self.hands[seat].remove(card)
        self.acknowledged.append((self.position["state"]["deal"], seat, card))

    async def finish(self) -> None:
        """Play on to the end of the game."""
        while not self.over:
            if self.position.get("phase") != "playing":
                await self.deal()
            while self.position["phase"] == "playing":
                await self.play()

    async def check_record(self) -> None:
        """See that the record holds all that was acknowledged, in order and once, and adjudicates to the same."""
        record = _checked(await self.client.insist(Call("GET", f"{self.path}/record")), 200).json
        kept = [
            (at + 1, play["seat"], play["card"]) for at, deal in enumerate(record["deals"]) for play in deal["plays"]
        ]
        assert kept == self.acknowledged
        verdict = _checked(await self.client.insist(Call("POST", "/v1/adjudications", record, app=self._app)), 200).json
        assert verdict["irregularities"] == []
        assert verdict["winners"] == self.position["winners"]
        assert verdict["deals"][-1]["totals"] == self.position["totals"]

    async def whole_game(self) -> None:
        await self.open()
        await self.finish()
        await self.check_record()

    def _take(self, answer: Answer) -> None:
        self.version, self.etag = number_of(answer.json["version"]), answer.headers["etag"]
        self.position = answer.json["position"]


def _checked(answer: Answer, status: int) -> Answer:
    assert answer.status == status, answer
    return answer
