"""The order in which a hand is held, and the trumps that rank above the ace."""

import pytest

from service.game.cards import CODES, FULL_PACK
from service.game.rulesets import RULESETS, cards_above_ace, hand_orders
from tests.support.claims import mask


@pytest.mark.parametrize(
    ("rules", "trump", "suits"),
    [
        ("denexa", "C", "JAKQT9876C AKQJT9876D AKQJT9876S AKQJT9876H"),
        ("denexa", "D", "JAKQT9876D AKQJT9876S AKQJT9876H AKQJT9876C"),
        ("denexa", "H", "JAKQT9876H AKQJT9876C AKQJT9876D AKQJT9876S"),
        ("denexa", "S", "JAKQT9876S AKQJT9876H AKQJT9876C AKQJT9876D"),
        ("lots-of-kids", "H", "AKQJT9876H AKQJT9876C AKQJT9876D AKQJT9876S"),
    ],
)
def test_trumps_come_first_and_the_other_suits_by_turns_black_and_red_each_from_the_top(
    rules: str, trump: str, suits: str
) -> None:
    whole = hand_orders(RULESETS[rules])["CDHS".index(trump)][FULL_PACK]
    assert whole == tuple(rank + suit[-1] for suit in suits.split() for rank in suit[:-1])


def test_a_hand_keeps_the_order_of_the_whole_pack() -> None:
    order = hand_orders(RULESETS["trebor"])[3]
    assert order[mask("6C AC KD 7H JH JS AS")] == ("JS", "AS", "JH", "7H", "AC", "6C", "KD")
    assert order[0] == ()
    for hand in (1 << card | 1 << (card * 7 + 3) % 36 for card in range(36)):
        assert order[hand] == tuple(code for code in order[FULL_PACK] if hand >> CODES.index(code) & 1)


def test_jacks_are_raised_but_where_trumps_rank_as_other_suits_do() -> None:
    assert {name: cards_above_ace(ruleset) for name, ruleset in RULESETS.items()} == {
        name: 0 if name == "lots-of-kids" else mask("JC JD JH JS") for name in RULESETS
    }
