"""Playouts: from a card on, all seats play by rule of thumb to the end of the deal."""

from collections.abc import Sequence

from service.cards import Mask
from service.players.board import Board, Trick
from service.players.evaluator import Evaluator, Outcome
from service.players.order import order
from service.players.quick_play import Facts, HandsBySuit, Start, play_on
from service.players.rule_of_thumb import pack
from service.players.suits import ALL, HIGHER, TRUMPS, Cards, Suit, split, suits
from service.rules import duty
from service.rulesets import Side
from service.state import State


class Playouts:
    """Playouts of the deal of a state."""

    def __init__(self, state: State, evaluator: Evaluator) -> None:
        table, ranked, seats = state.table, order(state.table.ruleset, state.trump), range(state.table.players)
        self._pack = ranked.rank(pack(state))
        self._turns = tuple([tuple([(seat + more) % table.players for more in seats]) for seat in seats])
        self._facts = Facts(
            evaluator,
            suits(table.ruleset, state.trump),
            split(ranked.scoring),
            table.side_of,
            tuple([turns[1:] for turns in self._turns]),
            table.cards,
            duty.may_discard(table),
        )
        self._trick: Trick | None = None
        self._start: Start

    def play_out(self, board: Board, path: Sequence[Mask]) -> tuple[Outcome, Side]:
        """Return how the deal ends after some cards, and the side that takes the trick of the first of them.

        Shape: the board, which stays as it is, is where the first of the cards is played.
        """
        if board.trick is not self._trick:  # as long as it is this very object, the board is the same
            self._trick, self._start = board.trick, self._look(board)
        return play_on(self._facts, self._start, [self._facts.suits.card_of[card] for card in reversed(path)])

    def _look(self, board: Board) -> Start:
        seat, pile, suit, _, best, winner, *_ = board.trick
        led, over, ruffs = self._winning(suit, best) if pile else (-1, 0, 0)
        unplayed = self._pack
        for taken in board.taken:
            unplayed ^= taken
        return Start(
            _by_suit(board.hands),
            [_by_suit(hands) for hands in zip(*board.later, strict=True)][::-1],
            split(unplayed ^ pile),
            split(unplayed),
            self._facts.evaluator.count(board.taken, board.taken_by_hand),
            board.hands[seat].bit_count(),
            self._turns[seat][: len(self._turns) - pile.bit_count()],
            winner,
            led,
            over,
            ruffs,
        )

    def _winning(self, suit: Mask, best: Mask) -> tuple[Suit, Cards, Cards]:
        """Return the suit led, the cards of it that would win, and the trumps that would."""
        led, (suit_of_best, card) = self._facts.suits.card_of[suit & -suit][0], self._facts.suits.card_of[best]
        if suit_of_best != led:
            return led, 0, HIGHER[card]
        return led, HIGHER[card], 0 if led == TRUMPS else ALL


def _by_suit(hands: Sequence[Mask]) -> HandsBySuit:
    return list(map(list, zip(*map(split, hands), strict=True)))
