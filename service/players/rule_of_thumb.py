"""A sound player by rule of thumb, which sees its own hand and what is on the table, and remembers nothing but that.

To a trick, it
- gives its partner the best honour it need not win with, if nobody can take the trick from the partner any more;
- wins with the ten, or else with its lowest card that wins, if it plays last;
- wins with a card that no card still out beats, if the trick holds an honour or the suit led is plain;
- plays its lowest card otherwise, the least honour last.
It leads the best trump left if it holds three trumps, then the best card left of its shortest plain suit, then its
lowest card, a plain one if it has one. So it follows low, keeps the jack and trumps in the fourth hand.
"""

from typing import Final

from service.cards import FULL_PACK, Mask
from service.players.board import Board
from service.players.order import order
from service.rules import score
from service.state import State

TRUMPS_TO_LEAD: Final = 3
"""The number of trumps from which the best one is led."""


class RuleOfThumb:
    """The rules of thumb for the deal of a state."""

    def __init__(self, state: State) -> None:
        table = state.table
        self._order = order(table.ruleset, state.trump)
        self._side_of = table.side_of
        self._players = table.players
        self._pack = self._order.rank(pack(state))
        self._ten = ten(state)

    def choose(self, board: Board) -> Mask:
        """Choose a card for the seat to play."""
        legal = board.legal()
        if not legal & legal - 1:
            return legal
        seat, pile, suit, live, best, winner, _, _ = board.trick
        out = self._pack & ~board.hands[seat] & ~pile
        for taken in board.taken:
            out &= ~taken
        if not pile:
            return self._lead(legal, out)
        above = live & -best << 1
        last = pile.bit_count() == self._players - 1
        if self._side_of[winner] == self._side_of[seat] and (last or not out & above):
            return self._give(legal & ~above or legal)
        if winning := legal & above:
            if last:
                return winning & self._ten or winning & -winning
            sure = winning & -1 << (out & live).bit_length()
            if sure and (pile & self._order.scoring or suit != self._order.trumps):
                return sure & -sure
        return self._lowest(legal)

    def _lead(self, legal: Mask, out: Mask) -> Mask:
        trumps = legal & self._order.trumps
        if trumps.bit_count() >= TRUMPS_TO_LEAD and trumps > out & self._order.trumps:
            return 1 << trumps.bit_length() - 1
        best = [mine for suit in self._order.plain if (mine := legal & suit) > out & suit]
        if best:
            return 1 << min(best, key=int.bit_count).bit_length() - 1
        return self._lowest(legal)

    def _give(self, cards: Mask) -> Mask:
        for card in reversed(self._order.honours):
            if card & cards:
                return card
        return self._lowest(cards)

    def _lowest(self, cards: Mask) -> Mask:
        if low := cards & ~self._order.scoring:
            return low & -low
        return next(card for card in self._order.honours if card & cards)


def pack(state: State) -> Mask:
    """Return the cards that may be in the deal; any card may if the dealer chose the strip."""
    strips = state.table.strips
    return FULL_PACK & ~(strips[0] if len(strips) == 1 else 0)


def ten(state: State) -> Mask:
    """Return the ten that is an honour, in the order of strength."""
    return order(state.table.ruleset, state.trump).rank(1 << score.ten_of(state.trump, state.table))
