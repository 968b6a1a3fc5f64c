"""Exact play: the best card of each side to the end of a deal, when all hands are shown and few cards are left.

A side plays first to win the game, then for points: it makes the most of what it has beyond the others. With two sides
that is a minimax search. With more, each side is taken to play for itself alone (max-n); of cards that are as good for
it, it plays the first, clubs before diamonds, hearts and spades, the lowest before the higher.
"""

from typing import Final, NamedTuple, TypeAlias

from service.cards import Mask
from service.players.board import Board
from service.players.reckoning import Ending, Reckoning
from service.rulesets import Side

_BOUND: Final = 10**6
"""More than any ending is worth."""

_Key: TypeAlias = tuple[int, ...]


class OutOfNodes(Exception):
    """The search has played as many cards as it may."""


_NOTHING_FOUND: Final = Ending((), (), None, (), ())


class _Known(NamedTuple):
    """An ending that a search found before, exact if its worth to the first side is within the window."""

    alpha: int
    beta: int
    ending: Ending


class Search:
    """A search for how a deal ends if every side plays its best.

    Unit: `nodes` are the cards that it played.
    """

    def __init__(self, board: Board, reckoning: Reckoning) -> None:
        self.nodes = self._most = 0
        self._board = board
        self._reckoning = reckoning
        self._sides = board.side_of
        self._two_sides = len(board.taken) == 2
        self._choices: dict[tuple[Mask, Mask], list[Mask]] = {}
        self._known: dict[_Key, _Known] = {}

    def solve(self, card: Mask, nodes: int) -> tuple[Ending, Side]:
        """Return how the deal ends after a legal card, and the side that takes the trick of it.

        Shape: all hands of the board, which stays as it is, are shown.
        Unit: `nodes` are the cards that it may play.
        Errors: OutOfNodes.
        """
        self._most = self.nodes + nodes
        ending, played = self._play(card, -_BOUND, _BOUND), 1
        self._board.play(card)
        try:
            while self._board.trick[1]:
                self._board.play(self._best_card())
                played += 1
            return ending, self._sides[self._board.trick[0]]
        finally:
            for _ in range(played):
                self._board.take_back()

    def _best_card(self) -> Mask:
        side = self._sides[self._board.trick[0]]
        return max(self._cards(), key=lambda card: self._play(card, -_BOUND, _BOUND).worth[side])

    def _play(self, card: Mask, alpha: int, beta: int) -> Ending:
        """Return how the deal ends after a card.

        Shape: with two sides, exact if it is worth more than `alpha` and less than `beta` to the first side.
        """
        if self.nodes >= self._most:
            raise OutOfNodes
        self.nodes += 1
        self._board.play(card)
        try:
            return self._best(alpha, beta) if self._board.trick[1] else self._between_tricks(alpha, beta)
        finally:
            self._board.take_back()

    def _between_tricks(self, alpha: int, beta: int) -> Ending:
        board = self._board
        if (ended := self._reckoning.ended(board.taken, over=not board.hands[board.trick[0]])) is not None:
            return ended
        key = self._key()
        known = self._known.get(key)
        if known is not None:
            worth = known.ending.worth[0]
            if known.alpha < worth < known.beta or beta <= worth >= known.beta or alpha >= worth <= known.alpha:
                return known.ending
        ending = self._best(alpha, beta)
        self._known[key] = _Known(alpha, beta, ending)
        return ending

    def _best(self, alpha: int, beta: int) -> Ending:
        """Return how the deal ends if the seat to play does its best, exact as after a card."""
        side = self._sides[self._board.trick[0]]
        best = _NOTHING_FOUND
        for card in self._cards():
            ending = self._play(card, alpha, beta)
            worth = ending.worth[side]
            if best is _NOTHING_FOUND or worth > best.worth[side]:
                best = ending
                if self._two_sides:
                    alpha, beta = (max(alpha, worth), beta) if side == 0 else (alpha, min(beta, -worth))
                    if alpha >= beta:
                        break
        return best

    def _key(self) -> _Key:
        """Name what all that is to come depends on: the hands, who leads, and what counts of the cards taken."""
        board = self._board
        return (board.trick[0], *board.hands, *self._reckoning.count(board.taken))

    def _cards(self) -> list[Mask]:
        """List the legal cards without those that are as good as one listed before."""
        board = self._board
        legal, seat = board.legal, board.trick[0]
        others = board.not_taken & ~board.hands[seat]
        choices = self._choices.get((legal, others))
        if choices is None:
            choices = self._choices[legal, others] = board.order.distinct(legal, others)
        return choices
