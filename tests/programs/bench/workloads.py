"""The workloads: bodies of some kinds of questions, about states of random games at every table."""

from collections.abc import Callable, Iterator
from itertools import chain
from random import Random
from typing import Final, NamedTuple

import msgspec

from service.api.batches import batch as batches
from service.api.batches import items as batch_questions
from service.game.cards import card_code, cards_of
from service.game.rulesets import Table, make_table
from service.game.state import State, to_claim
from tests.support.http.samples import EVERY_PATH
from tests.support.strategies import ARRANGEMENTS, deal_again, deal_at_random, legal, phase, play_at_random

SEED: Final = 41
BODIES: Final = 64
"""Different bodies of a workload, asked in turn."""


class Workload(NamedTuple):
    """A kind of request: where it goes, and its bodies.

    Unit: `questions` in each body; `connections` that ask at once.
    """

    name: str
    path: str
    bodies: tuple[bytes, ...]
    questions: int = 1
    connections: int = 16


def _state(state: State) -> dict[str, object]:
    return {"state": to_claim(state)}


_ASKS: Final[dict[str, Callable[[State], dict[str, object]]]] = {
    "legal_moves": _state,
    "verdicts": lambda state: {**_state(state), "card": card_code(cards_of(state.hands[state.seat_to_play])[0])},
    "trick_winners": _state,
    "next_states": lambda state: {**_state(state), "cards": [card_code(cards_of(legal(state))[0])]},
    "diagnoses": _state,
}
_BATCHED: Final = ("diagnoses", "next_states")


def _walk(table: Table, chance: Random) -> Iterator[State]:
    """Play a game at random; yield each state in which a card is to be played."""
    state = deal_at_random(table, chance, chance.randrange(table.players), 1, (0,) * len(table.sides))
    while phase(state) != "game_over":
        if phase(state) == "deal_over":
            state = deal_again(state, chance)
        yield state
        state = play_at_random(state, chance)


def _draw_states() -> tuple[State, ...]:
    chance = Random(SEED)
    return tuple(state for each in ARRANGEMENTS for state in _walk(make_table(*each), chance))


def _bodies(ask: Callable[[State], object], drawn: tuple[State, ...], count: int = BODIES) -> tuple[bytes, ...]:
    return tuple(msgspec.json.encode(ask(state)) for state in Random(SEED).sample(drawn, count))


def _batch(kind: str, drawn: tuple[State, ...]) -> Workload:
    def ask(first: State) -> dict[str, object]:
        chosen = chain([first], Random(SEED).sample(drawn, batch_questions.MAX_ITEMS - 1))
        return {"questions": [{"kind": kind, **_ASKS[kind](state)} for state in chosen]}

    return Workload(f"batch_{kind}", batches.PATH, _bodies(ask, drawn, 4), batch_questions.MAX_ITEMS, 2)


def draw_workloads() -> dict[str, Workload]:
    """Draw the questions and the full batches that are measured, by their names."""
    drawn = _draw_states()
    fitting = {"trick_winners": tuple(state for state in drawn if state.trick)}
    asked = [Workload(kind, EVERY_PATH[kind], _bodies(ask, fitting.get(kind, drawn))) for kind, ask in _ASKS.items()]
    return {workload.name: workload for workload in (*asked, *(_batch(kind, drawn) for kind in _BATCHED))}
