"""The pack: 36 cards, their codes, their numbers and the sets of them.

A card is written rank then suit (`TH` is the ten of hearts) and counted 0 to 35, suit by suit from clubs
to spades, in each suit from six to ace. A set of cards is a mask of 36 bits, bit `card` for each card in it.
Source: all five (the pack).
"""

from typing import Annotated, Final, Literal, TypeAlias, get_args

from msgspec import Meta

Suit: TypeAlias = Annotated[
    Literal["C", "D", "H", "S"],
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

SUITS: Final = "CDHS"
RANKS: Final = "6789TJQKA"
CODES: Final[tuple[CardCode, ...]] = get_args(CardCode)
NUMBER: Final = {code: card for card, code in enumerate(CODES)}
BIT: Final = {code: 1 << card for card, code in enumerate(CODES)}
BITS: Final = tuple(BIT.values())
"""By card: the set of it alone."""
SUIT_OF: Final = tuple(card // 9 for card in range(36))
SUIT_MASKS: Final = tuple(0x1FF << 9 * suit for suit in range(4))
SUIT_MASK_OF: Final = tuple(SUIT_MASKS[suit] for suit in SUIT_OF)
FULL_PACK: Final[Mask] = (1 << 36) - 1


def _subsets(codes: tuple[CardCode, ...]) -> tuple[tuple[CardCode, ...], ...]:
    """List every subset of some cards, by its mask among them."""
    masks = range(1 << len(codes))
    return tuple(tuple([code for at, code in enumerate(codes) if mask >> at & 1]) for mask in masks)


_LOW, _MIDDLE, _HIGH = (_subsets(CODES[first : first + 12]) for first in (0, 12, 24))
"""The pack in three parts, so that a set of cards is written with three look-ups."""


def strip_pack(cards: Mask) -> Mask:
    """Return the pack without these cards."""
    return FULL_PACK & ~cards


def card_code(card: Card) -> CardCode:
    """Write a card's number as its code."""
    return CODES[card]


def parse_card(code: CardCode) -> Card:
    """Read a card's code as its number."""
    return NUMBER[code]


def mask_codes(cards: Mask) -> tuple[CardCode, ...]:
    """Write a set of cards as codes, in the order of the pack."""
    return _LOW[cards & 4095] + _MIDDLE[cards >> 12 & 4095] + _HIGH[cards >> 24] if cards else ()


def parse_mask(codes: tuple[CardCode, ...]) -> Mask:
    """Read codes as a set of cards; a code that stands twice counts once."""
    cards = 0
    for code in codes:
        cards |= BIT[code]
    return cards


def cards_of(cards: Mask) -> tuple[Card, ...]:
    """List a set of cards by number, in the order of the pack."""
    return tuple([NUMBER[code] for code in mask_codes(cards)])


def mask_of(cards: tuple[Card, ...]) -> Mask:
    """Gather cards into a set."""
    mask = 0
    for card in cards:
        mask |= BITS[card]
    return mask
