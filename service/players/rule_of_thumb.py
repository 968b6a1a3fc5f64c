"""A sound player by rule of thumb, which sees its own hand and what is on the table, and remembers nothing but that.

To a trick, it
- gives its partner the best honour it need not win with, if nobody can take the trick from the partner any more;
- wins with the ten, or else with its lowest card that wins, if it plays last and its side is not winning;
- wins with a card that no card still out beats, if the trick holds an honour or the suit led is plain;
- leaves a plain suit to its partner, who wins it so far with a trump or the best card left;
- wins a plain suit with the best card left of it, though it may be trumped;
- trumps a plain suit with the ten, or else with its lowest trump that is no honour;
- plays its lowest card otherwise, the least honour last.
It leads its best trump if no better one is out but an honour is, then the best card left of its shortest plain suit,
then its lowest card, a plain one if it has one. So it follows low, keeps the jack for the ten, and trumps the fourth
hand.
"""

from service.cards import FULL_PACK, Mask
from service.players.board import Board, Trick
from service.players.order import order
from service.rules import score
from service.state import State


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
        legal = board.legal
        if not legal & legal - 1:
            return legal
        seat, pile, *_ = board.trick
        out = self._pack & ~board.hands[seat] & ~pile
        for taken in board.taken:
            out &= ~taken
        return self._follow(board.trick, legal, out) if pile else self._lead(legal, out)

    def _follow(self, trick: Trick, legal: Mask, out: Mask) -> Mask:
        seat, pile, suit, live, best, winner, *_ = trick
        above = live & -best << 1
        last = pile.bit_count() == self._players - 1
        partners = self._side_of[winner] == self._side_of[seat]
        if partners and (last or not out & above):
            return self._give(legal & ~above or legal)
        if last:
            return self._win_last(legal & above) or self._lowest(legal)
        sure = legal & above & -1 << (out & live).bit_length()
        if sure and (pile & self._order.scoring or suit != self._order.trumps):
            return sure & -sure
        if suit == self._order.trumps:
            return self._lowest(legal)
        if partners and not out & above & suit:
            return self._lowest(legal & ~above or legal)
        best_left = legal & above & suit & -1 << (out & suit).bit_length()
        return best_left & -best_left or (not partners and self._ruff(legal & above & ~suit)) or self._lowest(legal)

    def _win_last(self, winning: Mask) -> Mask:
        return winning & self._ten or winning & -winning

    def _ruff(self, trumps: Mask) -> Mask:
        low = trumps & ~self._order.scoring
        return trumps & self._ten or low & -low

    def _lead(self, legal: Mask, out: Mask) -> Mask:
        trumps = legal & self._order.trumps
        if trumps > out & self._order.trumps and out & self._order.scoring:
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
