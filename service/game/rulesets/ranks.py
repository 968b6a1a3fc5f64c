"""The rank of trumps, and the order in which a player holds the cards of a hand.

Trumps come first. The other suits follow around the circle of spades, hearts, clubs and diamonds: black and red
alternate. The cards of a suit go from high to low, as they rank in this deal.
Source: all (the ranks); the order of the suits is this project's choice.
"""

from functools import lru_cache
from typing import Final, TypeAlias

from service.game.cache import Cache
from service.game.cards import CODES, SUITS, CardCode, Mask
from service.game.rulesets.ruleset import Ruleset

HandOrder: TypeAlias = Cache[Mask, tuple[CardCode, ...]]
"""By hand: the codes of its cards in the order in which a player holds them."""
_RAISED: Final = {"jack_high": sum(1 << card for card, code in enumerate(CODES) if code[0] == "J"), "ace_high": 0}
_CIRCLE: Final = tuple(map(SUITS.index, "SHCD"))
_CACHED: Final = 4096
"""Cached hands of each order: in the states of one game the same hands return again and again."""


def cards_above_ace(ruleset: Ruleset) -> Mask:
    """Return the cards that rank above the ace if their suit is trump."""
    return _RAISED[ruleset.trump_rank]


def hand_orders(ruleset: Ruleset) -> tuple[HandOrder, ...]:
    """Return by trump the order in which hands are held."""
    return _hand_orders(cards_above_ace(ruleset))


@lru_cache(maxsize=2)
def _hand_orders(raised_cards: Mask) -> tuple[HandOrder, ...]:
    return tuple(_hand_order(trump, raised_cards) for trump in range(4))


def _hand_order(trump: int, raised_cards: Mask) -> HandOrder:
    at = _CIRCLE.index(trump)
    a, b, c, d = (9 * suit for suit in _CIRCLE[at:] + _CIRCLE[:at])
    trumps, second, third, fourth = _list_sets(a, raised_cards), _list_sets(b), _list_sets(c), _list_sets(d)

    def sort(hand: Mask) -> tuple[CardCode, ...]:
        return trumps[hand >> a & 511] + second[hand >> b & 511] + third[hand >> c & 511] + fourth[hand >> d & 511]

    return Cache(sort, _CACHED)


def _list_sets(first: int, raised_cards: Mask = 0) -> tuple[tuple[CardCode, ...], ...]:
    """List every set of cards of the suit whose six is `first`, high to low; bit n of its index is card first + n."""
    ranked = sorted(range(first, first + 9), key=lambda card: (raised_cards >> card & 1, card), reverse=True)
    return tuple(tuple([CODES[card] for card in ranked if bits >> card - first & 1]) for bits in range(512))
