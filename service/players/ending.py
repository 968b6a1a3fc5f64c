"""Exact play: the best card of each side to the end of a deal, when all hands are shown.

Each side maximizes the evaluator's value for it. Two sides play an alpha-beta search. More sides each play for
themselves (max-n). Among equally good cards a side plays the first: clubs before diamonds, hearts and spades, and low
before high.
"""

from typing import Final, NamedTuple, TypeAlias

from service.game.cards import Mask
from service.game.generators import Sliced
from service.game.rulesets import Seat, Side
from service.game.state import State
from service.players.board import Board
from service.players.evaluator import BOUND, Counts, Evaluator, Outcome
from service.players.rule_of_thumb import RuleOfThumb

_PIECE: Final = 100
"""Cards that the search plays between two yields: a part of a millisecond."""

_MAX_KEPT: Final = 32_000
"""Positions that a search caches: some seven megabytes."""
_BITS_OF_COUNTS: Final = 20
"""Enough to number all counts of a search: each played card adds at most one."""

_Worth: TypeAlias = tuple[int, ...]
_Bounds: TypeAlias = tuple[int, int, Mask]
"""The least and the most that the rest of a deal adds to the first of two sides.

Shape: last is the card to try first.
"""


class OutOfNodes(Exception):
    """The search has used up its nodes."""


class Ending(NamedTuple):
    """The end of a deal, the plays to it, and the side that takes the trick of the first one."""

    outcome: Outcome
    plays: tuple[tuple[Seat, Mask], ...]
    taker: Side


