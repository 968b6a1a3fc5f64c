"""A tree of the plays that may follow, grown over many fillings: information-set Monte Carlo tree search.

A node stands for the cards played since the position, in all fillings of the hidden hands. So a seat cannot use unseen
cards. Each seat mostly plays the card with its side's best results so far, and sometimes a card that was tried less.
Below the tree, all play by rule of thumb. Whole numbers and square roots are the same on every machine.
Source: Cowling, Powley and Whitehouse, Information Set Monte Carlo Tree Search (2012), with a single observer.
"""

from math import sqrt
from random import Random
from typing import Final

from service.game.cards import Mask
from service.game.rulesets import Side
from service.players.board import Board
from service.players.evaluator import Evaluator, Outcome
from service.players.playout import play_out
from service.players.rule_of_thumb import RuleOfThumb

_EXPLORATION: Final = 1.2
"""How far the tree explores, in standard deviations of the outcomes' worth."""


class _Node:
    """The statistics of a card: tries, opportunities, and the worth of its outcomes."""

    __slots__ = ("after", "availability", "visits", "worth")

    def __init__(self) -> None:
        self.after: dict[Mask, _Node] = {}
        self.visits = self.availability = self.worth = 0


class Tree:
    """The tree of a position.

    Unit: `nodes` are the cards played; `left` are those to play in all hands. A card is played out by rule of thumb
    `expansion_threshold` times before the replies to it are told apart.
    """

    def __init__(
        self, policy: RuleOfThumb, evaluator: Evaluator, left: int, expansion_threshold: int, rng: Random
    ) -> None:
        self.nodes = 0
        self._root = _Node()
        self._left = left
        self._expansion_threshold = expansion_threshold
        self._evaluator = evaluator
        self._policy = policy
        self._rng = rng
        self._outcomes = self._sum = self._squares = 0

    def iterate(self, board: Board, card: Mask) -> tuple[Outcome, Side]:
        """Play a deal out from a card on, and learn from it.

        Return how the deal ended, and the side that took the trick of the card.
        Shape: the board shows a filling, and stays as it is.
        """
        start, path, taker = board.save(), list[tuple[_Node, Side]](), -1
        node, exploration = self._root, self._exploration()
        while True:
            if card not in node.after:
                node.after[card] = _Node()
            node = node.after[card]
            path.append((node, board.side_of[board.seat]))
            board.play(card)
            if taker < 0 and not board.pile:
                taker = board.side_of[board.seat]
            if node.visits < self._expansion_threshold or (not board.pile and self._evaluator.ended(board)):
                break
            card = self._choose(node, board, exploration)
        outcome, next_taker = play_out(board, self._policy, self._evaluator)
        board.restore(start)
        self._backpropagate(path, outcome)
        self.nodes += self._left
        return outcome, next_taker if taker < 0 else taker

    def _choose(self, node: _Node, board: Board, exploration: float) -> Mask:
        """Choose a card for the seat to play: one not tried yet, or the most promising."""
        cards, after = board.distinct_cards(), node.after
        if len(cards) == 1:
            return cards[0]
        untried = [card for card in cards if card not in after]
        if untried:
            return untried[self._rng.randrange(len(untried))] if len(untried) > 1 else untried[0]
        best, most = 0, -1e9
        for card in cards:
            child = after[card]
            child.availability += 1
            ucb = child.worth / child.visits + exploration * sqrt(child.availability.bit_length() / child.visits)
            if ucb > most:
                best, most = card, ucb
        return best

    def _backpropagate(self, path: list[tuple[_Node, Side]], outcome: Outcome) -> None:
        worth = outcome.chances
        for node, side in path:
            node.visits += 1
            node.worth += worth[side]
        mine = worth[path[0][1]]
        self._outcomes += 1
        self._sum += mine
        self._squares += mine * mine

    def _exploration(self) -> float:
        if not self._outcomes:
            return 0.0
        return _EXPLORATION * sqrt(self._outcomes * self._squares - self._sum**2) / self._outcomes
