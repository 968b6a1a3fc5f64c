import pytest

from service.cards import FULL_PACK, SUITS
from service.rules.admission import admit
from service.rules.unseen import Held, held, hidden, holds_suit, in_sight, strips_possible
from service.rulesets import arrange, lay
from tests.support.claims import Cards, claim, mask, written


def test_in_sight_are_the_hands_shown_the_trick_and_the_tricks_taken() -> None:
    state = admit(
        claim(
            "gamerules",
            2,
            hands=("7D 8D", 1),
            later=((6, 6), (6, "6H 7H 8H 9H TH JH")),
            turn_up="9H",
            trick="AD",
            leader=1,
            took=["", "AC KC QC JC TC 9C 8C 7C"],
        )
    )
    assert written(in_sight(state)) == "7C 8C 9C TC JC QC KC AC 7D 8D AD 6H 7H 8H 9H TH JH"


def test_hidden_is_what_is_nowhere_in_sight() -> None:
    state = admit(claim(hands=("AC KC", 2, 2, 2), turn_up="9H", tricks=[7, 0, 0, 0], hidden="QS KS AS 6C 7C"))
    assert written(hidden(state)) == "6C 7C 9H QS KS AS"


def test_what_is_stripped_is_not_hidden() -> None:
    state = admit(claim("denexa", 5, hands=(7, 7, 7, 7, 7), turn_up="9H"))
    assert hidden(state) == FULL_PACK & ~mask("6C")


def test_what_is_not_dealt_is_hidden() -> None:
    state = admit(claim("take-ten", 3, hands=(10, 10, 10), turn_up="9H"))
    assert hidden(state) == FULL_PACK


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
    state = admit(claim("lots-of-kids", 5, hands=(filled, 7, 7, 7, 7), turn_up=turn_up))
    assert hidden(state) == FULL_PACK & ~mask(filled) & ~mask(stripped)


def test_the_strips_that_are_possible_are_those_not_in_sight() -> None:
    table = lay("lots-of-kids", arrange(5, 5))
    assert [written(strip) for strip in strips_possible(table, mask("6D 7C"))] == ["6C", "6H", "6S"]
    assert strips_possible(table, mask("6C 6D 6H 6S")) == []


@pytest.mark.parametrize(
    ("hands", "out", "seat", "surely", "maybe"),
    [
        pytest.param(("AC KC", 2, 2, 2), "QS KS AS 6C 7C", 0, "KC AC", "KC AC", id="a hand that is shown"),
        pytest.param(
            (2, 2, 2, 2), "QS KS AS 6C 7C 8C 9C", 0, "", "6C 7C 8C 9C QS KS AS", id="no turn-up but the dealer's"
        ),
        pytest.param((2, 2, 2, 2), "QS KS AS 6C 7C 8C 9C", 3, "9H", "6C 7C 8C 9C 9H QS KS AS", id="the dealer has it"),
        pytest.param((2, "6C 7C", "8C 9C", "AS 9H"), "QS KS", 0, "QS KS", "QS KS", id="only one hand is hidden"),
        pytest.param((1, 1, 1, 1), "QS KS AS", 3, "9H", "9H", id="the dealer's last card is the turn-up"),
        pytest.param((1, 1, 1, 1), "QS KS AS", 2, "", "QS KS AS", id="another's last card is any other"),
    ],
)
def test_what_is_known_of_a_hand(hands: tuple[Cards, ...], out: str, seat: int, surely: str, maybe: str) -> None:
    size = len(hands[0].split()) if isinstance(hands[0], str) else hands[0]
    state = admit(claim(hands=hands, turn_up="9H", tricks=[9 - size, 0, 0, 0], hidden=out))
    assert held(state, seat) == Held(mask(surely), mask(maybe), size)


def test_the_dealer_does_not_hold_the_turn_up_while_a_later_hand_does() -> None:
    state = admit(claim("gamerules", 2, hands=(6, 6), later=((6, 6), (6, 6)), turn_up="9H"))
    assert held(state, 1) == Held(0, FULL_PACK & ~mask("9H"), 6)


@pytest.mark.parametrize(
    ("surely", "maybe", "size", "suit", "holds"),
    [
        pytest.param("9H", "9H 6C 7C", 2, "H", True, id="it surely has one"),
        pytest.param("9H", "9H 6C 7D", 2, "C", None, id="it may have one"),
        pytest.param("9H", "9H 6C 7C", 2, "C", True, id="it has not enough others"),
        pytest.param("9H", "9H 6C 7C", 2, "S", False, id="it cannot have one"),
        pytest.param("", "6C 7C 8D", 1, "C", None, id="it may have another"),
    ],
)
def test_whether_a_hand_holds_a_suit(surely: str, maybe: str, size: int, suit: str, holds: bool | None) -> None:
    assert holds_suit(Held(mask(surely), mask(maybe), size), SUITS.index(suit)) is holds
