"""Callers of live games: the service inside this process over a store, and one table of players who talk to it."""

import asyncio
from collections.abc import Coroutine, Sequence
from random import Random
from typing import Any, Final, Literal, NamedTuple, TypeAlias, TypeVar

import msgspec
from msgspec.structs import replace

from service.api.games.games import OpenedGame
from service.app import create_app
from service.game.cards import CardCode
from service.game.rulesets import Rules, Seat
from service.http.readiness import ShutdownState
from service.live.computers import LIMITS, Limits
from service.live.repository import Clock
from service.live.store.protocol import Store
from service.platform.settings import Settings
from service.schemas.live_game import Change, GamePhase, LiveGame
from service.schemas.revision import Revision, parse_revision
from tests.support import wire
from tests.support.http.client import Answer, Request, send_request

Result = TypeVar("Result")
Bearer: TypeAlias = Seat | Literal["host"] | None
"""A seat, the host, or a spectator without a token."""
Version: TypeAlias = int | Revision
"""A version by its number, for which a table knows the revision that it saw last, or by its revision."""
Headers: TypeAlias = tuple[tuple[str, str], ...]

GAMES: Final = "/v1/games"
NAMED: Final = ("x-request-id", "the-same")
"""So that answers that are alike are the same."""
EVERYBODY: Final[tuple[Bearer, ...]] = ("host", None)


