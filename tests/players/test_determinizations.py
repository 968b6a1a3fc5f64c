"""Determinizations fit the cards in sight, and all are equally likely."""

from collections import Counter
from itertools import islice
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings

from service.game.cards import SUIT_MASKS
from service.game.generators import run_to_end
from service.game.rules.admission import admit, faults
from service.game.rules.unseen import Constraint, find_hidden
from service.game.rules.view import view
from service.game.rulesets import arrange, make_table
from service.game.state import State, to_claim
from service.players.determinizations import Determinizations
from tests.players.test_ending import ending_state
from tests.reference import fillings as reference
from tests.support.strategies import chances, deal_at_random, half_hidden


@settings(max_examples=100)
@given(half_hidden(), chances())
def test_a_filling_shows_all_hands_and_fits_what_is_in_sight(pair: tuple[State, State], chance: Random) -> None:
    _, seen = pair
    filled = Determinizations(find_hidden(seen)).draw(chance)
    assert not faults(to_claim(filled))
    assert admit(to_claim(filled)) == filled
    for shown, hand in zip(seen.hands, filled.hands, strict=True):
        assert hand == shown if shown >= 0 else hand.bit_count() == -shown


def as_json(state: State) -> dict[str, Any]:
    decoded: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(to_claim(state)))
    return decoded


def hands_of(state: dict[str, Any]) -> str:
    """Name all hands of a state in JSON form, to tell fillings apart."""
    return repr([sorted(hand) for hands in (state["hands"], *state["later_hands"]) for hand in hands])


@pytest.mark.parametrize("number", range(4))
def test_each_filling_is_drawn_as_often_as_any_other(number: int) -> None:
    chance = Random(f"fillings-{number}")
    while True:
        state = ending_state(chance, chance.randint(4, 7))
        if state.table.undealt:  # too many to list
            continue
        seen = view(state, state.seat_to_play)
        possible = [hands_of(each) for each in islice(reference.fillings(as_json(seen)), 200)]
        if 5 < len(possible) < 200 and (number % 2 == 0 or state.trick):
            break
    fillings = Determinizations(find_hidden(seen))
    assert run_to_end(fillings.count()) == len(possible)
    draws = 60 * len(possible)
    drawn = Counter(hands_of(as_json(fillings.draw(chance))) for _ in range(draws))
    assert set(drawn) == set(possible)
    # Chi-squared, which has a mean of one less than the possible ones; six deviations off are no accident.
    distance = sum((count - 60) ** 2 / 60 for count in drawn.values())
    assert distance < len(possible) + 6 * (2 * len(possible)) ** 0.5


def test_there_is_one_filling_where_only_one_fits() -> None:
    state = ending_state(Random(3), 6)
    assert run_to_end(Determinizations(find_hidden(state)).count()) == 1
    assert Determinizations(find_hidden(state)).draw(Random(1)) == state


def test_counting_fillings_where_seats_lack_different_suits_lets_others_work() -> None:
    table = make_table("french-whist", arrange(8, 2))
    state = deal_at_random(table, Random(1), 0, 1, (0, 0))
    seen = view(state, 0)
    shown = {(seat, 0): Constraint(lacks=SUIT_MASKS[seat % 4]) for seat in range(1, table.players)}
    pieces = sum(1 for _ in Determinizations(find_hidden(seen, shown)).count())
    assert pieces > 5
