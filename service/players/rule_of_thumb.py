"""A sensible player by rule of thumb: it sees its hand and the table, and remembers nothing else.

To a trick, it
- gives its partner the best honour it need not win with, if nobody can take the trick from the partner any more;
- wins with the ten, or else with its lowest card that wins, if it plays last and its side is not winning;
- wins with a card that no card still out beats, if the trick holds an honour or the suit led is plain;
- leaves a plain suit to its partner, who wins it so far with a trump or the best card left;
- wins a plain suit with the best card left of it, though it may be trumped;
- trumps a plain suit with the ten, or else with its lowest trump that is no honour;
- plays its lowest card otherwise, the least honour last.

It leads its best trump if no better trump is out but an honour is. Otherwise it leads the best card left of a plain
suit, from its shortest such suit. Otherwise it leads its lowest card, a plain card if it has one.

So it follows low, keeps the jack for the ten, and trumps the fourth hand.

A careful side differs when it is void in a plain suit and does not play last:
- it trumps with an unbeatable card only if the trick has an honour;
- it trumps with the ten, or else its lowest trump below the honours, even if its partner is winning but can be beaten.
"""

from collections.abc import Collection

from service.game.cards import FULL_PACK, Mask
from service.game.rules import score
from service.game.rulesets import Side
from service.game.state import State
from service.players.board import Board
from service.players.order import higher, order


class RuleOfThumb:
    """The rules of thumb for the deal of a state, and the sides that are careful."""

    def __init__(self, state: State, careful: Collection[Side] = ()) -> None:
        table, ranked = state.table, order(state.table.ruleset, state.trump)
        self._trumps, self._plain = ranked.trumps, ranked.plain
        self._honours, self._scoring = ranked.honours, ranked.scoring
        self._side_of = table.side_of
        self._players = table.players
        self._pack = ranked.rank(pack(state))
        self._ten = ten(state)
        self._careful = [side in careful for side in table.side_of]

    def choose(self, board: Board) -> Mask:
        """Choose a card for the seat to play."""
        legal = board.legal
        if not legal & legal - 1:
            return legal
        out = self._pack & ~board.hands[board.seat] & ~board.pile
        for taken in board.taken:
            out &= ~taken
        return self._follow(board, legal, out) if board.pile else self._lead(legal, out)

    def _follow(self, board: Board, legal: Mask, out: Mask) -> Mask:
        suit, live = board.suit, board.live
        above = live & -board.best << 1
        last = (board.seat + 1) % self._players == board.leader
        partners = self._side_of[board.winner] == self._side_of[board.seat]
        if partners and (last or not out & above):
            return self._give(legal & ~above or legal)
        if last:
            return self._win_last(legal & above) or self._lowest(legal)
        sure = higher(legal & above, out & live)
        careful = self._careful[board.seat]
        if sure and (board.pile & self._scoring or (suit != self._trumps and (legal & suit or not careful))):
            return sure & -sure
        if suit == self._trumps:
            return self._lowest(legal)
        if partners and not out & above & suit:
            return self._lowest(legal & ~above or legal)
        best_left = higher(legal & above & suit, out & suit)
        ruff = self._ruff(legal & above & ~suit) if careful or not partners else 0
        return best_left & -best_left or ruff or self._lowest(legal)

    def _win_last(self, winning: Mask) -> Mask:
        return winning & self._ten or winning & -winning

    def _ruff(self, trumps: Mask) -> Mask:
        low = trumps & ~self._scoring
        return trumps & self._ten or low & -low

    def _lead(self, legal: Mask, out: Mask) -> Mask:
        trumps = legal & self._trumps
        if trumps > out & self._trumps and out & self._scoring:
            return _highest(trumps)
        shortest, fewest = 0, 10
        for suit in self._plain:
            mine = legal & suit
            if mine > out & suit and mine.bit_count() < fewest:
                shortest, fewest = mine, mine.bit_count()
        return _highest(shortest) if shortest else self._lowest(legal)

    def _give(self, cards: Mask) -> Mask:
        best = 0
        for card in self._honours:
            best = card & cards or best
        return best or self._lowest(cards)

    def _lowest(self, cards: Mask) -> Mask:
        low = cards & ~self._scoring
        if not low:
            for card in self._honours:
                if card & cards:
                    return card
        return low & -low


def _highest(cards: Mask) -> Mask:
    return 1 << cards.bit_length() - 1


def pack(state: State) -> Mask:
    """Return the cards that may be in the deal; any card may if the dealer chose the strip."""
    strips = state.table.strips
    return FULL_PACK & ~(strips[0] if len(strips) == 1 else 0)


def ten(state: State) -> Mask:
    """Return the ten that is an honour, in the order of strength."""
    return order(state.table.ruleset, state.trump).rank(1 << score.ten_of(state.trump, state.table))
