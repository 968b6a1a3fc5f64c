"""Exact play: the best card of each side to the end of a deal, when all hands are shown and few cards are left.

A side plays first to win the game, then for points: it makes the most of what it has beyond the others. With two sides
that is a minimax search. With more, each side is taken to play for itself alone (max-n); of cards that are as good for
it, it plays the first, clubs before diamonds, hearts and spades, the lowest before the higher.
"""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple, TypeAlias

from service.cards import Mask
from service.players.board import Board
from service.players.ranking import rank
from service.rules import game, score
from service.rulesets import Side
from service.state import State

_WIN: Final = 1000
"""The worth of the game, in points: more than any deal."""
_BOUND: Final = 10**6
"""More than any ending is worth."""

_Key: TypeAlias = tuple[int, ...]


class OutOfNodes(Exception):
    """The search has played as many cards as it may."""


class Ending(NamedTuple):
    """How a deal ends: the points and honours of each side in it, the winners if the game ends, and the worth of that.

    Shape: by side; the worth of all sides adds up to 0.
    """

    points: tuple[int, ...]
    honours: tuple[Mask, ...]
    winners: tuple[Side, ...] | None
    worth: tuple[int, ...]


_NOTHING_FOUND: Final = Ending((), (), None, ())


class _Known(NamedTuple):
    """An ending that a search found before, exact if its worth to the first side is within the window."""

    alpha: int
    beta: int
    ending: Ending


def solve(state: State, cards: Iterable[Mask], nodes: int) -> Iterator[tuple[Mask, Ending]]:
    """Yield how the deal ends after each of some legal cards if every side plays its best from there.

    Shape: a card is a mask of one bit; all hands of the state are shown, and its deal is in play.
    Unit: a node is a card played, of which each search may play so many.
    Errors: OutOfNodes.
    """
    search = _Search(state, nodes)
    for card in cards:
        search.nodes = nodes
        yield card, search.play(card, -_BOUND, _BOUND)


def best_ending(state: State, nodes: int) -> Ending:
    """Return how the deal ends if every side plays its best from this state, which is between two tricks.

    Errors: OutOfNodes.
    """
    return _Search(state, nodes).best(-_BOUND, _BOUND)


class _Search:
    def __init__(self, state: State, nodes: int) -> None:
        self._board = Board(state)
        self.nodes = nodes
        self._sides = state.table.side_of
        self._two_sides = len(state.taken) == 2
        self._at_once = game.counts_at_once(state.table)
        self._ranking = rank(state.table.ruleset, state.trump)
        self._choices: dict[tuple[Mask, Mask], list[Mask]] = {}
        self._known: dict[_Key, _Known] = {}

    def play(self, card: Mask, alpha: int, beta: int) -> Ending:
        """Return how the deal ends after a card.

        Shape: with two sides, exact if it is worth more than `alpha` and less than `beta` to the first side.
        """
        if not self.nodes:
            raise OutOfNodes
        self.nodes -= 1
        self._board.play(card)
        ending = self.best(alpha, beta) if self._board.trick[1] else self._between_tricks(alpha, beta)
        self._board.take_back()
        return ending

    def _between_tricks(self, alpha: int, beta: int) -> Ending:
        if (ended := self._ended()) is not None:
            return ended
        key = self._key()
        known = self._known.get(key)
        if known is not None:
            worth = known.ending.worth[0]
            if known.alpha < worth < known.beta or beta <= worth >= known.beta or alpha >= worth <= known.alpha:
                return known.ending
        ending = self.best(alpha, beta)
        self._known[key] = _Known(alpha, beta, ending)
        return ending

    def best(self, alpha: int, beta: int) -> Ending:
        """Return how the deal ends if the seat to play does its best, exact as after a card."""
        side = self._sides[self._board.trick[0]]
        best = _NOTHING_FOUND
        for card in self.cards():
            ending = self.play(card, alpha, beta)
            worth = ending.worth[side]
            if best is _NOTHING_FOUND or worth > best.worth[side]:
                best = ending
                if self._two_sides:
                    alpha, beta = (max(alpha, worth), beta) if side == 0 else (alpha, min(beta, -worth))
                    if alpha >= beta:
                        break
        return best

    def _ended(self) -> Ending | None:
        board = self._board
        if board.hands[board.trick[0]] and not self._at_once:
            return None
        return end_deal(board.state())

    def _key(self) -> _Key:
        """Name what all that is to come depends on: the hands, who leads, and what counts of the cards taken."""
        board = self._board
        counts = [(taken & self._ranking.honours) << 6 | taken.bit_count() for taken in board.taken]
        return (board.trick[0], *board.hands, *counts)

    def cards(self) -> list[Mask]:
        """List the legal cards without those that are as good as one listed before."""
        board = self._board
        legal, seat = board.legal(), board.trick[0]
        others = board.not_taken() & ~board.hands[seat]
        choices = self._choices.get((legal, others))
        if choices is None:
            choices = self._choices[legal, others] = self._ranking.distinct(legal, others)
        return choices


def end_deal(state: State) -> Ending | None:
    """Return how a deal ended. Return None if it is in play."""
    won = game.won(state)
    if won is None and not state.played_out:
        return None
    points, winners = score.points(state), won.winners if won else None
    worth = [made + (_WIN if winners and side in winners else 0) for side, made in enumerate(points)]
    every = rank(state.table.ruleset, state.trump).honours
    honours = tuple([taken & every for taken in state.taken])
    return Ending(points, honours, winners, tuple([len(worth) * own - sum(worth) for own in worth]))
