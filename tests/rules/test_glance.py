"""The glance at a claim: it lets in nothing that the full examination refuses, and whatever is in the midst of play."""

from hypothesis import assume, given

from service.faults import Impossible
from service.rules.check import examine
from service.rules.glance import glance
from service.rulesets import lay
from service.state import Claim, State, describe
from tests.support.claims import claim as sound
from tests.support.shaken import shaken_claims
from tests.support.strategies import half_hidden


@given(shaken_claims())
def test_what_a_glance_lets_in_has_no_fault(claim: Claim) -> None:
    try:
        table = lay(claim.rules, claim.sides)
    except Impossible:
        assume(False)
    else:
        state = glance(claim, table)
        assert state is None or state == examine(claim, table)


@given(half_hidden())
def test_a_glance_lets_in_whatever_is_in_the_midst_of_play(states: tuple[State, State]) -> None:
    for state in states:
        assume(any(state.taken))
        assert glance(describe(state), state.table) == state


def test_a_glance_leaves_a_trump_led_first_to_the_examination() -> None:
    led = sound("lots-of-kids", 4, hands=(8, 9, 9, 9), turn_up="9H", trick="AH")
    assert glance(led, lay(led.rules, led.sides)) is None
