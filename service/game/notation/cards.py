"""Cards in a notation: of each suit the ranks, high to low, then its small letter; `AK9sJ7h` is five cards.

The suits stand in the order s h d c. A single card is a rank and a suit: `Th`.
"""

from typing import Final

from service.game.cache import Cache
from service.game.cards import CODES, Mask
from service.game.state import Hand

SUIT_LETTERS: Final = "shdc"
"""The suits in the order of a notation."""
RANK_LETTERS: Final = "AKQJT9876"
"""The ranks in the order of a notation."""
CARDS: Final = tuple(code[0] + code[1].lower() for code in CODES)
"""By card number: the card in a notation."""
CARD_NUMBER: Final = {text: card for card, text in enumerate(CARDS)}
_SIZE: Final = {str(size): -size for size in range(19)}
"""The size of a hand that is not seen, by its text."""
_CACHED: Final = 16_384
"""Cached texts of sets of cards: in the states of one game the same hands return again and again."""


def _groups(suit: int) -> tuple[str, ...]:
    """List the texts of all sets of cards of a suit; bit n of the index is set if the set holds its rank n from six."""
    letter = SUIT_LETTERS[3 - suit]
    ranks = tuple(reversed(RANK_LETTERS))
    texts = ("".join(ranks[at] for at in range(8, -1, -1) if mask >> at & 1) for mask in range(1 << 9))
    return tuple([text and text + letter for text in texts])


_CLUBS, _DIAMONDS, _HEARTS, _SPADES = map(_groups, range(4))
_GROUP: Final = {
    text: mask << 9 * suit
    for suit, texts in enumerate((_CLUBS, _DIAMONDS, _HEARTS, _SPADES))
    for mask, text in enumerate(texts)
    if text
}
"""The set of cards of every text of cards of one suit."""


def format_hand(hand: Hand) -> str:
    """Return the text of a hand: its cards, or their number if it is not seen or empty.

    >>> format_hand(parse_cards("AKsJh")), format_hand(-9)
    ('AKsJh', '9')
    """
    if hand <= 0:
        return str(-hand)
    return f"{_SPADES[hand >> 27]}{_HEARTS[hand >> 18 & 511]}{_DIAMONDS[hand >> 9 & 511]}{_CLUBS[hand & 511]}"


def parse_hand(text: str) -> Hand:
    """Return the hand of a text.

    Errors: KeyError, for anything but the one text of a hand.

    >>> parse_hand("6c"), parse_hand("9")
    (1, -9)
    """
    size = _SIZE.get(text)
    return parse_cards(text) if size is None else size


def parse_cards(text: str) -> Mask:
    """Return the set of cards of a text; "0" is no cards.

    Errors: KeyError, for anything but the one text of a set of cards.
    """
    groups = text.replace("s", "s ").replace("h", "h ").replace("d", "d ").replace("c", "c ").split(" ")
    cards = 0
    for group in groups[:-1]:
        cards |= _GROUP[group]
    if format_hand(cards) != text:
        raise KeyError(text)
    return cards


TEXTS: Final = Cache(format_hand, _CACHED)
"""The text of every hand."""
HANDS: Final = Cache(parse_hand, _CACHED)
"""The hand of every text."""
PILES: Final = Cache(parse_cards, _CACHED)
"""The set of cards of every text."""
