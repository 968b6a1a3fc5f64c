"""A sound player by rule of thumb, which sees its own hand and what is on the table, and remembers nothing but that.

To a trick, it
- gives its partner the best honour it need not win with, if nobody can take the trick from the partner any more;
- wins with the ten, or else with its lowest card that wins, if it plays last;
- wins with a card that no card still out beats, if the trick holds an honour or the suit led is plain;
- plays its lowest card otherwise, the least honour last.
It leads the best trump left if it holds three trumps, then the best card left of its shortest plain suit, then its
lowest card, a plain one if it has one. So it follows low, keeps the jack and trumps in the fourth hand.
"""

from collections.abc import Iterator
from typing import Final

from service.cards import BITS, FULL_PACK, SUIT_MASK_OF, SUIT_MASKS, Mask
from service.players.board import Board
from service.players.ranking import rank
from service.rules import score
from service.state import State

_TRUMPS_TO_LEAD: Final = 3
"""The number of trumps from which the best one is led."""


class RuleOfThumb:
    """The rules of thumb for the deal of a state."""

    def __init__(self, state: State) -> None:
        ruleset, trump = state.table.ruleset, state.trump
        self._ranking = rank(ruleset, trump)
        self._side_of = state.table.side_of
        self._players = state.table.players
        self._trumps = self._ranking.trumps
        self._pack = FULL_PACK & ~(strips[0] if len(strips := state.table.strips) == 1 else 0)
        self._above = {suit: _beating(powers) for suit, powers in self._ranking.powers.items()}
        self._ten = BITS[score.ten_of(trump, state.table)]
        self._honours = sorted(bits(self._ranking.honours), key=self._ranking.values.__getitem__, reverse=True)
        self._low = self._order_low()

    def _order_low(self) -> tuple[Mask, ...]:
        """Order the cards from the one to part with first: plain before trumps, honours last, each from the lowest."""
        plain = [suit for suit in self._ranking.suits if not suit[0] & self._trumps]
        mixed = [card for cards in zip(*plain, strict=True) for card in cards]
        trumps = [card for card in BITS if card & self._trumps]
        return tuple(sorted((*mixed, *trumps), key=self._ranking.values.__getitem__))

    def choose(self, board: Board) -> Mask:
        """Choose a card for the seat to play."""
        legal = board.legal()
        if not legal & legal - 1:
            return legal
        seat, pile, suit, powers, best, winner, _, _ = board.trick
        out = self._pack & ~board.hands[seat] & ~pile
        for taken in board.taken:
            out &= ~taken
        if not pile:
            return self._lead(legal, out)
        above = self._above[suit]
        last = pile.bit_count() == self._players - 1
        if self._side_of[winner] == self._side_of[seat] and (last or not out & above[best]):
            return self._give(legal & ~above[best] or legal)
        if winning := legal & above[best]:
            if last:
                return winning & self._ten or min(bits(winning), key=powers.__getitem__)
            sure = [card for card in bits(winning) if not out & above[powers[card]]]
            if sure and (pile & self._ranking.honours or not suit & self._trumps):
                return min(sure, key=powers.__getitem__)
        return self._lowest(legal)

    def _lead(self, legal: Mask, out: Mask) -> Mask:
        trumps = legal & self._trumps
        if trumps.bit_count() >= _TRUMPS_TO_LEAD and (best := self._best_left(trumps, out)):
            return best
        plain = sorted((legal & suit for suit in SUIT_MASKS if legal & suit & ~self._trumps), key=int.bit_count)
        for cards in plain:
            if best := self._best_left(cards, out):
                return best
        return self._lowest(legal)

    def _best_left(self, cards: Mask, out: Mask) -> Mask:
        """Return the best of the cards of a suit if no better one of it is out. Return 0 if one is."""
        suit = SUIT_MASK_OF[cards.bit_length() - 1]
        for card in reversed(self._ranking.suits[SUIT_MASKS.index(suit)]):
            if card & (cards | out):
                return card & cards
        return 0

    def _give(self, cards: Mask) -> Mask:
        for card in self._honours:
            if card & cards:
                return card
        return self._lowest(cards)

    def _lowest(self, cards: Mask) -> Mask:
        return next(card for card in self._low if card & cards)


def _beating(powers: dict[Mask, int]) -> tuple[Mask, ...]:
    """Return, by power, the cards that beat it; that of a card that cannot win is -1, the last."""
    return (
        *(sum(card for card in BITS if powers[card] > power) for power in range(36)),
        sum(card for card in BITS if powers[card] >= 0),
    )


def bits(cards: Mask) -> Iterator[Mask]:
    """List the cards of a set, each as a mask."""
    while cards:
        card = cards & -cards
        yield card
        cards ^= card
