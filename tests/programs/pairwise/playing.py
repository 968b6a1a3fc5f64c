"""One live game, played to its end by bearers who each follow it, whichever client they use."""

from collections.abc import Iterator
from random import Random
from typing import Any, Protocol

from msgspec import Struct

from tests.programs.agreement.asking import Json


class Seen(Struct, frozen=True):
    """The game that a bearer was shown: the whole game, or a change of it."""

    revision: str
    phase: str
    dealer: int
    position: Json | None
    events: list[Json]

    @property
    def version(self) -> int:
        """Its version."""
        return version_of(self.revision)


def seen_of(event: str, revision: str, shown: Json) -> Seen:
    """Return what a message shows: the whole game, or a change."""
    events: list[Json] = shown["events"] if event == "change" else []
    return Seen(revision, shown["phase"], shown["dealer"], shown["position"], events)


def version_of(revision: str) -> int:
    """Return the number of a version."""
    return int(revision.partition("-")[0])


class OpenedSeat(Struct, frozen=True):
    """A seat, who plays it, and its token."""

    computer: str | None
    token: str


class Opened(Struct, frozen=True):
    """A game that is open, its first version, and its tokens."""

    id: str
    version: str
    seats: list[OpenedSeat]
    host_token: str

    @property
    def tokens(self) -> list[str]:
        """By seat: its token."""
        return [seat.token for seat in self.seats]

    @property
    def path(self) -> str:
        """Its path."""
        return f"/v1/games/{self.id}"


class Played(Struct, frozen=True):
    """A game that was played: what each bearer saw, by token ("" for a spectator), and the card that was no legal one.

    Shape: `verdict` on that card, where it was refused; `said` is what pages show at the end.
    """

    opened: Opened
    seen: dict[str, list[Seen]] = {}
    slipped: bool = False
    verdict: Json | None = None
    said: list[str] = []


class IllegalCard(Exception):
    """The service refuses a card, with this verdict."""

    def __init__(self, verdict: Json) -> None:
        super().__init__(verdict)
        self.verdict = verdict


class Bearer(Protocol):
    """One who plays a seat, deals as the host, or looks on.

    Errors: `play` raises IllegalCard.
    """

    def wait(self) -> Seen:
        """Wait for the next version of the game."""
        ...

    def play(self, card: str) -> None: ...

    def deal(self) -> None: ...

    def add_entropy(self, entropy: str) -> None: ...

    def resign(self) -> None: ...


class Table:
    """The bearers of one game: a seat of each person, the host and a spectator, who all see each version in step."""

    def __init__(
        self, opened: Opened, opening: Json, bearers: dict[str, Bearer], chance: Random, *, resigns: bool
    ) -> None:
        self._opened = opened
        self._bearers = bearers
        self._persons = [seat for seat, token in enumerate(opened.tokens) if token in bearers]
        self._penalised = opening.get("on_revoke") == "penalise"
        self._resigns = resigns
        self._chance = chance
        self._slipped = False
        self._verdict: Json | None = None
        self._stirred = -1
        self._seen: dict[str, list[Seen]] = {token: [] for token in bearers}

    def play(self) -> Played:
        """Play to the end of the game."""
        while True:
            shown = self._wait()
            seen = shown[""]
            if seen.phase == "game_over":
                return Played(self._opened, self._seen, self._slipped, self._verdict)
            if seen.phase == "playing":
                self._play_turn(shown)
            else:
                self._prepare(seen)

    def _wait(self) -> dict[str, Seen]:
        """Wait for the next version, until all are shown the same: a computer may go on before the last has come."""
        shown = {token: self._note(token) for token in self._bearers}
        while len({seen.revision for seen in shown.values()}) > 1:
            last = max(seen.version for seen in shown.values())
            shown |= {token: self._note(token) for token, seen in shown.items() if seen.version < last}
        return shown

    def _note(self, token: str) -> Seen:
        self._seen[token].append(self._bearers[token].wait())
        return self._seen[token][-1]

    def _prepare(self, seen: Seen) -> None:
        """Add to the shuffle, and once that is shown, deal: as the dealer or, in later deals, as the host."""
        deal = 0 if seen.position is None else seen.position["state"]["deal"]
        if seen.dealer not in self._persons:
            return  # the computer deals
        if self._stirred < deal:
            self._stirred = deal
            self._bearer(self._persons[0]).add_entropy(f"from-deal-{deal}")
        else:
            self._bearer(None if deal else seen.dealer).deal()

    def _play_turn(self, shown: dict[str, Seen]) -> None:
        seat = position_of(shown[""])["turn"]
        if seat not in self._persons:
            return  # the computer plays
        position = position_of(shown[self._opened.tokens[seat]])
        if self._resigns and is_half_played(position):
            self._bearer(seat).resign()
            return
        hand, legal = position["state"]["hands"][seat], position["legal_cards"]
        illegal = [card for card in hand if card not in legal]
        if illegal and not self._slipped and (not self._penalised or is_half_played(position)):
            self._slipped = True
            try:
                self._bearer(seat).play(illegal[0])
            except IllegalCard as exc:
                assert not self._penalised
                self._verdict = exc.verdict
            else:
                assert self._penalised, "an illegal card was played"
                return
        self._bearer(seat).play(self._chance.choice(legal))

    def _bearer(self, seat: int | None) -> Bearer:
        return self._bearers[self._opened.host_token if seat is None else self._opened.tokens[seat]]


def is_half_played(position: Json) -> bool:
    """Return whether a deal is in its second half: then comes what ends it, an illegal card or a resignation."""
    state = position["state"]
    return sum(map(len, state["taken"])) >= sum(map(len_of, state["hands"]))


def len_of(hand: Any) -> int:
    """Return the number of cards of a hand, seen or not."""
    return hand if isinstance(hand, int) else len(hand)


def position_of(seen: Seen) -> Json:
    """Return the position of a game that is dealt."""
    assert seen.position is not None
    return seen.position


def bearers_of(opened: Opened) -> Iterator[str]:
    """List the tokens of those who follow: the seats of people, the host, and "" for a spectator."""
    yield from (seat.token for seat in opened.seats if seat.computer is None)
    yield from (opened.host_token, "")
