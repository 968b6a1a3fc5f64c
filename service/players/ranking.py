"""How cards rank for a trump: by the power to win a trick, and by the honours among them."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from msgspec import Struct

from service.cards import BITS, SUIT_MASKS, Mask
from service.rules import trick
from service.rulesets import Ruleset, worth_by_trump

CANNOT_WIN: Final = -1
"""The power of a plain card of another suit than the one led."""


class Ranking(Struct, frozen=True, gc=False):
    """The ranks of all cards, each a mask of one bit.

    Shape: `powers` by suit led, then by card, the highest wins; `suits` are the cards of each suit, the lowest first;
    `below` by card, the lower cards of its suit; `values` by card.
    Unit: `values` in points.
    """

    trumps: Mask
    powers: Mapping[Mask, dict[Mask, int]]
    suits: tuple[tuple[Mask, ...], ...]
    below: Mapping[Mask, Mask]
    values: Mapping[Mask, int]
    honours: Mask

    def distinct(self, cards: Mask, others: Mask) -> list[Mask]:
        """List some cards of a hand, but of those that are as good as each other only the lowest.

        Cards of a suit are that if they score the same and none of the cards that others hold ranks between them.
        """
        found: list[Mask] = []
        for suit in self.suits:
            last = 0
            for card in suit:
                if card & cards:
                    alike = last and self.values[card] == self.values[last]
                    if not alike or self.below[card] & ~self.below[last] & others:
                        found.append(card)
                    last = card
        return found


@lru_cache(maxsize=64)
def rank(ruleset: Ruleset, trump: int) -> Ranking:
    """Return how cards rank for a trump, as the rules find the winner of a trick and count honours."""
    powers = {suit: _powers(ruleset, trump, suit) for suit in SUIT_MASKS}
    suits = tuple(
        tuple(sorted((bit for bit in BITS if bit & suit), key=powers[suit].__getitem__)) for suit in SUIT_MASKS
    )
    worth = worth_by_trump(ruleset)[trump]
    values = {bit: worth.sums[bit & worth.every] for bit in BITS}
    return Ranking(
        SUIT_MASKS[trump],
        powers,
        suits,
        {card: sum(suit[:at]) for suit in suits for at, card in enumerate(suit)},
        values,
        sum(bit for bit, value in values.items() if value),
    )


def _powers(ruleset: Ruleset, trump: int, suit: Mask) -> dict[Mask, int]:
    """Rank the cards that can win a trick to which a suit was led: the best one has power 35."""
    powers = dict.fromkeys(BITS, CANNOT_WIN)
    lead, winning = suit.bit_length() - 1, SUIT_MASKS[trump] | suit
    for power in range(35, 35 - winning.bit_count(), -1):
        best = BITS[trick.best(winning, lead, trump, ruleset)]
        powers[best] = power
        winning ^= best
    return powers
