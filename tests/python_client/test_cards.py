"""Cards: their names, signs and order."""

from random import Random
from typing import Final

import pytest
from catch_the_ten import cards, models

from service.game.cards import CODES
from service.game.rulesets import RULESETS
from tests.support.http.client import post
from tests.support.http.samples import PATHS

TABLES: Final = [(rules.id, table.players) for rules in RULESETS.values() for table in rules.tables]


def test_the_pack_is_the_pack_of_the_service() -> None:
    assert sorted(cards.PACK) == sorted(CODES)


def test_a_card_has_a_name_and_a_sign() -> None:
    assert (cards.name_of("TH"), cards.symbol_of("TH"), cards.symbol_of("AS")) == ("ten of hearts", "10♥", "A♠")
    assert (cards.rank_of("TH"), cards.suit_of("TH")) == ("T", "H")


def test_a_hand_without_trumps_is_held_from_spades_on_from_high_to_low() -> None:
    hand: list[models.Card] = ["6C", "TD", "AH", "JH", "AS"]
    assert cards.sort_hand(hand) == ["AS", "AH", "JH", "6C", "TD"]


@pytest.mark.parametrize(("rules", "players"), TABLES)
def test_a_hand_is_sorted_as_the_service_lists_it(chance: Random, rules: str, players: int) -> None:
    jack_high = RULESETS[rules].trump_rank == "jack_high"
    for _ in range(8):
        answer = post(PATHS["deals"], {"rules": rules, "players": players, "seed": f"{chance.getrandbits(64):x}"})
        state = answer.read(models.Deal).position.state
        trump = cards.suit_of(state.turn_up)
        for hand in [*state.hands, *(hand for later in state.later_hands for hand in later)]:
            assert not isinstance(hand, int)
            shaken = chance.sample(hand, len(hand))
            assert cards.sort_hand(shaken, trump, jack_high=jack_high) == hand