class Search:
    """A search for the end of one deal with best play by every side; it can search several of its positions in turn.

    Unit: `nodes` are played cards.
    """

    def __init__(self, state: State, evaluator: Evaluator) -> None:
        self.nodes = self._most = self._guess = self._best = 0
        self._board = Board(state)
        self._evaluator = evaluator
        self._thumb = RuleOfThumb(state)
        self._sides = state.table.side_of
        self._two_sides = len(state.taken) == 2
        self._bounds: dict[int, _Bounds] = {}
        self._worths: dict[int, _Worth] = {}
        self._numbers: dict[Counts, int] = {}
        self._alike: dict[Mask, Mask] = {}
        self._first: dict[tuple[int, ...], Mask] = {}

    def solve(self, board: Board, card: Mask, nodes: int) -> Sliced[Ending]:
        """Return how the deal ends after a legal card; yield now and then.

        Shape: all hands of the board are shown; the board is restored.
        Unit: `nodes` are the cards that it may play.
        Errors: OutOfNodes.
        """
        self._most = self.nodes + nodes
        self._board, start = board, board.save()
        line, taker = [(board.seat, card)], -1
        try:
            self._play(card)
            worth = (yield from self._find_worth()) if self._two_sides else 0
            while True:
                if not board.pile:
                    taker = self._sides[board.seat] if taker < 0 else taker
                    if (outcome := self._evaluator.ended(board)) is not None:
                        return Ending(outcome, tuple(line), taker)
                best = yield from self._find_card(worth)
                line.append((board.seat, best))
                board.play(best)
        finally:
            board.restore(start)

    def _find_worth(self) -> Sliced[int]:
        """Return the deal's worth to the first of two sides, by null windows from the last value on.

        Source: Plaat et al., Best-First Fixed-Depth Minimax Algorithms (1996), MTD(f).
        """
        low, high = -BOUND, BOUND
        while low < high:
            beta = max(self._guess, low + 1)
            self._guess = yield from self._minimax(beta - 1, beta)
            if self._guess < beta:
                high = self._guess
            else:
                low = self._guess
        return low

    def _find_card(self, worth: int) -> Sliced[Mask]:
        """Return the best card of the seat to play; between two sides the first that reaches a known worth."""
        board = self._board
        side, moment = self._sides[board.seat], board.moment()
        best, most = 0, -BOUND
        for card in self._sort_cards(0) if self._two_sides else board.distinct_cards():
            self._play(card)
            if self._two_sides:
                found = -abs((yield from self._minimax(worth - 1, worth + 1)) - worth)
            else:
                found = (yield from self._maximize())[side]
            board.take_back(card, moment)
            if found > most:
                best, most = card, found
            if self._two_sides and not found:
                break
        return best

    def _play(self, card: Mask) -> None:
        if self.nodes >= self._most:
            raise OutOfNodes
        self.nodes += 1
        self._board.play(card)

    def _minimax(self, alpha: int, beta: int) -> Sliced[int]:
        """Return the deal's worth to the first of two sides: exact inside the window, else a bound."""
        board = self._board
        if board.pile:
            return (yield from self._try_cards(0, alpha, beta))
        if (ended := self._evaluator.ended(board)) is not None:
            return ended.worth[0]
        counts, made = self._evaluator.made(board)
        key, first = self._key(counts), 0
        known = self._bounds.get(key)
        if known is None:
            least, most = self._evaluator.rest(board)
        else:
            least, most, first = known
        lower, upper = made + least, made + most
        if lower >= beta or lower == upper:
            return lower
        if upper <= alpha:
            return upper
        alpha, beta = max(alpha, lower), min(beta, upper)
        if board.legal & board.legal - 1 or board.later:
            worth = yield from self._try_cards(first, alpha, beta)
        else:
            worth = self._play_last_trick()
        if len(self._bounds) < _MAX_KEPT or first:
            lower, upper = worth if worth > alpha else lower, worth if worth < beta else upper
            self._bounds[key] = (lower - made, upper - made, self._best)
        return worth

    def _play_last_trick(self) -> int:
        """Return the deal's worth to the first of two sides when each seat has one card left."""
        board = self._board
        start, self._best = board.save(), board.legal
        while (ended := self._evaluator.ended(board)) is None:
            self._play(board.legal)
        board.restore(start)
        return ended.worth[0]

    def _try_cards(self, first: Mask, alpha: int, beta: int) -> Sliced[int]:
        """Return the worth, as above, of the best card of the seat to play, kept in `_best`; try one first."""
        board = self._board
        moment, best, most = board.moment(), 0, -BOUND
        first_side = not self._sides[board.seat]
        low, high = (alpha, beta) if first_side else (-beta, -alpha)
        for card in self._sort_cards(first):
            self._play(card)
            if not self.nodes % _PIECE:
                yield
            floor = max(low, most)
            alpha, beta = (floor, high) if first_side else (-high, -floor)
            if board.pile:
                worth = yield from self._try_cards(0, alpha, beta)
            else:
                worth = yield from self._minimax(alpha, beta)
            board.take_back(card, moment)
            mine = worth if first_side else -worth
            if mine > most:
                best, most = card, mine
                if most >= high:
                    break
        self._best = best
        return most if first_side else -most

    def _maximize(self) -> Sliced[_Worth]:
        """Return the deal's worth to each of more than two sides, each playing for itself."""
        board = self._board
        if board.pile:
            return (yield from self._maximize_own())
        if (ended := self._evaluator.ended(board)) is not None:
            return ended.worth
        counts, made = self._evaluator.score_so_far(board)
        key = self._key(counts)
        gained = self._worths.get(key)
        if gained is None:
            worth = yield from self._maximize_own()
            if len(self._worths) < _MAX_KEPT:
                self._worths[key] = tuple([own - made[side] for side, own in enumerate(worth)])
            return worth
        return tuple([own + made[side] for side, own in enumerate(gained)])

    def _maximize_own(self) -> Sliced[_Worth]:
        board = self._board
        moment, side = board.moment(), self._sides[board.seat]
        best: _Worth = ()
        for card in board.distinct_cards():
            self._play(card)
            if not self.nodes % _PIECE:
                yield
            if board.pile:
                worth = yield from self._maximize_own()
            else:
                worth = yield from self._maximize()
            board.take_back(card, moment)
            if not best or worth[side] > best[side]:
                best = worth
        return best

    def _key(self, counts: Counts) -> int:
        """Return everything that the rest of the deal depends on: leader, remaining cards, and the count so far."""
        board = self._board
        left = board.not_taken if board.later else self._find_alike(board)
        number = self._numbers.setdefault(counts, len(self._numbers)) if counts else 0
        return (left << 3 | board.seat) << _BITS_OF_COUNTS | number

    def _find_alike(self, board: Board) -> Mask:
        """Return the first remaining cards with the same holders in the same order, suit by suit."""
        found = 0
        for suit in board.order.suits:
            cards = board.not_taken & suit
            alike = self._alike.get(cards)
            if alike is None:
                alike = self._alike[cards] = self._first.setdefault(_held(board, suit, cards), cards)
            found = found | alike
        return found

    def _sort_cards(self, first: Mask) -> list[Mask]:
        """List the cards to try, first a certain one or the one to play by rule of thumb."""
        board = self._board
        if not board.legal & board.legal - 1:
            return [board.legal]
        cards = board.distinct_cards()
        if len(cards) == 1:
            return cards
        wanted = first & board.legal or self._thumb.choose(board)
        suit, alike = board.order.led_by[wanted][0], 0
        for at, card in enumerate(cards):
            if card & suit and card <= wanted:
                alike = at
        cards.insert(0, cards.pop(alike))
        return cards


def _held(board: Board, suit: Mask, cards: Mask) -> tuple[int, ...]:
    """Return the suit and, from the lowest card on, the holder of each; scoring cards are named themselves."""
    held = [suit]
    while cards:
        card = cards & -cards
        cards = cards ^ card
        for seat, hand in enumerate(board.hands):
            if hand & card:
                held += (seat, card & board.order.scoring)
    return tuple(held)
