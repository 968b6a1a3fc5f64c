"""The honours under each trump, and what they are worth."""

from functools import lru_cache
from typing import NamedTuple

from service.cards import BITS, RANKS, SUITS, Mask
from service.rulesets.ruleset import Honours, Ruleset


class Worth(NamedTuple):
    """The honours under one trump.

    Shape: `every` is the mask of all honours, `sums` the points of each set of them, so that the cards that a side took
    need one look-up; `each` has the mask and the points of the ten, ace, king, queen and jack.
    """

    every: Mask
    sums: dict[Mask, int]
    each: tuple[tuple[Mask, int], ...]


def worth_by_trump(ruleset: Ruleset) -> tuple[Worth, ...]:
    """Return the honours of a ruleset under each trump."""
    return _worth_by_trump(ruleset.ten, ruleset.honours)


@lru_cache(maxsize=128)
def _worth_by_trump(ten: str, honours: Honours) -> tuple[Worth, ...]:
    values = (honours.ten, honours.ace, honours.king, honours.queen, honours.jack)
    return tuple(_worth(trump, SUITS.index("D") if ten == "diamonds" else trump, values) for trump in range(4))


def _worth(trump: int, suit_of_ten: int, values: tuple[int, ...]) -> Worth:
    masks = tuple(BITS[9 * (suit_of_ten if rank == "T" else trump) + RANKS.index(rank)] for rank in "TAKQJ")
    sums = {0: 0}
    for mask, value in zip(masks, values, strict=True):
        sums |= {cards | mask: points + value for cards, points in sums.items()}
    return Worth(sum(masks), sums, tuple(zip(masks, values, strict=True)))
