"""The score of a deal: the honours that a side took, and a point for each card above its share.

Source: all five; french-whist counts tricks, and the ten of diamonds in place of the ten of trumps.
"""

from collections.abc import Iterator
from functools import lru_cache
from operator import add
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from service.cards import BITS, RANKS, SUIT_OF, SUITS, Card, Mask
from service.rules import revoke
from service.rulesets import Honours, Ruleset
from service.state import State

Item: TypeAlias = Literal["fine", "ten", "card_points", "ace", "king", "queen", "jack"]
Honour: TypeAlias = Literal["ten", "ace", "king", "queen", "jack"]

ITEMS: Final[tuple[Item, ...]] = get_args(Item)
"""The counting order. Source: denexa and take-ten; a fine, which no source has, counts first."""
HONOUR_NAMES: Final[tuple[Honour, ...]] = get_args(Honour)


class Tally(NamedTuple):
    """The score of a side in a deal, item by item in counting order. Unit: points."""

    fine: int
    ten: int
    card_points: int
    ace: int
    king: int
    queen: int
    jack: int


class _Worth(NamedTuple):
    """The honours under one trump.

    Shape: `masks` and `values` in the order of HONOUR_NAMES; `every` is the mask of all honours, `sums` the points of
    each set of them, so that the cards that a side took need one look-up.
    """

    every: Mask
    sums: dict[Mask, int]
    masks: tuple[Mask, ...]
    values: tuple[int, ...]


NOTHING: Final = Tally(0, 0, 0, 0, 0, 0, 0)


@lru_cache(maxsize=128)
def _worth(ten: str, honours: Honours) -> tuple[_Worth, ...]:
    """Return the worth of the honours by trump."""
    values = tuple(getattr(honours, name) for name in HONOUR_NAMES)
    return tuple(_worth_under(trump, SUITS.index("D") if ten == "diamonds" else trump, values) for trump in range(4))


def _worth_under(trump: int, suit_of_ten: int, values: tuple[int, ...]) -> _Worth:
    masks = tuple(BITS[9 * (suit_of_ten if rank == "T" else trump) + RANKS.index(rank)] for rank in "TAKQJ")
    sums = {0: 0}
    for mask, value in zip(masks, values, strict=True):
        sums |= {cards | mask: points + value for cards, points in sums.items()}
    return _Worth(sum(masks), sums, masks, values)


def honours_of(trump: int, ruleset: Ruleset) -> _Worth:
    """Return the honours of a ruleset under a trump, and what they are worth."""
    return _worth(ruleset.ten, ruleset.honours)[trump]


def honour_points(cards: Mask, trump: int, ruleset: Ruleset) -> int:
    """Return what the honours among some cards are worth, in points."""
    worth = honours_of(trump, ruleset)
    return worth.sums[cards & worth.every]


def honours_among(cards: Mask, trump: int, ruleset: Ruleset) -> Iterator[Honour]:
    """Name the honours among some cards."""
    for name, mask in zip(HONOUR_NAMES, honours_of(trump, ruleset).masks, strict=True):
        if cards & mask:
            yield name


def ten_of(trump: int, ruleset: Ruleset) -> Card:
    """Return the ten that is an honour."""
    return honours_of(trump, ruleset).masks[0].bit_length() - 1


def tallies(state: State) -> tuple[Tally, ...]:
    """Return what each side has scored so far, item by item.

    Source: denexa and take-ten (the counting order); trebor (a revoke may lose the deal's points).
    """
    loser, worth, made = revoke.loser_of_deal(state), honours_of(state.trump, state.table.ruleset), _made(state)
    return tuple(
        NOTHING if side == loser else _tally(worth, state.taken[side], fine, made[side])
        for side, fine in enumerate(revoke.fines(state, made))
    )


def _tally(worth: _Worth, taken: Mask, fine: int, made: int) -> Tally:
    counted = zip(worth.masks, worth.values, strict=True)
    ten, ace, king, queen, jack = (value if taken & mask else 0 for mask, value in counted)
    return Tally(fine, ten, made - (ten + ace + king + queen + jack), ace, king, queen, jack)


def points(state: State) -> tuple[int, ...]:
    """Return the points of each side in this deal so far; a fine may take them below zero.

    Source: trebor (Object): honours taken and card points, counted while the deal is played.
    """
    made = _made(state)
    if state.revoked is not None:
        made = list(map(add, made, revoke.fines(state, made)))
        if (loser := revoke.loser_of_deal(state)) is not None:
            made[loser] = 0
    return tuple(made)


def _made(state: State) -> list[int]:
    """Return the points of each side from the cards that it took."""
    table, ruleset = state.table, state.table.ruleset
    every, sums, _, _ = _worth(ruleset.ten, ruleset.honours)[SUIT_OF[state.turn_up]]
    if ruleset.card_points == "above_share":
        share = table.share
        return [
            sums[taken & every] + (above if (above := taken.bit_count() - share[side]) > 0 else 0)
            for side, taken in enumerate(state.taken)
        ]
    if ruleset.card_points == "tricks":
        return [sums[taken & every] + taken.bit_count() // table.players for taken in state.taken]
    return [sums[taken & every] for taken in state.taken]


def totals(state: State) -> tuple[int, ...]:
    """Return the game scores with the points of this deal so far."""
    return tuple(map(add, state.scores, points(state)))


def running_count(state: State) -> Iterator[tuple[Item, list[int]]]:
    """Add up the deal in counting order: yield each item, and the scores of all sides after it."""
    counts = tallies(state)
    standing = list(state.scores)
    for index, item in enumerate(ITEMS):
        standing = [score + tally[index] for score, tally in zip(standing, counts, strict=True)]
        yield item, standing
