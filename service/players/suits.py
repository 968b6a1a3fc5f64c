"""Hands suit by suit, as the rules of thumb look at them: sets of nine cards, small enough to look up what to play.

A suit is 0 to 2 if it is plain, in the order of the pack, and 3 if it is trumps; bit 8 is its strongest card.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from service.cards import Mask
from service.players.order import order
from service.rulesets import Ruleset, honour_points_by_trump

Suit: TypeAlias = int
Cards: TypeAlias = int
"""Cards of one suit, or one of them."""
Hand: TypeAlias = tuple[Cards, Cards, Cards, Cards]
"""Shape: by suit."""
DiscardRank: TypeAlias = int
"""The place of a card among all: the lower, the sooner it is thrown away; honours come last, from 36 on."""

TRUMPS: Final[Suit] = 3
ALL: Final[Cards] = 511
HIGHER: Final = tuple([ALL & -card << 1 for card in range(257)])
"""By card: those of its suit that are higher."""
ABOVE: Final = tuple([ALL & -1 << cards.bit_length() for cards in range(512)])
"""By set of cards: those of its suit that are higher than all of them."""
_HONOURS: Final[DiscardRank] = 36
_NO_PLACE: Final[DiscardRank] = 99


def _spread(cards: int) -> int:
    return sum([(cards >> 3 * rank + suit & 1) << 9 * suit + rank for rank in range(3) for suit in range(3)])


_SPREAD: Final = tuple(map(_spread, range(512)))
"""By plain cards of three ranks, in the order of strength: the same with nine bits for a suit."""


@lru_cache(maxsize=256)
def split(cards: Mask) -> Hand:
    """Divide cards in the order of strength by suits."""
    plain = _SPREAD[cards & ALL] | _SPREAD[cards >> 9 & ALL] << 3 | _SPREAD[cards >> 18 & ALL] << 6
    return plain & ALL, plain >> 9 & ALL, plain >> 18, cards >> 27


class Suits(NamedTuple):
    """Tables of the cards to play under a trump.

    Shape: `card_of` by mask in the order of strength, `cards` by place; `marks` are those of honours that are trumps,
    by set of trumps. The other tables are by suit, and by set of its cards: `low` has the card to throw away, and
    `throw` its place, 99 if there is none; `rich` has the best honour, or else the card to throw away, and `prize` the
    place of this honour, or -1; `win` has the ten, or else the weakest card. `ruff` has of trumps the ten, or else the
    weakest that is no honour, or 0.
    """

    card_of: Mapping[Mask, tuple[Suit, Cards]]
    cards: tuple[tuple[Suit, Cards], ...]
    ten: tuple[Suit, Cards]
    marks: tuple[int, ...]
    low: tuple[tuple[Cards, ...], ...]
    rich: tuple[tuple[Cards, ...], ...]
    win: tuple[tuple[Cards, ...], ...]
    throw: tuple[tuple[DiscardRank, ...], ...]
    prize: tuple[tuple[DiscardRank, ...], ...]
    ruff: tuple[Cards, ...]


@lru_cache(maxsize=64)
def suits(ruleset: Ruleset, trump: int) -> Suits:
    """Return what to play under a trump."""
    ranked = order(ruleset, trump)
    cards = [(suit, 1 << rank) for rank in range(9) for suit in range(3)] + [(TRUMPS, 1 << rank) for rank in range(9)]
    card_of = {1 << place: card for place, card in enumerate(cards)}
    cards += [card_of[card] for card in ranked.honours]
    place_of = {card: place for place, card in enumerate(cards)}
    ten = card_of[ranked.rank(honour_points_by_trump(ruleset)[trump].by_card[0][0])]
    tables = [
        _tables(tuple([place_of[suit, 1 << rank] for rank in range(9)]), ten[1] if suit == ten[0] else 0)
        for suit in range(4)
    ]
    marks = [ranked.marks[trumps << 27 & ranked.every] for trumps in range(512)]
    low, rich, win, throw, prize, ruff = zip(*tables, strict=True)
    return Suits(card_of, tuple(cards), ten, tuple(marks), low, rich, win, throw, prize, ruff[TRUMPS])


_Tables: TypeAlias = tuple[tuple[int, ...], ...]


@lru_cache(maxsize=64)
def _tables(places: tuple[DiscardRank, ...], ten: Cards) -> _Tables:
    """Return the six tables of a suit. Shape: `places` by card, the weakest first."""
    throw, prize = [_NO_PLACE], [-1]
    for place in places:
        throw += [min(place, other) for other in throw]
        prize += [max(place if place >= _HONOURS else -1, other) for other in prize]
    card_at = {place: 1 << rank for rank, place in enumerate(places)} | {_NO_PLACE: 0, -1: 0}
    low = [card_at[place] for place in throw]
    return (
        tuple(low),
        tuple([card_at[place] or card for place, card in zip(prize, low, strict=True)]),
        tuple([cards & ten or cards & -cards for cards in range(512)]),
        tuple(throw),
        tuple(prize),
        tuple([cards & ten or (0 if throw[cards] >= _HONOURS else low[cards]) for cards in range(512)]),
    )
