"""The worth of the sides' tricks by the rules: points, honours, and the game if it ends.

The end of a deal depends only on each side's honours and number of cards, so every count is cached.
"""

from typing import Final, NamedTuple, TypeAlias

from msgspec.structs import replace

from service.game.cards import Mask
from service.game.rules import game, score, visibility
from service.game.rulesets import Side
from service.game.state import State
from service.players.board import Board
from service.players.order import higher, order

_WIN: Final = 1000
"""The worth of the game, in points: more than any deal."""

BOUND: Final = 10**6
"""More than any deal is worth."""

GAME: Final = 10_000
"""The whole game, in parts of it."""

_BITS_OF_COUNT: Final = 6

Counts: TypeAlias = tuple[int, ...]
"""The counts of each side: its honours in the order of strength, and in the lowest bits the number of its cards."""


class Outcome(NamedTuple):
    """The end of a deal.

    For sides that play only for points, `worth` and `chances` are a side's lead over all others together.
    """

    points: tuple[int, ...]
    """By side: the points of the deal."""
    honours: tuple[Mask, ...]
    """By side: the honours that it took."""
    winners: tuple[Side, ...] | None
    """The sides that win the game; None if it does not end."""
    worth: tuple[int, ...]
    """By side, for a certain outcome: the game first, then points; the sum is 0."""
    chances: tuple[int, ...]
    """By side, for one outcome of many: its share of the game, in ten-thousandths."""


class Evaluator:
    """The outcomes of a deal; with `for_points`, as if it could not win the game."""

    def __init__(self, state: State, *, for_points: bool = False) -> None:
        self._for_points = for_points
        self._at_once = not for_points and game.counts_at_once(state.table)
        # One of two sides has above its share what the other lacks.
        self._adds_up = for_points and len(state.taken) == 2
        ranked, honours = order(state.table.ruleset, state.trump), state.table.honours[state.trump]
        self._honours = ranked.rank(honours.mask)
        self._points = {ranked.rank(cards): points for cards, points in honours.by_set.items()}
        self._side_of, self._players = state.table.side_of, state.table.players
        self._none, self._trick = _measure(state) if self._adds_up else (0, 0)
        self._known: dict[tuple[bool, Counts], Outcome | None] = {}
        self._scores_so_far: dict[Counts, tuple[Counts, tuple[int, ...]]] = {}

    def count(self, board: Board) -> Counts:
        """Return the part of the taken cards that counts."""
        return tuple([self._count(cards) for cards in board.taken])

    def _count(self, cards: Mask) -> int:
        return (cards & self._honours) << _BITS_OF_COUNT | cards.bit_count()

    def ended(self, board: Board) -> Outcome | None:
        """Return how the deal ends, between two tricks, if it is over or the game is won. Return None otherwise."""
        over = not board.legal
        if not (over or self._at_once):
            return None
        key = (over, self.count(board))
        if key not in self._known:
            self._known[key] = self._find_end(board, over=over)
        return self._known[key]

    def made(self, board: Board) -> tuple[Counts, int]:
        """Return the part of the taken cards that counts for the rest of the deal, and the deal's worth without it.

        Shape: to the first of two sides, between two tricks, as if it took no more of them.
        """
        if not self._adds_up:
            return self.count(board), 0
        taken = board.taken[0]
        return (), self._none + self._gain(taken, taken.bit_count() // self._players)

    def rest(self, board: Board) -> tuple[int, int]:
        """Return the least and the most that the rest of the deal can add to that worth."""
        if not self._adds_up:
            return -BOUND, BOUND
        left = board.not_taken
        most = self._gain(left, left.bit_count() // self._players)
        side, sure = self._find_sure(board)
        return (0, most - sure) if side else (sure, most)

    def _gain(self, cards: Mask, tricks: int) -> int:
        """Return how much some tricks and the honours among some cards change a deal's worth to a side."""
        return 2 * self._points[cards & self._honours] + self._trick * tricks

    def _find_sure(self, board: Board) -> tuple[Side, int]:
        """Return a side, and its sure gain from the highest remaining trumps.

        Each of them wins its trick, or falls to a higher one of the same side; two of one hand win a trick each.
        """
        if board.later:
            return 0, 0
        trumps, mine, tricks = board.not_taken & board.order.trumps, 0, 0
        for seat, hand in enumerate(board.hands):
            if not self._side_of[seat]:
                mine = mine | hand & trumps  # mypyc leaves |= to Python
        others = trumps ^ mine
        highest = higher(mine, others) or higher(others, mine)
        for hand in board.hands:
            if hand & highest:
                tricks = max(tricks, (hand & highest).bit_count())
        return int(mine < others), self._gain(highest, tricks)

    def score_so_far(self, board: Board) -> tuple[Counts, tuple[int, ...]]:
        """Return the part of the taken cards that counts for the rest of the deal, and the points so far, by side.

        Shape: between two tricks.
        """
        counts = self.count(board)
        if counts not in self._scores_so_far:
            cards = tuple([taken.bit_count() for taken in board.taken])
            made = beyond_others(score.points(board.state()))
            self._scores_so_far[counts] = (cards, made) if self._for_points else (counts, (0,) * len(made))
        return self._scores_so_far[counts]

    def _find_end(self, board: Board, *, over: bool) -> Outcome | None:
        state = board.state()
        won = None if self._for_points else game.won(state)
        if not (won or over):
            return None
        points, every = score.points(state), state.table.honours[state.trump].mask
        honours, winners = tuple([taken & every for taken in state.taken]), won.winners if won else None
        if self._for_points:
            beyond = beyond_others(points)
            return Outcome(points, honours, None, beyond, beyond)
        return Outcome(points, honours, winners, _worth(points, winners), _chances(state, winners))


def _measure(state: State) -> tuple[int, int]:
    """Return a deal's worth to the first of two sides if it takes nothing, and the gain per trick."""
    every = visibility.visible_cards(state)
    taken = (0, every), (every, 0)
    none, most = [beyond_others(score.points(replace(state, taken=each)))[0] for each in taken]
    return none, (most - none - 2 * score.honour_points(every, state.trump, state.table)) // state.table.tricks


def _worth(points: tuple[int, ...], winners: tuple[Side, ...] | None) -> tuple[int, ...]:
    worth = [made + (_WIN if winners and side in winners else 0) for side, made in enumerate(points)]
    return tuple([len(worth) * own - sum(worth) for own in worth])


def beyond_others(points: tuple[int, ...]) -> tuple[int, ...]:
    """Return each side's lead over all others together."""
    every = sum(points)
    return tuple([2 * own - every for own in points])


def _chances(state: State, winners: tuple[Side, ...] | None) -> tuple[int, ...]:
    """Return the sides' shares of the game: won, or guessed as the inverse square of the points needed.

    With two sides, the value of one more point hardly changes at the beginning of a game. It grows when a side is near
    game.
    """
    if winners is not None:
        return tuple([(side in winners) * GAME // len(winners) for side in range(len(state.taken))])
    odds = [GAME**2 // max(1, game.points_to_game(state.table, total)) ** 2 for total in score.totals(state)]
    return tuple([GAME * each // sum(odds) for each in odds])
