import pytest

from service.game.rules.admission import admit, faults
from service.game.rules.view import view
from service.game.state import State, to_claim
from tests.support.claims import claim, mask

SHOWN = ("KC AC", "6D 7D", "8D 9D", "TS 9H")


def four() -> State:
    return admit(claim(hands=SHOWN, turn_up="9H", tricks=[3, 2, 1, 1]))


def two_with_later_hands() -> State:
    later = (("6H 7H 8H TH JH QH", "6S 7S 8S TS JS QS"), ("KH AH KS AS 6D 7D", "8D 9D TD JD QD 9H"))
    return admit(claim("gamerules", 2, hands=("6C 7C 8C 9C TC JC", "QC KC AC KD AD 9S"), later=later, turn_up="9H"))


@pytest.mark.parametrize("seat", range(4))
def test_a_seat_sees_its_own_hand_and_the_number_of_cards_of_every_other(seat: int) -> None:
    hands = view(four(), seat).hands
    assert hands == tuple(mask(cards) if at == seat else -2 for at, cards in enumerate(SHOWN))


def test_a_spectator_sees_no_hand() -> None:
    assert view(four(), None).hands == (-2, -2, -2, -2)


def test_everything_played_openly_is_seen() -> None:
    state, seen = four(), view(four(), 1)
    assert (seen.turn_up, seen.trick, seen.taken, seen.leader) == (
        state.turn_up,
        state.trick,
        state.taken,
        state.leader,
    )
    assert (seen.table, seen.dealer, seen.scores, seen.deal) == (state.table, state.dealer, state.scores, state.deal)


@pytest.mark.parametrize("seat", [0, 1, None])
def test_nobody_sees_a_later_hand_its_owner_included(seat: int | None) -> None:
    assert view(two_with_later_hands(), seat).later_hands == ((-6, -6), (-6, -6))


def test_a_hand_that_is_played_out_is_seen_to_be_empty() -> None:
    state = admit(claim(hands=("", "", "", "9H"), turn_up="9H", trick="AD 6D TD", tricks=[8, 0, 0, 0]))
    assert view(state, None).hands == (0, 0, 0, -1)


@pytest.mark.parametrize("seat", [0, 1, None])
def test_a_view_of_a_view_shows_no_more(seat: int | None) -> None:
    state = two_with_later_hands()
    assert view(view(state, seat), seat) == view(state, seat)
    assert view(view(state, None), seat) == view(state, None)


@pytest.mark.parametrize("seat", [0, 1, None])
def test_a_view_is_a_sound_state(seat: int | None) -> None:
    assert faults(to_claim(view(two_with_later_hands(), seat))) == ()
