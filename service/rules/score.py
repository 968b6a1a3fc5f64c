"""The score of a deal: the honours a side took, and a point for each card above its share.

Source: all five; french-whist counts tricks, and the ten of diamonds for the ten of trumps.
"""

from collections.abc import Iterator
from operator import add
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from service.cards import RANKS, SUIT_OF, SUITS, Card, Mask
from service.rulesets import Side
from service.state import State, side_of

Item: TypeAlias = Literal["ten", "card_points", "ace", "king", "queen", "jack"]

Honour: TypeAlias = Literal["ten", "ace", "king", "queen", "jack"]

HONOURS: Final = {"T": 10, "A": 4, "K": 3, "Q": 2, "J": 11}


class Tally(NamedTuple):
    """What a side scores in a deal, item by item in the counting order, in points."""

    ten: int
    card_points: int
    ace: int
    king: int
    queen: int
    jack: int


NOTHING: Final = Tally(0, 0, 0, 0, 0, 0)


def _honour_masks(trump: int, ten: str) -> tuple[Mask, ...]:
    def honour(rank: str) -> Mask:
        suit = ten if rank == "T" and ten == "diamonds" else "trumps"
        return 1 << (9 * (SUITS.index("D") if suit == "diamonds" else trump) + RANKS.index(rank))

    return tuple(honour(rank) for rank in HONOURS)


_MASKS: Final = {ten: tuple(_honour_masks(trump, ten) for trump in range(4)) for ten in ("trumps", "diamonds")}
_ALL: Final = {ten: tuple(sum(masks) for masks in by_trump) for ten, by_trump in _MASKS.items()}
_VALUES: Final = tuple(HONOURS.values())
HONOUR_NAMES: Final[tuple[Honour, ...]] = get_args(Honour)


def _sums(masks: tuple[Mask, ...]) -> dict[Mask, int]:
    """Add up every set of honours once, so that a taken pile needs one look-up."""
    sums = {0: 0}
    for mask, value in zip(masks, _VALUES, strict=True):
        sums |= {cards | mask: points + value for cards, points in sums.items()}
    return sums


_SUMS: Final = {ten: tuple(_sums(masks) for masks in by_trump) for ten, by_trump in _MASKS.items()}
_WORTH: Final = {ten: tuple(zip(_ALL[ten], _SUMS[ten], strict=True)) for ten in _MASKS}
"""By which ten scores and by trump: the mask of the honours, and what every set of them is worth."""


def honour_points(cards: Mask, trump: int, ten: str) -> int:
    """Add up the honours among some cards, in points."""
    return _SUMS[ten][trump][cards & _ALL[ten][trump]]


def honours_among(cards: Mask, state: State) -> Iterator[Honour]:
    """Name the honours among some cards."""
    for name, mask in zip(HONOUR_NAMES, _MASKS[state.table.ruleset.ten][state.trump], strict=True):
        if cards & mask:
            yield name


def ten_of(state: State) -> Card:
    """Tell the ten that is an honour."""
    return _MASKS[state.table.ruleset.ten][state.trump][0].bit_length() - 1


def _loses_points(state: State) -> Side | None:
    """Tell the side that counts nothing for this deal, if a revoke cost it that."""
    if state.revoked is None or state.table.ruleset.revoke != "loss_of_deal":
        return None
    return side_of(state, state.revoked)


def tallies(state: State) -> tuple[Tally, ...]:
    """Count what each side has taken so far, item by item.

    Source: denexa and take-ten (the counting order); trebor (a revoke may lose the deal's points).
    """
    loser = _loses_points(state)
    masks = _MASKS[state.table.ruleset.ten][state.trump]
    return tuple(
        NOTHING if side == loser else _tally(masks, state.taken[side], made) for side, made in enumerate(points(state))
    )


def _tally(masks: tuple[Mask, ...], taken: Mask, made: int) -> Tally:
    ten, ace, king, queen, jack = (value if taken & mask else 0 for mask, value in zip(masks, _VALUES, strict=True))
    return Tally(ten, made - (ten + ace + king + queen + jack), ace, king, queen, jack)


def points(state: State) -> tuple[int, ...]:
    """Count the points of each side in this deal so far.

    Source: trebor (Object): honours taken and card points, counted as the play goes.
    """
    table = state.table
    honours, worth = _WORTH[table.ruleset.ten][SUIT_OF[state.turn_up]]
    if table.ruleset.card_points == "tricks":
        made = [worth[taken & honours] + taken.bit_count() // table.players for taken in state.taken]
    else:
        share = table.share
        made = [
            worth[taken & honours] + (above if (above := taken.bit_count() - share[side]) > 0 else 0)
            for side, taken in enumerate(state.taken)
        ]
    if state.revoked is not None and (loser := _loses_points(state)) is not None:
        made[loser] = 0
    return tuple(made)


def totals(state: State) -> tuple[int, ...]:
    """Add the points of this deal so far to the game scores."""
    return tuple(map(add, state.scores, points(state)))


def running_count(state: State) -> Iterator[tuple[Item, list[int]]]:
    """Add up the deal in counting order: after each item, where every side stands."""
    counts = tallies(state)
    standing = list(state.scores)
    items: tuple[Item, ...] = ("ten", "card_points", "ace", "king", "queen", "jack")
    for place, item in enumerate(items):
        standing = [score + tally[place] for score, tally in zip(standing, counts, strict=True)]
        yield item, standing
