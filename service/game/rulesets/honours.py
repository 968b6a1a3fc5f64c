"""The honours under each trump, and what they are worth."""

from functools import lru_cache
from typing import NamedTuple

from service.game.cards import BITS, RANKS, SUITS, Mask
from service.game.rulesets.ruleset import Honours, Ruleset


class HonourPoints(NamedTuple):
    """The honours under one trump.

    Shape: `mask` is the mask of all honours. `by_set` has the points of each set of honours, so one look-up counts a
    side. `by_card` has the mask and the points of the ten, ace, king, queen and jack.
    """

    mask: Mask
    by_set: dict[Mask, int]
    by_card: tuple[tuple[Mask, int], ...]


def honour_points_by_trump(ruleset: Ruleset) -> tuple[HonourPoints, ...]:
    """Return the honours of a ruleset under each trump."""
    return _by_trump(ruleset.ten, ruleset.honours)


@lru_cache(maxsize=128)
def _by_trump(ten: str, honours: Honours) -> tuple[HonourPoints, ...]:
    values = (honours.ten, honours.ace, honours.king, honours.queen, honours.jack)
    return tuple(_under_trump(trump, SUITS.index("D") if ten == "diamonds" else trump, values) for trump in range(4))


def _under_trump(trump: int, suit_of_ten: int, values: tuple[int, ...]) -> HonourPoints:
    masks = tuple(BITS[9 * (suit_of_ten if rank == "T" else trump) + RANKS.index(rank)] for rank in "TAKQJ")
    sums = {0: 0}
    for mask, value in zip(masks, values, strict=True):
        sums |= {cards | mask: points + value for cards, points in sums.items()}
    return HonourPoints(sum(masks), sums, tuple(zip(masks, values, strict=True)))
