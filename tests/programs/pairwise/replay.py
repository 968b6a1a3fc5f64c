"""A game as the second engine has it, from its record: every state, and what each bearer must have been shown of it."""

from collections.abc import Iterable
from typing import NamedTuple

from tests.programs.agreement import expected
from tests.programs.agreement.asking import Json
from tests.programs.pairwise.playing import Seen, len_of
from tests.reference import engine
from tests.reference.engine import State
from tests.reference.records import first_state

Place = tuple[int, int]
"""A state of a game, by the number of its deal, and the cards of it that have been played."""


class Turn(NamedTuple):
    """A card of a deal, the state before it, and the state after it."""

    before: State
    card: str
    after: State


class Replay:
    """A record, played by the second engine."""

    def __init__(self, record: Json) -> None:
        self.record = record
        self.deals = [list(turns) for turns in _play(record)]
        self.turns = [turn for turns in self.deals for turn in turns]
        self.states = {place_of(turns[0].before): turns[0].before for turns in self.deals}
        self.states |= {place_of(turn.after): turn.after for turn in self.turns}

    @property
    def winners(self) -> list[int]:
        """The sides that have won: where a seat resigned, all others."""
        resigned = self.record["resigned"]
        if resigned is None:
            return engine.winners(self.end)
        return [side for side, seats in enumerate(self.record["sides"]) if resigned not in seats]

    @property
    def end(self) -> State:
        """The last state."""
        return self.turns[-1].after

    @property
    def hidden(self) -> Json:
        """The same record with only the cards played known, and with the revoke that the table found."""
        penalised = self.record["on_revoke"] == "penalise"
        pairs = zip(self.record["deals"], self.deals, strict=True)
        return {**self.record, "deals": [_hide(deal, turns, penalised=penalised) for deal, turns in pairs]}

    def check(self, seen: Iterable[Seen], seat: int | None) -> None:
        """Hold what a bearer was shown to what the bearer may see of the states."""
        places: list[Place] = []
        for shown in seen:
            if shown.position is None:
                continue
            places.append(place_of(shown.position["state"]))
            self._check_position(shown.position, self.states[places[-1]], seat)
        # Other changes, such as entropy, show a state again.
        assert [*dict.fromkeys(places)] == sorted(self.states), "a state was left out, or was shown in another order"

    def _check_position(self, position: Json, state: State, seat: int | None) -> None:
        should_be = expected.position(state)
        if position["phase"] == "game_over":
            should_be |= {"phase": "game_over", "turn": None, "legal_cards": [], "winners": self.winners}
        shown = {name: value for name, value in position.items() if name != "notation"}
        if should_be["turn"] == seat or should_be["turn"] is None:
            assert shown["legal_cards"] == should_be["legal_cards"], (shown, should_be)
        else:
            assert shown["legal_cards"] in (None, should_be["legal_cards"]), (shown, should_be)
        assert shown == {**should_be, "state": expected.view(state, seat), "legal_cards": shown["legal_cards"]}


def _hide(deal: Json, turns: list[Turn], *, penalised: bool) -> Json:
    last = len(turns) - 1
    revoked = penalised and turns[last].after["revoked"] is not None
    return {
        **deal,
        "hands": [len(hand) for hand in deal["hands"]],
        "later_hands": [[len(hand) for hand in hands] for hands in deal["later_hands"]],
        "revokes_found": [{"play_index": last, "after_index": last}] if revoked else [],
        "proof": None,
    }


def _play(record: Json) -> Iterable[list[Turn]]:
    scores = record["scores"] or [0] * len(record["sides"])
    for number, deal in enumerate(record["deals"]):
        state = first_state(record, number, scores)
        turns: list[Turn] = []
        for play in deal["plays"]:
            assert play["seat"] == engine.turn(state)
            after = engine.play(state, play["card"], record["on_revoke"] == "penalise")
            turns.append(Turn(state, play["card"], after))
            state = after
        last = "game_over" if record["resigned"] is None else "playing"
        assert engine.phase(state) == (last if deal is record["deals"][-1] else "deal_over")
        scores = engine.scores_carried_on(state)
        yield turns


def place_of(state: Json) -> Place:
    """Return the place of a state in its game."""
    return state["deal"], sum(map(len_of, state["taken"])) + len(state["trick"])
