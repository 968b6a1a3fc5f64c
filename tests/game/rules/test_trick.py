from itertools import pairwise

import pytest

from service.game.cards import SUITS, card_code, mask_of
from service.game.rules.trick import best, winner
from service.game.rulesets import RULESETS
from tests.support.claims import numbers


@pytest.mark.parametrize(
    ("trump", "cards", "highest"),
    [
        pytest.param("H", "9C TC 6C", "TC", id="the highest card of the suit led"),
        pytest.param("H", "6C AD AS", "6C", id="a discard never wins"),
        pytest.param("H", "AC 6H KC", "6H", id="any trump beats a plain suit"),
        pytest.param("H", "AC 6H 7H 9C", "7H", id="the higher of two ruffs"),
        pytest.param("H", "AH JH KH", "JH", id="the jack of trumps is the highest trump"),
        pytest.param("H", "KH AH QH", "AH", id="the ace of trumps is next"),
        pytest.param("H", "TH QH 9H", "QH", id="the ten of trumps ranks below the queen"),
        pytest.param("H", "9H TH 8H", "TH", id="the ten of trumps ranks above the nine"),
        pytest.param("H", "JC QC", "QC", id="a plain jack ranks below the queen"),
        pytest.param("H", "TC JC", "JC", id="a plain jack ranks above the ten"),
        pytest.param("D", "6D AC AH AS", "6D", id="a trump led holds against aces"),
        pytest.param("S", "7C", "7C", id="the lead holds the trick until it is beaten"),
    ],
)
def test_the_best_card_of_a_trick(trump: str, cards: str, highest: str) -> None:
    trick = numbers(cards)
    assert card_code(best(mask_of(trick), trick[0], SUITS.index(trump), RULESETS["denexa"])) == highest


@pytest.mark.parametrize(
    ("cards", "highest"), [("JH AH KH", "AH"), ("JH TH", "JH"), ("JH QH", "QH"), ("AC JH", "JH"), ("TC JC QC", "QC")]
)
def test_lots_of_kids_ranks_trumps_as_plain_suits(cards: str, highest: str) -> None:
    trick = numbers(cards)
    assert card_code(best(mask_of(trick), trick[0], SUITS.index("H"), RULESETS["lots-of-kids"])) == highest


@pytest.mark.parametrize(
    ("leader", "cards", "seat"), [(0, "9C TC 6C 7C", 1), (2, "9C TC 6C 7C", 3), (3, "9C TC 6C 7C", 0), (2, "9C 6C", 2)]
)
def test_the_winner_is_counted_from_the_leader(leader: int, cards: str, seat: int) -> None:
    assert winner(numbers(cards), SUITS.index("H"), leader, 4, RULESETS["denexa"]) == seat


def test_nobody_holds_a_trick_before_the_lead() -> None:
    assert winner((), 0, 2, 4, RULESETS["denexa"]) is None


@pytest.mark.parametrize(("rules", "trumps"), [("denexa", "JAKQT9876"), ("lots-of-kids", "AKQJT9876")])
@pytest.mark.parametrize("trump", SUITS)
@pytest.mark.parametrize("led", SUITS)
def test_trumps_beat_the_suit_led_and_each_suit_has_its_ranking(rules: str, trumps: str, trump: str, led: str) -> None:
    plain = [] if led == trump else [rank + led for rank in "AKQJT9876"]
    for higher, lower in pairwise([*(rank + trump for rank in trumps), *plain]):
        lead, *trick = numbers(f"6{led} {higher} {lower}")
        won = best(mask_of((lead, *trick)), lead, SUITS.index(trump), RULESETS[rules])
        assert card_code(won) == higher


@pytest.mark.parametrize("rules", ["denexa", "lots-of-kids"])
@pytest.mark.parametrize("trump", SUITS)
@pytest.mark.parametrize("led", SUITS)
def test_no_discard_beats_the_lowest_card_of_the_suit_led(rules: str, trump: str, led: str) -> None:
    (lead,) = numbers(f"6{led}")
    for discard in range(36):
        if card_code(discard)[1] not in {trump, led}:
            assert best(mask_of((lead, discard)), lead, SUITS.index(trump), RULESETS[rules]) == lead
