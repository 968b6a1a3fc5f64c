import pytest

from service.game.cards import FULL_PACK
from service.game.rules.admission import admit
from service.game.rules.unseen import Constraint, HandBounds, HandSlot, bound_hand, find_hidden, is_open, show_lacking
from service.game.state import Claim
from tests.support.claims import Cards, claim, house, mask, written


def found(seen: Claim, place: HandSlot) -> tuple[str | None, str | None]:
    """Return the cards that a hand must hold, and those that it may hold."""
    known = bound_hand(find_hidden(admit(seen)), place)
    return written(known.must_hold), written(known.may_hold)


@pytest.mark.parametrize(
    ("hands", "out", "seat", "must_hold", "may_hold"),
    [
        pytest.param(
            (2, 2, 2, 2), "QS KS AS 6C 7C 8C 9C", 0, "", "6C 7C 8C 9C QS KS AS", id="no turn-up but the dealer's"
        ),
        pytest.param((2, 2, 2, 2), "QS KS AS 6C 7C 8C 9C", 3, "9H", "6C 7C 8C 9C 9H QS KS AS", id="the dealer has it"),
        pytest.param((2, "6C 7C", "8C 9C", "AS 9H"), "QS KS", 0, "QS KS", "QS KS", id="only one hand is hidden"),
        pytest.param((1, 1, 1, 1), "QS KS AS", 3, "9H", "9H", id="the dealer's last card is the turn-up"),
        pytest.param((1, 1, 1, 1), "QS KS AS", 2, "", "QS KS AS", id="another's last card is any other"),
    ],
)
def test_what_is_known_of_a_hand(hands: tuple[Cards, ...], out: str, seat: int, must_hold: str, may_hold: str) -> None:
    size = len(hands[1].split()) if isinstance(hands[1], str) else hands[1]
    seen = claim(hands=hands, turn_up="9H", tricks=[9 - size, 0, 0, 0], hidden=out)
    assert found(seen, (seat, 0)) == (must_hold, may_hold)


def test_the_turn_up_is_in_the_dealer_s_last_hand_and_in_no_earlier_one() -> None:
    known = find_hidden(admit(claim("gamerules", 2, hands=(6, 6), later=((6, 6), (6, 6)), turn_up="9H")))
    assert bound_hand(known, (1, 0)) == bound_hand(known, (1, 1)) == HandBounds(0, FULL_PACK & ~mask("9H"), 6)
    assert bound_hand(known, (1, 2)) == HandBounds(mask("9H"), FULL_PACK, 6)


def test_a_card_that_is_stripped_is_in_no_hand() -> None:
    seen = claim("denexa", 5, hands=(7, 7, 7, 7, 7), turn_up="9H")
    assert bound_hand(find_hidden(admit(seen)), (0, 0)).may_hold == FULL_PACK & ~mask("6C 9H")


def test_a_card_that_is_not_dealt_may_be_in_any_hand() -> None:
    seen = claim("take-ten", 3, hands=(10, 10, 10), turn_up="9H")
    assert bound_hand(find_hidden(admit(seen)), (0, 0)).may_hold == FULL_PACK & ~mask("9H")


@pytest.mark.parametrize(
    ("shown", "turn_up", "stripped"),
    [
        pytest.param("", "9H", "", id="any six may be out"),
        pytest.param("6C 6D", "9H", "", id="one of two sixes is out"),
        pytest.param("6C 6D 6H", "9H", "6S", id="the six that is not in sight is out"),
        pytest.param("6C 6D", "6H", "6S", id="the turn-up is not out"),
    ],
)
def test_a_strip_of_choice_is_known_where_only_one_fits(shown: str, turn_up: str, stripped: str) -> None:
    filled = f"{shown} 7C 8C 9C TC JC QC KC".strip()[: 7 * 3 - 1]
    known = find_hidden(admit(claim("lots-of-kids", 5, hands=(filled, 7, 7, 7, 7), turn_up=turn_up)))
    assert bound_hand(known, (4, 0)).may_hold == FULL_PACK & ~mask(filled) & ~mask(stripped)


