"""Cards: their names, signs and order."""

from catch_the_ten import cards, models

from service.game.cards import CODES


def test_the_pack_is_that_of_the_service() -> None:
    assert sorted(cards.PACK) == sorted(CODES)


def test_a_card_has_a_name_and_a_sign() -> None:
    assert (cards.name_of("TH"), cards.symbol_of("TH"), cards.symbol_of("AS")) == ("ten of hearts", "10♥", "A♠")
    assert (cards.rank_of("TH"), cards.suit_of("TH")) == ("T", "H")


def test_a_hand_is_held_by_suit_from_high_to_low() -> None:
    hand: list[models.Card] = ["6C", "TH", "AH", "JH", "AS"]
    assert cards.sort_hand(hand) == ["AS", "AH", "JH", "TH", "6C"]
    assert cards.sort_hand(hand, "H") == ["AS", "JH", "AH", "TH", "6C"]
    assert cards.sort_hand(hand, "H", jack_high=False) == ["AS", "AH", "JH", "TH", "6C"]
