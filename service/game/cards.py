"""The pack: 36 cards, with a code and a number for each, and masks for sets of them.

The code of a card is its rank, then its suit (`TH` is the ten of hearts). Its number is 0 to 35, suit by suit from
clubs to spades, in each suit from six to ace. A set of cards is a mask of 36 bits: bit n is set if card n is in it.
Source: all (the pack).
"""

from typing import Annotated, Final, Literal, TypeAlias, get_args

from msgspec import Meta

SuitCode: TypeAlias = Literal["C", "D", "H", "S"]
Suit: TypeAlias = Annotated[
    SuitCode,
    Meta(title="Suit", description="A suit: clubs, diamonds, hearts or spades."),
]
CardCode: TypeAlias = Literal[
    "6C", "7C", "8C", "9C", "TC", "JC", "QC", "KC", "AC",
    "6D", "7D", "8D", "9D", "TD", "JD", "QD", "KD", "AD",
    "6H", "7H", "8H", "9H", "TH", "JH", "QH", "KH", "AH",
    "6S", "7S", "8S", "9S", "TS", "JS", "QS", "KS", "AS",
]  # fmt: skip
Code: TypeAlias = Annotated[
    CardCode,
    Meta(title="Card", description="A card: its rank (6 7 8 9 T J Q K A), then its suit (C D H S)."),
]

Card: TypeAlias = int
"""A card's number, 0 to 35."""
Mask: TypeAlias = int
"""A set of cards, 36 bits."""

SUITS: Final[tuple[SuitCode, ...]] = get_args(SuitCode)
RANKS: Final = "6789TJQKA"
CODES: Final[tuple[CardCode, ...]] = get_args(CardCode)
NUMBER: Final = {code: card for card, code in enumerate(CODES)}
BIT: Final = {code: 1 << card for card, code in enumerate(CODES)}
BITS: Final = tuple(BIT.values())
"""By card number: the mask of this card alone; BIT is the same by code."""
SUIT_OF: Final = tuple(card // 9 for card in range(36))
SUIT_MASKS: Final = tuple(0x1FF << 9 * suit for suit in range(4))
SUIT_MASK_OF: Final = tuple(SUIT_MASKS[suit] for suit in SUIT_OF)
FULL_PACK: Final[Mask] = (1 << 36) - 1


def _subsets(codes: tuple[CardCode, ...]) -> tuple[tuple[CardCode, ...], ...]:
    """List every subset of some codes; bit n of its index is set if it holds the code at n."""
    masks = range(1 << len(codes))
    return tuple(tuple([code for at, code in enumerate(codes) if mask >> at & 1]) for mask in masks)


_LOW, _MIDDLE, _HIGH = (_subsets(CODES[first : first + 12]) for first in (0, 12, 24))
"""All sets of 12 low, 12 middle and 12 high cards, so that any set of cards is written with three look-ups."""


def strip_pack(cards: Mask) -> Mask:
    """Return the pack without these cards."""
    return FULL_PACK & ~cards


def card_code(card: Card) -> CardCode:
    """Return the code of a card."""
    return CODES[card]


def mask_codes(cards: Mask) -> tuple[CardCode, ...]:
    """Return the codes of a set of cards, in the order of the pack.

    >>> mask_codes(parse_mask(("JH", "6C")))
    ('6C', 'JH')
    """
    return _LOW[cards & 4095] + _MIDDLE[cards >> 12 & 4095] + _HIGH[cards >> 24] if cards else ()


def parse_mask(codes: tuple[CardCode, ...]) -> Mask:
    """Return the set of the cards with these codes; a repeated code counts once."""
    cards = 0
    for code in codes:
        cards |= BIT[code]
    return cards


def cards_of(cards: Mask) -> tuple[Card, ...]:
    """Return the cards of a set, in the order of the pack.

    >>> cards_of(parse_mask(("6C", "AS")))
    (0, 35)
    """
    return tuple([NUMBER[code] for code in mask_codes(cards)])


def mask_of(cards: tuple[Card, ...]) -> Mask:
    """Return the set of these cards."""
    mask = 0
    for card in cards:
        mask |= BITS[card]
    return mask