def test_the_last_hidden_hand_holds_what_is_left_but_for_one_six_that_is_out() -> None:
    sixes = claim(
        "lots-of-kids", 5, hands=(1, "7C", "8C", "9C", "9H"), turn_up="9H", tricks=[6, 0, 0, 0, 0], hidden="6C 6D"
    )
    assert found(sixes, (0, 0)) == ("", "6C 6D")
    ace = claim(
        "lots-of-kids", 5, hands=(1, "7C", "8C", "9C", "9H"), turn_up="9H", tricks=[6, 0, 0, 0, 0], hidden="6C AS"
    )
    assert found(ace, (0, 0)) == ("AS", "AS")


VOID = claim(hands=("JS", 1, 2, "KS 9H"), turn_up="9H", trick="AD QS", tricks=[7, 0, 0, 0], hidden="7D 8D TC")


def test_a_seat_that_did_not_follow_is_void_and_the_others_have_the_suit() -> None:
    assert found(VOID, (1, 0)) == ("TC", "TC")
    assert found(VOID, (2, 0)) == ("7D 8D", "7D 8D")


def test_a_seat_that_did_not_trump_where_that_is_a_duty_holds_no_trump() -> None:
    seen = claim(
        "take-ten", hands=("JS", 1, 2, "KS 9H"), turn_up="9H", trick="AD QS", tricks=[7, 0, 0, 0], hidden="7D TH TC"
    )
    assert found(seen, (1, 0)) == ("TC", "TC")


def test_a_seat_that_ruffed_may_hold_more_trumps() -> None:
    seen = claim(
        "take-ten", hands=("JS", 1, 2, "KS 9H"), turn_up="9H", trick="AD 7H", tricks=[7, 0, 0, 0], hidden="7D TH TC"
    )
    assert found(seen, (1, 0)) == ("", "TC TH")


def test_a_trump_that_opened_where_that_is_barred_shows_a_hand_of_trumps() -> None:
    rules = house("trebor", opening_lead="no_trump")
    seen = claim(rules, 8, hands=(3, 4, 4, 4, 4, 4, 4, "9H 7C 8C 9C"), turn_up="9H", trick="AH")
    assert bound_hand(find_hidden(admit(seen)), (0, 0)).may_hold == mask("7H 8H TH JH QH KH")
    assert bound_hand(find_hidden(admit(seen)), (1, 0)).must_hold == 0


def test_a_seat_that_revoked_holds_a_card_of_the_suit_led() -> None:
    seen = claim(
        house(revoke="loss_of_deal"),
        ((0, 2), (1, 3)),
        hands=("JS", 1, "KS QS", "AS 9H"),
        turn_up="9H",
        trick="AD TS",
        tricks=[4, 3],
        took=["KH QH", "TH"],
        hidden="7D",
        revoked=1,
    )
    assert found(seen, (1, 0)) == ("7D", "7D")


def test_what_a_play_shows_a_hand_to_lack_is_added_to_what_it_lacked_before() -> None:
    shown = {(1, 0): Constraint(lacks=mask("6S"))}
    assert show_lacking(shown, 1, mask("7S")) == {(1, 0): Constraint(lacks=mask("6S 7S"))}
    assert show_lacking(shown, 2, mask("7S")) == {**shown, (2, 0): Constraint(lacks=mask("7S"))}
    assert show_lacking(shown, 2, 0) == shown


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        pytest.param(claim(hands=(2, 2, 2, 2), turn_up="9H", tricks=[7, 0, 0, 0]), True, id="another plays after it"),
        pytest.param(
            claim(hands=("6C", 1, 2, "7C 9H"), turn_up="9H", trick="AD KD", tricks=[7, 0, 0, 0]),
            True,
            id="another has followed suit",
        ),
        pytest.param(VOID, False, id="another has shown a void"),
        pytest.param(
            claim(hands=(2, 2, 2, 2), turn_up="9H", tricks=[0, 0, 0, 7], leader=3), False, id="it has the turn-up"
        ),
        pytest.param(
            claim("gamerules", 2, hands=(5, 6), later=((6, 6), (6, 6)), turn_up="9H", trick="6C"),
            True,
            id="it has the turn-up later, and another has led",
        ),
        pytest.param(
            claim(hands=("6C", "7C", 1, 1), turn_up="9H", tricks=[0, 0, 8, 0], leader=2),
            False,
            id="the other has the turn-up",
        ),
    ],
)
def test_a_hand_that_is_open_surely_holds_no_card(seen: Claim, expected: bool) -> None:
    state = admit(seen)
    assert is_open(state) == expected
    if expected:
        assert bound_hand(find_hidden(state), (state.seat_to_play, 0)).must_hold == 0