class Live:
    """The service over a store, in an event loop that goes on from call to call."""

    def __init__(
        self,
        runner: asyncio.Runner,
        store: Store,
        settings: Settings | None = None,
        clock: Clock | None = None,
        limits: Limits = LIMITS,
    ) -> None:
        self.runner = runner
        self.store = store
        self.stop = ShutdownState()
        self.app = create_app(settings or Settings(), store, self.stop, clock=clock, limits=limits)
        self.client = "127.0.0.1"

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Run something in the loop of the service."""
        return self.runner.run(work)

    def call(self, method: str, path: str, body: object = None, headers: Headers = ()) -> Answer:
        """Send a request; a body of bytes goes as it is, any other as JSON."""
        return self.run(self.asked(method, path, body, headers))

    async def asked(self, method: str, path: str, body: object = None, headers: Headers = ()) -> Answer:
        """Send a request, beside others."""
        raw = body if isinstance(body, bytes) else b"" if body is None else msgspec.json.encode(body)
        answer = await send_request(Request(path, (raw,), method, (*headers, NAMED), client=self.client), self.app)
        assert answer is not None
        return answer

    def open(
        self, rules: Rules = "trebor", players: int = 4, computers: Sequence[str | None] = (), **more: object
    ) -> "Table":
        """Open a game, with computers of these levels at the seats if any are named."""
        body: dict[str, object] = {"rules": rules, **more}
        if computers:
            body["seats"] = write_seats(computers)
        if "sides" not in more:
            body["players"] = players
        answer = self.call("POST", GAMES, body)
        assert answer.status == 201, answer
        return Table(self, answer)


class Table:
    """A live game, and those who know its tokens and have seen its revisions, the last of each version."""

    def __init__(self, live: Live, opening: Answer, seen: dict[int, Revision] | None = None) -> None:
        self.live = live
        self._opening = opening
        self._seen = {} if seen is None else seen
        if seen is None:
            self.note(opening)
        self.opened = opened = opening.read(OpenedGame)
        self.path = f"{GAMES}/{opened.id}"
        self.tokens = tuple(seat.token for seat in opened.seats)
        self.seats = range(len(self.tokens))

    @property
    def secrets(self) -> tuple[str, ...]:
        """Every token."""
        return (*self.tokens, self.opened.host_token)

    def over(self, live: Live) -> "Table":
        """The same game as another instance of the service shows it."""
        return Table(live, self._opening, self._seen)

    def note(self, answer: Answer) -> None:
        """Note the revision that an answer shows."""
        revision = parse_revision(answer.headers.get("etag", "").strip('"'))
        if revision is not None:
            self._seen.pop(revision.version, None)
            self._seen[revision.version] = revision  # as the last

    def revision(self, version: Version) -> Revision:
        """Return the seen revision of a version, or an impossible one."""
        if isinstance(version, Revision):
            return version
        return self._seen.get(version, Revision(version, "0" * 8))

    def token(self, bearer: Bearer) -> Headers:
        """The header that a bearer sends."""
        if bearer is None:
            return ()
        token = self.opened.host_token if bearer == "host" else self.tokens[bearer]
        return (("authorization", f"Bearer {token}"),)

    def call(
        self, bearer: Bearer, method: str, what: str = "", body: object = None, version: Version | None = None
    ) -> Answer:
        """Call as a bearer, at a version if one is named."""
        answer = self.live.call(method, self.path + what, body, self.headers(bearer, version))
        self.note(answer)
        return answer

    def headers(self, bearer: Bearer, version: Version | None) -> Headers:
        """The headers of a bearer who saw a version."""
        seen = () if version is None else (("if-match", f'"{self.revision(version)}"'),)
        return (*self.token(bearer), *seen)

    def see(self, bearer: Bearer = None) -> LiveGame:
        """Look at the game."""
        answer = self.call(bearer, "GET")
        assert answer.status == 200, answer
        return answer.read(LiveGame)

    def number(self) -> int:
        """Return the number of the version at which the game stands."""
        return number_of(self.see().version)

    def phase(self) -> GamePhase:
        """Return where the game stands."""
        return self.see().phase

    @property
    def last_seen(self) -> Revision:
        """The revision that was seen last."""
        return next(reversed(self._seen.values()))

    def deal(self, bearer: Bearer = "host", version: Version | None = None, **body: object) -> Answer:
        """Deal the next deal, at a version or at the one that was seen last."""
        return self.call(bearer, "POST", "/deals", body, version or self.last_seen)

    def resign(self, bearer: Bearer, version: Version | None = None, **body: object) -> Answer:
        """Resign, at a version or at the one that was seen last."""
        return self.call(bearer, "POST", "/resignations", body, version or self.last_seen)

    def rematch(self, bearer: Bearer = "host") -> Answer:
        """Open the next game for the same people."""
        return self.call(bearer, "POST", "/rematches")

    def with_id(self, game: str) -> "Table":
        """The same people at another game, which has the same tokens."""
        opening = replace(self._opening, body=msgspec.json.encode(replace(self.opened, id=game)))
        return Table(self.live, opening, {})

    def stir(self, seat: Bearer, entropy: str) -> Answer:
        """Add to the next shuffle."""
        return self.call(seat, "POST", "/entropy", {"entropy": entropy})

    def play(self, seat: Bearer, card: str, version: Version | None) -> Answer:
        """Play a card."""
        return self.call(seat, "POST", "/plays", {"card": card}, version)

    def turn(self, seat: Seat | None = None) -> "Turn":
        """Return the turn as its seat sees it; whose turn it is, is looked up unless it is known."""
        seat = position_of(self.see()).turn if seat is None else seat
        assert seat is not None
        game = self.see(seat)
        position = position_of(game)
        hand = position.state.hands[seat]
        assert not isinstance(hand, int)
        assert position.legal_cards
        return Turn(seat, number_of(game.version), hand, position.legal_cards, position)

    def play_any(self, chance: Random, seat: Seat | None = None) -> Change:
        """Play any legal card for the seat whose turn it is."""
        turn = self.turn(seat)
        answer = self.play(turn.seat, chance.choice(turn.legal), turn.version)
        assert answer.status == 200, answer
        return answer.read(Change)

    def play_deal(self, chance: Random) -> None:
        """Play on until the deal is over."""
        turn = position_of(self.see()).turn
        while (change := self.play_any(chance, turn)).phase == "playing":
            turn = position_of(change).turn

    def play_game(self, chance: Random) -> None:
        """Deal and play on until the game is over."""
        while (phase := self.phase()) != "game_over":
            if phase != "playing":
                assert self.deal().status == 200
            self.play_deal(chance)

    def turn_with_illegal_card(self, chance: Random) -> "tuple[Turn, CardCode]":
        """Play on to a turn of a seat that holds a card that it may not play."""
        while True:
            if self.phase() != "playing":
                assert self.deal().status == 200
            turn = self.turn()
            if illegal := set(turn.hand) - set(turn.legal):
                return turn, min(illegal)
            self.play_any(chance)


class Turn(NamedTuple):
    """A turn: the seat, the number of the version that it sees, its hand and the cards that it may play."""

    seat: Seat
    version: int
    hand: tuple[CardCode, ...]
    legal: tuple[CardCode, ...]
    position: wire.Position

    @property
    def other(self) -> Seat:
        """A seat whose turn it is not."""
        return (self.seat + 1) % len(self.position.state.hands)


def write_seats(computers: Sequence[str | None]) -> list[dict[str, str | None]]:
    """Write the seats of a game to open, by the levels of the computers at them."""
    return [{"computer": level} for level in computers]


def computers_of(game: LiveGame) -> tuple[str | None, ...]:
    """Return the levels of the computers at the seats of a game."""
    return tuple(seat.computer for seat in game.seats)


def number_of(version: str) -> int:
    """Return the number of a version."""
    revision = parse_revision(version)
    assert revision is not None
    return revision.version


def position_of(game: LiveGame | Change) -> wire.Position:
    """Return the position of a game that is dealt, or after a change of one."""
    assert game.position is not None
    return game.position
