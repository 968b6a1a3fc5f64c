"""A state that was read from a notation is admitted as its claim would be."""

import pytest
from hypothesis import assume, given
from msgspec.structs import replace

from service.game.faults import Impossible
from service.game.rules.admission import admit, admit_unexamined
from service.game.state import State, Unexamined, to_claim
from tests.support.strategies import half_hidden


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
            admit(to_claim(twice))
        with pytest.raises(Impossible) as of_state:
            admit_unexamined(Unexamined(twice))
        assert of_state.value.faults == of_claim.value.faults
