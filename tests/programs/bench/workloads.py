"""The workloads: for every kind of question some bodies, of states from random games of every ruleset and count."""

from collections.abc import Callable
from itertools import chain
from random import Random
from typing import Final, NamedTuple

import msgspec

from service.api.batches import batch as batches
from service.api.batches import items as batch_questions
from service.game.cards import Card, card_code, cards_of
from service.game.state import to_claim
from tests.programs.bench.games import Deal, Moment, draw_games, moments
from tests.support.questions import QUESTIONS

SEED: Final = 41
BODIES: Final = 64
"""Different bodies of a workload, asked in turn."""
LATE_TRICKS: Final = 2
"""Tricks that are left where a claim or an analysis is asked for."""
_BATCHED: Final = ("diagnoses", "next_states", "positions")
NAMES: Final = (
    *(question.kind for question in QUESTIONS),
    *(f"batch_{kind}" for kind in _BATCHED),
)
"""The name of every workload."""


class Workload(NamedTuple):
    """A kind of request: where it goes, and its bodies.

    Unit: `questions` in each body; `connections` that ask at once.
    """

    name: str
    path: str
    bodies: tuple[bytes, ...]
    questions: int = 1
    connections: int = 16


def _hand(moment: Moment) -> int:
    return moment.state.hands[moment.state.seat_to_play]


def _is_late(moment: Moment) -> bool:
    """Return True in the last tricks: before, a search in pure Python outlasts the round in which it is asked for."""
    return not moment.state.later_hands and max(map(int.bit_count, moment.state.hands)) <= LATE_TRICKS


def _state(moment: Moment) -> dict[str, object]:
    return {"state": to_claim(moment.state)}


def _first(cards: int) -> str:
    return card_code(cards_of(cards)[0])


def _deal(moment: Moment) -> dict[str, object]:
    table, state = moment.game.table, moment.state
    return {"rules": table.rules, "players": table.players, "dealer": state.dealer, "seed": f"bench-{state.turn_up}"}


def _record(moment: Moment) -> dict[str, object]:
    table, deals = moment.game.table, moment.game.deals
    return {"rules": table.rules, "sides": table.sides, "deals": [_recorded(dealt) for dealt in deals]}


def _recorded(dealt: Deal) -> dict[str, object]:
    first = to_claim(dealt.states[0])
    return {
        "dealer": first.dealer,
        "turn_up": first.turn_up,
        "hands": first.hands,
        "later_hands": first.later_hands,
        "plays": [
            _recorded_play(state.seat_to_play, card) for state, card in zip(dealt.states, dealt.cards, strict=True)
        ],
    }


def _recorded_play(seat: int, card: Card) -> dict[str, object]:
    return {"seat": seat, "card": card_code(card)}


def _legal_play(moment: Moment) -> dict[str, object]:
    return {**_state(moment), "cards": [_first(moment.legal)]}


_ASKS: Final[dict[str, Callable[[Moment], dict[str, object]]]] = {
    "deals": _deal,
    "positions": _state,
    "legal_moves": _state,
    "verdicts": lambda moment: {**_state(moment), "card": _first(_hand(moment))},
    "trick_winners": _state,
    "next_states": _legal_play,
    "scores": _state,
    "diagnoses": _state,
    "views": lambda moment: {**_state(moment), "seat": moment.state.dealer},
    "knowledge": lambda moment: {**_state(moment), "seat": moment.state.dealer},
    "claims": lambda moment: {**_state(moment), "seat": moment.state.seat_to_play, "tricks": 1},
    "analyses": _state,
    "adjudications": _record,
    "draws": lambda moment: {"players": moment.game.table.players, "seed": f"bench-{moment.state.turn_up}"},
}


def _bodies(ask: Callable[[Moment], object], drawn: tuple[Moment, ...], count: int = BODIES) -> tuple[bytes, ...]:
    return tuple(msgspec.json.encode(ask(moment)) for moment in Random(SEED).sample(drawn, count))


def _batch(kind: str, drawn: tuple[Moment, ...]) -> Workload:
    def ask(first: Moment) -> dict[str, object]:
        chosen = chain([first], Random(SEED).sample(drawn, batch_questions.MAX_ITEMS - 1))
        return {"questions": [{"kind": kind, **_ASKS[kind](moment)} for moment in chosen]}

    return Workload(f"batch_{kind}", batches.PATH, _bodies(ask, drawn, 4), batch_questions.MAX_ITEMS, 2)


def draw_workloads() -> tuple[Workload, ...]:
    """Draw every workload: each kind of question, and full batches."""
    drawn = moments(draw_games(SEED, 4))
    paths = {question.kind: question.path for question in QUESTIONS}
    late = tuple(moment for moment in drawn if _is_late(moment))
    fitting = {
        "trick_winners": tuple(moment for moment in drawn if moment.state.trick),
        "claims": late,
        "analyses": late,
    }
    # The floor works on at claims whose clients have left: those of 16 would outlast the next round.
    asked = [
        Workload(kind, path, _bodies(_ASKS[kind], fitting.get(kind, drawn)), connections=2 if kind == "claims" else 16)
        for kind, path in paths.items()
    ]
    return (*asked, *(_batch(kind, drawn) for kind in _BATCHED))


def draw_long() -> tuple[Workload, ...]:
    """Draw the work beside which light questions are asked: batches, analyses and suggestions of whole deals."""
    drawn = moments(draw_games(SEED, 4))
    whole = tuple(each for each in drawn if not any(each.state.taken) and not each.state.trick)
    hard = Workload("suggestions", "/v1/suggestions", _bodies(lambda each: {**_state(each), "level": "hard"}, whole))
    analyses = Workload("analyses", "/v1/analyses", _bodies(_state, whole))
    return _batch("diagnoses", drawn)._replace(name="batches"), analyses, hard
