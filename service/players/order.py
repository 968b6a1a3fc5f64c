"""Cards in the order of their strength, for computer players: a stronger card is a higher bit.

A suit is three bits apart in the low 27, so that the lowest bit is the lowest plain card of all suits; trumps are the
highest nine. Of two cards that can win a trick, the greater mask wins it.
"""

from functools import lru_cache
from typing import Final

from service.game.cards import BITS, SUIT_MASKS, Card, Mask
from service.game.rules import trick
from service.game.rulesets import Ruleset, honour_points_by_trump


class Order:
    """The order of all cards for a trump suit; it finds winners of tricks and counts honours.

    Shape: `suits` in the order of the pack; `plain`, the suits without trumps; `led_by`, by card, its suit and the
    cards that win if it is led; `values`, by card, in points; `honours`, the least first; `scoring`, all honours.
    """

    def __init__(self, ruleset: Ruleset, trump: int) -> None:
        bits, worth = _bits(ruleset, trump), honour_points_by_trump(ruleset)[trump]
        suits = tuple([sum(bits[9 * suit : 9 * suit + 9]) for suit in range(4)])
        values = {bits[at]: worth.by_set[bit & worth.mask] for at, bit in enumerate(BITS)}
        back = dict(zip(bits, BITS, strict=True))
        self.suits: Final = suits
        self.plain: Final = tuple([suit for at, suit in enumerate(suits) if at != trump])
        self.trumps: Final[Mask] = suits[trump]
        self.led_by: Final = {bit: (suits[at // 9], suits[at // 9] | suits[trump]) for at, bit in enumerate(bits)}
        self.values: Final = values
        self.honours: Final = tuple(
            sorted([card for card, value in values.items() if value], key=lambda card: (values[card], card))
        )
        self.scoring: Final[Mask] = sum(self.honours)
        self._strengths: Final = tuple([_sets(bits[at : at + 9]) for at in range(0, 36, 9)])
        self._numbers: Final = tuple([_sets([back[bit] for bit in BITS[at : at + 9]]) for at in range(0, 36, 9)])

    def rank(self, cards: Mask) -> Mask:
        """Return a set of cards in the order of strength."""
        first, second, third, fourth = self._strengths
        return first[cards & 511] | second[cards >> 9 & 511] | third[cards >> 18 & 511] | fourth[cards >> 27]

    def number(self, cards: Mask) -> Mask:
        """Return a set of cards in the order of the pack."""
        first, second, third, fourth = self._numbers
        return first[cards & 511] | second[cards >> 9 & 511] | third[cards >> 18 & 511] | fourth[cards >> 27]

    def card(self, bit: Mask) -> Card:
        """Return the number of one card."""
        return self.number(bit).bit_length() - 1

    def distinct(self, cards: Mask, others: Mask) -> list[Mask]:
        """List some cards of a hand, but only the lowest of equivalent ones.

        Cards of a suit are equivalent if they score the same and no card of the others ranks between them.
        """
        found: list[Mask] = []
        for suit in self.suits:
            last, mine = 0, cards & suit
            while mine:
                card = mine & -mine
                mine ^= card
                scoring = (card | last) & self.scoring
                if (
                    not last
                    or others & suit & (card - 1) & -last
                    or (scoring and self.values[card] != self.values[last])
                ):
                    found.append(card)
                last = card
        return found


@lru_cache(maxsize=64)
def order(ruleset: Ruleset, trump: int) -> Order:
    """Return the order of all cards for a trump."""
    return Order(ruleset, trump)


def higher(cards: Mask, others: Mask) -> Mask:
    """Return the cards that are higher than all of the others."""
    return cards & -1 << others.bit_length()


def _bits(ruleset: Ruleset, trump: int) -> list[Mask]:
    """Return the bit of each card of the pack."""
    bits, plain = list(BITS), 0
    for suit, cards in enumerate(SUIT_MASKS):
        for rank, card in enumerate(_from_lowest(ruleset, trump, cards)):
            bits[card] = BITS[27 + rank if suit == trump else 3 * rank + plain]
        plain += suit != trump
    return bits


def _from_lowest(ruleset: Ruleset, trump: int, cards: Mask) -> list[int]:
    """List the cards of a suit from the lowest on."""
    lead, ranked = cards.bit_length() - 1, list[int]()
    while cards:
        ranked.append(trick.best(cards, lead, trump, ruleset))
        cards ^= BITS[ranked[-1]]
    return ranked[::-1]


def _sets(bits: list[Mask]) -> tuple[Mask, ...]:
    """Return the sum of each subset of some cards; bit n of its index is set if it holds the card at n."""
    sums = [0]
    for bit in bits:
        sums += [cards | bit for cards in sums]
    return tuple(sums)
