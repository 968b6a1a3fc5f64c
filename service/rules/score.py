"""The score of a deal: the honours that a side took, and a point for each card above its share.

Source: all five; french-whist counts tricks, and the ten of diamonds in place of the ten of trumps.
"""

from collections.abc import Iterator
from operator import add
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from service.cards import BITS, RANKS, SUIT_OF, SUITS, Card, Mask
from service.rules import revoke
from service.rulesets import Ruleset
from service.state import State

Item: TypeAlias = Literal["ten", "card_points", "ace", "king", "queen", "jack"]
Honour: TypeAlias = Literal["ten", "ace", "king", "queen", "jack"]

ITEMS: Final[tuple[Item, ...]] = get_args(Item)
"""The counting order. Source: denexa and take-ten."""
HONOUR_NAMES: Final[tuple[Honour, ...]] = get_args(Honour)
HONOURS: Final = {"T": 10, "A": 4, "K": 3, "Q": 2, "J": 11}
"""By rank, in the order of HONOUR_NAMES: what an honour is worth, in points."""


class Tally(NamedTuple):
    """The score of a side in a deal, item by item in counting order. Unit: points."""

    ten: int
    card_points: int
    ace: int
    king: int
    queen: int
    jack: int


NOTHING: Final = Tally(0, 0, 0, 0, 0, 0)


def _honour_masks(trump: int, ten: str) -> tuple[Mask, ...]:
    """Return each honour as a mask, in the order of HONOURS."""
    suit_of_ten = SUITS.index("D") if ten == "diamonds" else trump
    return tuple(BITS[9 * (suit_of_ten if rank == "T" else trump) + RANKS.index(rank)] for rank in HONOURS)


_MASKS: Final = {ten: tuple(_honour_masks(trump, ten) for trump in range(4)) for ten in ("trumps", "diamonds")}
_ALL: Final = {ten: tuple(sum(masks) for masks in by_trump) for ten, by_trump in _MASKS.items()}
_VALUES: Final = tuple(HONOURS.values())


def _sums(masks: tuple[Mask, ...]) -> dict[Mask, int]:
    """Add up every set of honours once, so that the cards a side took need one look-up."""
    sums = {0: 0}
    for mask, value in zip(masks, _VALUES, strict=True):
        sums |= {cards | mask: points + value for cards, points in sums.items()}
    return sums


_SUMS: Final = {ten: tuple(_sums(masks) for masks in by_trump) for ten, by_trump in _MASKS.items()}
_WORTH: Final = {ten: tuple(zip(_ALL[ten], _SUMS[ten], strict=True)) for ten in _MASKS}
"""By the ten that scores and by trump: the mask of all honours, and the points of every set of them."""


def honour_points(cards: Mask, trump: int, ruleset: Ruleset) -> int:
    """Return what the honours among some cards are worth, in points."""
    honours, worth = _WORTH[ruleset.ten][trump]
    return worth[cards & honours]


def honours_among(cards: Mask, trump: int, ruleset: Ruleset) -> Iterator[Honour]:
    """Name the honours among some cards."""
    for name, mask in zip(HONOUR_NAMES, _MASKS[ruleset.ten][trump], strict=True):
        if cards & mask:
            yield name


def ten_of(trump: int, ruleset: Ruleset) -> Card:
    """Return the ten that is an honour."""
    return _MASKS[ruleset.ten][trump][0].bit_length() - 1


def tallies(state: State) -> tuple[Tally, ...]:
    """Return what each side has scored so far, item by item.

    Source: denexa and take-ten (the counting order); trebor (a revoke may lose the deal's points).
    """
    loser = revoke.loser_of_deal(state)
    masks = _MASKS[state.table.ruleset.ten][state.trump]
    return tuple(
        NOTHING if side == loser else _tally(masks, state.taken[side], made) for side, made in enumerate(points(state))
    )


def _tally(masks: tuple[Mask, ...], taken: Mask, made: int) -> Tally:
    ten, ace, king, queen, jack = (value if taken & mask else 0 for mask, value in zip(masks, _VALUES, strict=True))
    return Tally(ten, made - (ten + ace + king + queen + jack), ace, king, queen, jack)


def points(state: State) -> tuple[int, ...]:
    """Return the points of each side in this deal so far.

    Source: trebor (Object): honours taken and card points, counted while the deal is played.
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
    if state.revoked is not None and (loser := revoke.loser_of_deal(state)) is not None:
        made[loser] = 0
    return tuple(made)


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
