"""Exact play: the best card of each side to the end of a deal, when all hands are shown and few cards are left.

A side plays first to win the game, then for points: it makes the most of what it has beyond the others. With two sides
that is a minimax search. With more, each side is taken to play for itself alone (max-n); of cards that are as good for
it, it plays the first, clubs before diamonds, hearts and spades, the lowest before the higher.
"""

from collections.abc import Generator, Sequence
from typing import Final, NamedTuple, TypeAlias, TypeVar

from service.cards import Mask
from service.players.board import Board
from service.players.evaluator import Evaluator, Outcome
from service.rulesets import Side

_BOUND: Final = 10**6
"""More than any ending is worth."""

_PIECE: Final = 100
"""Cards that the search plays before it lets others work: a part of a millisecond."""

_Key: TypeAlias = tuple[int, ...]
"""All that the rest of a deal depends on: the leader, the hands, and what counts of the cards taken."""
_Result = TypeVar("_Result")
_Steps: TypeAlias = Generator[None, None, _Result]


class OutOfNodes(Exception):
    """The search has played as many cards as it may."""


_NOTHING_FOUND: Final = Outcome((), (), None, (), ())


class _Known(NamedTuple):
    """An ending that a search found before, exact if its worth to the first side is within the window."""

    alpha: int
    beta: int
    ending: Outcome


class Search:
    """A search for how a deal ends if every side plays its best.

    Unit: `nodes` are the cards that it played.
    """

    def __init__(self, board: Board, evaluator: Evaluator) -> None:
        self.nodes = self._most = 0
        self._board = board
        self._evaluator = evaluator
        self._sides = board.side_of
        self._two_sides = len(board.taken) == 2
        self._choices: dict[tuple[Mask, Mask], list[Mask]] = {}
        self._known: dict[_Key, _Known] = {}

    def solve(self, card: Mask, nodes: int) -> _Steps[tuple[Outcome, Side]]:
        """Return how the deal ends after a legal card, and the side that takes the trick of it; yield now and then.

        Shape: all hands of the board, which comes back to where it is, are shown.
        Unit: `nodes` are the cards that it may play.
        Errors: OutOfNodes.
        """
        self._most = self.nodes + nodes
        board, start = self._board, self._board.save()
        try:
            ending = yield from self._best([card], -_BOUND, _BOUND)
            board.play(card)
            while board.pile:
                board.play((yield from self._best_card()))
            return ending, self._sides[board.seat]
        finally:
            board.restore(start)

    def _best_card(self) -> _Steps[Mask]:
        side, best, most = self._sides[self._board.seat], 0, -_BOUND
        for card in self._cards():
            worth = (yield from self._best([card], -_BOUND, _BOUND)).worth[side]
            if worth > most:
                best, most = card, worth
        return best

    def _best(self, cards: Sequence[Mask], alpha: int, beta: int) -> _Steps[Outcome]:
        """Return how the deal ends if the seat to play plays the best of some cards.

        Shape: with two sides, exact if it is worth more than `alpha` and less than `beta` to the first side.
        """
        board, start = self._board, self._board.save()
        side, best = self._sides[board.seat], _NOTHING_FOUND
        for card in cards:
            if self.nodes >= self._most:
                raise OutOfNodes
            self.nodes += 1
            if not self.nodes % _PIECE:
                yield
            board.play(card)
            after = self._best(self._cards(), alpha, beta) if board.pile else self._between_tricks(alpha, beta)
            ending = yield from after
            board.restore(start)
            worth = ending.worth[side]
            if best is _NOTHING_FOUND or worth > best.worth[side]:
                best = ending
                if self._two_sides:
                    alpha, beta = (max(alpha, worth), beta) if side == 0 else (alpha, min(beta, -worth))
                    if alpha >= beta:
                        break
        return best

    def _between_tricks(self, alpha: int, beta: int) -> _Steps[Outcome]:
        """Return how the deal ends if all play their best, exact as above."""
        board = self._board
        if (ended := self._evaluator.ended(board)) is not None:
            return ended
        key = (board.seat, *board.hands, *self._evaluator.count(board))
        known = self._known.get(key)
        if known is not None:
            worth = known.ending.worth[0]
            if known.alpha < worth < known.beta or beta <= worth >= known.beta or alpha >= worth <= known.alpha:
                return known.ending
        ending = yield from self._best(self._cards(), alpha, beta)
        self._known[key] = _Known(alpha, beta, ending)
        return ending

    def _cards(self) -> list[Mask]:
        """List the legal cards without those that are as good as one listed before."""
        board = self._board
        legal, seat = board.legal, board.seat
        others = board.not_taken & ~board.hands[seat]
        choices = self._choices.get((legal, others))
        if choices is None:
            choices = self._choices[legal, others] = board.order.distinct(legal, others)
        return choices
