"""The fast path lets in nothing that the examination refuses, and every sound state in the middle of a deal."""

import pytest
from hypothesis import assume, given
from msgspec.structs import replace

from service.faults import Impossible
from service.rules.admission import admit_unexamined, examine
from service.rules.admission.fast_path import admit_fast
from service.rulesets import make_table
from service.state import Claim, State, Unexamined, describe
from tests.support.claims import claim as sound
from tests.support.shaken import shaken_claims
from tests.support.strategies import half_hidden


@given(shaken_claims())
def test_what_the_fast_path_lets_in_has_no_fault(claim: Claim) -> None:
    try:
        table = make_table(claim.rules, claim.sides)
    except Impossible:
        assume(False)
    else:
        state = admit_fast(claim, table)
        assert state is None or state == examine(claim, table)


@given(half_hidden())
def test_the_fast_path_lets_in_every_state_in_mid_deal_unless_a_tie_is_played_off_or_hands_count_by_themselves(
    states: tuple[State, State],
) -> None:
    for state in states:
        assume(any(state.taken) and max(state.scores) < state.table.ruleset.target and not state.table.counts_by_hand)
        assert admit_fast(describe(state), state.table) == state


def test_the_fast_path_leaves_a_trump_led_first_to_the_examination() -> None:
    led = sound("lots-of-kids", 4, hands=(8, 9, 9, 9), turn_up="9H", trick="AH")
    assert admit_fast(led, make_table(led.rules, led.sides)) is None


@given(half_hidden())
def test_a_sound_state_that_was_never_examined_is_admitted_as_it_is(states: tuple[State, State]) -> None:
    for state in states:
        assert admit_unexamined(Unexamined(state)) == state


@given(half_hidden())
def test_a_state_that_was_never_examined_is_refused_for_what_its_claim_is_refused_for(
    states: tuple[State, State],
) -> None:
    for state in states:
        assume(any(state.taken))
        twice = replace(state, taken=(state.taken[0] ^ state.taken[-1],) * len(state.taken))
        with pytest.raises(Impossible) as of_claim:
            examine(describe(twice), twice.table)
        with pytest.raises(Impossible) as of_state:
            admit_unexamined(Unexamined(twice))
        assert of_state.value.faults == of_claim.value.faults
