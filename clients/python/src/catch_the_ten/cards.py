"""Cards: their suits and ranks, their order in a hand, and their names for people."""

from collections.abc import Iterable
from typing import Final, cast

from catch_the_ten.models import Card, Suit

SUITS: Final[dict[Suit, str]] = {"S": "spades", "H": "hearts", "C": "clubs", "D": "diamonds"}
"""The suits with their names, in the circular order of a hand: black and red alternate."""
RANKS: Final = {
    "A": "ace",
    "K": "king",
    "Q": "queen",
    "J": "jack",
    "T": "ten",
    "9": "nine",
    "8": "eight",
    "7": "seven",
    "6": "six",
}
"""The ranks from high to low, with their names."""
PACK: Final = cast("tuple[Card, ...]", tuple(rank + suit for suit in SUITS for rank in RANKS))
"""The 36 cards, by suit, from high to low."""
_SYMBOLS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def rank_of(card: Card) -> str:
    """Return the rank of a card: a key of RANKS."""
    return card[0]


def suit_of(card: Card) -> Suit:
    """Return the suit of a card."""
    return cast("Suit", card[1])


def name_of(card: Card) -> str:
    """Return the name of a card: "ten of hearts"."""
    return f"{RANKS[card[0]]} of {SUITS[suit_of(card)]}"


def symbol_of(card: Card) -> str:
    """Return a card as a symbol: "10♥"."""
    return card[0].replace("T", "10") + _SYMBOLS[card[1]]


def sort_hand(cards: Iterable[Card], trump: Suit | None = None, *, jack_high: bool = True) -> list[Card]:
    """Return cards as a player holds them, which is how the service lists a hand.

    Trumps come first, then the other suits as they follow in SUITS, in each suit from high to low; without trumps,
    spades come first. The jack of trumps is the highest, unless `jack_high` is false, as the ruleset's `trump_rank`
    says.
    """
    suits = list(SUITS)
    first = suits.index(trump or "S")
    held = suits[first:] + suits[:first]
    highest = f"J{trump}" if jack_high else ""
    return sorted(cards, key=lambda card: (held.index(suit_of(card)), card != highest, PACK.index(card)))
