import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.game.cards import (
    CODES,
    FULL_PACK,
    NUMBER,
    RANKS,
    SUIT_MASKS,
    SUIT_OF,
    SUITS,
    Card,
    CardCode,
    Mask,
    card_code,
    cards_of,
    mask_codes,
    mask_of,
    parse_mask,
)

masks = st.integers(0, FULL_PACK)
codes = st.lists(st.sampled_from(CODES), max_size=36)


def test_the_pack_is_nine_ranks_in_four_suits_suit_by_suit_from_the_six() -> None:
    assert [*CODES] == [rank + suit for suit in SUITS for rank in RANKS]
    assert len(set(CODES)) == 36


@pytest.mark.parametrize("card", range(36))
def test_a_card_is_read_back_as_it_was_written(card: Card) -> None:
    assert NUMBER[card_code(card)] == card


@pytest.mark.parametrize(("code", "card"), [("6C", 0), ("AC", 8), ("6D", 9), ("TH", 22), ("6S", 27), ("AS", 35)])
def test_a_card_has_its_number(code: CardCode, card: Card) -> None:
    assert NUMBER[code] == card
    assert card_code(card) == code


@given(masks)
def test_a_set_of_cards_is_read_back_as_it_was_written(cards: Mask) -> None:
    assert parse_mask(mask_codes(cards)) == cards
    assert mask_of(cards_of(cards)) == cards


@given(masks)
def test_a_set_is_written_and_listed_in_the_order_of_the_pack(cards: Mask) -> None:
    assert mask_codes(cards) == tuple(code for card, code in enumerate(CODES) if cards >> card & 1)
    assert cards_of(cards) == tuple(card for card in range(36) if cards >> card & 1)


@given(codes)
def test_neither_order_nor_repetition_matters_in_a_set(codes: list[CardCode]) -> None:
    assert parse_mask(tuple(codes)) == parse_mask(tuple(reversed(codes))) == parse_mask((*codes, *codes))
    assert set(mask_codes(parse_mask(tuple(codes)))) == set(codes)


@given(codes)
def test_cards_are_gathered_as_their_codes_are_read(codes: list[CardCode]) -> None:
    assert mask_of(tuple(NUMBER[code] for code in codes)) == parse_mask(tuple(codes))


def test_every_card_is_of_one_suit() -> None:
    assert sum(SUIT_MASKS) == FULL_PACK
    for card, code in enumerate(CODES):
        assert SUITS[SUIT_OF[card]] == code[1]
        assert [mask >> card & 1 for mask in SUIT_MASKS] == [int(suit == code[1]) for suit in SUITS]
