"""The score of a deal: the honours that a side took, and a point for each card above its share.

Source: all; french-whist counts tricks, and the ten of diamonds in place of the ten of trumps.
"""

from collections.abc import Iterator
from operator import add
from typing import Annotated, Final, Literal, NamedTuple, TypeAlias, get_args

from msgspec import Meta

from service.game.cards import SUIT_OF, Card, Mask
from service.game.rules import revoke
from service.game.rulesets import HonourPoints, Table
from service.game.state import State

Item: TypeAlias = Annotated[
    Literal["fine", "ten", "card_points", "ace", "king", "queen", "jack"],
    Meta(title="ScoreItem", description="An item of the counting order."),
]
Honour: TypeAlias = Literal["ten", "ace", "king", "queen", "jack"]

ITEMS: Final[tuple[Item, ...]] = get_args(get_args(Item)[0])
"""The counting order. Source: denexa and take-ten; a fine, which no source has, counts first."""
HONOUR_NAMES: Final[tuple[Honour, ...]] = get_args(Honour)


class DealScore(NamedTuple):
    """The score of a side in a deal, item by item in counting order. Unit: points."""

    fine: int
    """From a fine for a revoke: below zero for the side that revoked."""
    ten: int
    """For the ten that is an honour."""
    card_points: int
    """For cards above the share of the side, or for its tricks."""
    ace: int
    """For the ace of trumps."""
    king: int
    """For the king of trumps."""
    queen: int
    """For the queen of trumps."""
    jack: int
    """For the jack of trumps."""


NOTHING: Final = DealScore(0, 0, 0, 0, 0, 0, 0)


def honour_points(cards: Mask, trump: int, table: Table) -> int:
    """Return the points of the honours among some cards."""
    worth = table.honours[trump]
    return worth.by_set[cards & worth.mask]


def honours_among(cards: Mask, trump: int, table: Table) -> Iterator[Honour]:
    """Name the honours among some cards."""
    for name, (mask, _) in zip(HONOUR_NAMES, table.honours[trump].by_card, strict=True):
        if cards & mask:
            yield name


def ten_of(trump: int, table: Table) -> Card:
    """Return the ten that is an honour."""
    return table.honours[trump].by_card[0][0].bit_length() - 1


def deal_scores(state: State) -> tuple[DealScore, ...]:
    """Return what each side has scored so far, item by item.

    Source: denexa and take-ten (the counting order); trebor (a revoke may lose the deal's points).
    """
    loser, worth, made = revoke.loser_of_deal(state), state.table.honours[state.trump], _made(state)
    return tuple(
        [
            NOTHING if side == loser else _score_side(worth, state.taken[side], fine, made[side])
            for side, fine in enumerate(revoke.fines(state, made))
        ]
    )


def _score_side(worth: HonourPoints, taken: Mask, fine: int, made: int) -> DealScore:
    ten, ace, king, queen, jack = [value if taken & mask else 0 for mask, value in worth.by_card]
    return DealScore(fine, ten, made - (ten + ace + king + queen + jack), ace, king, queen, jack)


def points(state: State) -> tuple[int, ...]:
    """Return the points of each side in this deal so far; a fine may take them below zero.

    Source: trebor (Object): honours taken and card points, counted while the deal is played.

    >>> from service.game.notation.position import read_position
    >>> state = read_position("ctt1_trebor_02.13_2_9.4_0-Ah_8.8.8.8_1_0.JT76h")
    >>> points(state), totals(state)  # ten and jack of trumps are taken by the side of seats 1 and 3
    ((0, 21), (9, 25))
    """
    made = _made(state)
    if state.revoked is not None:
        made = list(map(add, made, revoke.fines(state, made)))
        if (loser := revoke.loser_of_deal(state)) is not None:
            made[loser] = 0
    return tuple(made)


def _made(state: State) -> list[int]:
    """Return the points of each side from the cards that it took."""
    table = state.table
    every, sums, _ = table.honours[SUIT_OF[state.turn_up]]
    counted = table.ruleset.card_points
    if counted == "above_share":
        share = table.share
        return [
            sums[taken & every] + (above if (above := taken.bit_count() - share[side]) > 0 else 0)
            for side, taken in enumerate(state.taken)
        ]
    if counted == "tricks":
        return [sums[taken & every] + taken.bit_count() // table.players for taken in state.taken]
    return [sums[taken & every] for taken in state.taken]


def totals(state: State) -> tuple[int, ...]:
    """Return the game scores with the points of this deal so far."""
    return tuple(map(add, state.scores, points(state)))


def running_count(state: State) -> Iterator[tuple[Item, list[int]]]:
    """Add up the deal in counting order: yield each item, and the scores of all sides after it."""
    counts = deal_scores(state)
    totals = list(state.scores)
    for index, item in enumerate(ITEMS):
        totals = [score + tally[index] for score, tally in zip(totals, counts, strict=True)]
        yield item, totals
