"""The worth of a deal, and where it was lost: with all hands seen, and with only one's own.

Sides play for points of the deal, not for game scores: each maximizes its lead over all others.
"""

from collections.abc import Mapping, Sequence
from math import sqrt
from random import Random
from typing import Final, Literal, NamedTuple, TypeAlias

from service.game.cards import Card, Mask
from service.game.generators import Sliced
from service.game.rules.view import view
from service.game.rulesets import Seat, Side
from service.game.state import State
from service.players.board import Board
from service.players.ending import Ending, OutOfNodes, Search
from service.players.evaluator import Evaluator, beyond_others
from service.players.player import (
    ENDING_NODES,
    Effort,
    RankedOptions,
    cards_left,
    error_of,
    find_alike,
    weigh_cards,
)
from service.players.rule_of_thumb import RuleOfThumb
from service.players.tree import Tree

SEARCH_NODES: Final = 250_000
"""The cards that the search of a position may play; beyond that, worths are estimated.

They take 0.5 seconds of CPU compiled, 3 without, and 9 on a machine three times slower. Every position with 32 cards
left that was tried needs fewer, but for two hands of 16; so does the first card of four players in two of three deals.
"""
RECORD_SEARCH_NODES: Final = 100_000
"""The same for all positions of a record: a reviewer pays for other requests from the same quota."""
PLAYOUTS: Final = 40
"""Playouts from each card for an estimate."""
EFFORT: Final = Effort(8, 8)
"""The search limits for a play as its seat saw the deal."""
SMALL: Final = 1
LARGE: Final = 8
"""Points from which a loss is small, and large: a trick of low cards among four, and an ace that changes sides."""
_TRIALS: Final = sum(4 * cards**2 for cards in range(1, 19))
"""The cards that are played if each card of two hands of 18 is played on to the end once at every turn."""
MAX_POSITION_NODES: Final = SEARCH_NODES + PLAYOUTS * 18 * 36
MAX_DEAL_NODES: Final = (
    RECORD_SEARCH_NODES
    + (PLAYOUTS + EFFORT.iterations_if_known) * _TRIALS
    + sum(2 * cards for cards in range(1, 9)) * ENDING_NODES
)
"""Nodes of an analysis at most; the last 8 cards of each of two hands are searched as their seats see them, too."""
SEED: Final = "1"
Size: TypeAlias = Literal["none", "small", "large"]


class CardWorth(NamedTuple):
    """The points of a deal after a card, with all hands seen.

    Shape: `points` by side, of the whole deal; `balance` is the lead of the card's side over all others.
    Unit: `standard_error` is the balance's, 0 if the balance is exact.
    """

    card: Card
    points: tuple[float, ...]
    balance: float
    standard_error: float


class PositionWorth(NamedTuple):
    """The worth of the legal cards of a position, the best first, and the best line of play if that is exact."""

    cards: tuple[CardWorth, ...]
    line: tuple[tuple[Seat, Card], ...]
    exact: bool


class Loss(NamedTuple):
    """The lead that a card's side loses compared with the best card. Unit: points."""

    best: Card
    points: float
    standard_error: float
    exact: bool

    @property
    def size(self) -> Size:
        """Return the size of the loss; none if chance may explain it."""
        if self.points < max(SMALL, 2 * self.standard_error):
            return "none"
        return "large" if self.points >= LARGE else "small"


class PlayWorth(NamedTuple):
    """The loss of a play, and the best that its seat could find."""

    card: CardWorth
    """The worth of the card that was played."""
    position: PositionWorth
    """The worth of the position in which it was played."""
    all_hands: Loss
    """The loss, seeing all hands."""
    own_hand: Loss
    """The loss as its seat saw the deal."""
    found: RankedOptions | None
    """The best that the seat could find; None if no other card was legal."""

    @property
    def is_turning_point(self) -> bool:
        """True if it lost points, and others then make the most points of the deal."""
        return self.all_hands.size != "none" and _ahead(self.card) != _ahead(self.position.cards[0])


class Analyzer:
    """The worth of the positions of one deal.

    Unit: `nodes` are the cards that were played to find it, `most_nodes` those that searches may play.
    """

    def __init__(self, state: State, most_nodes: int) -> None:
        self._most_nodes = most_nodes
        self._evaluator = Evaluator(state, for_points=True)
        self._search = Search(state, self._evaluator)
        self._playout_nodes = 0

    @property
    def nodes(self) -> int:
        """The cards that were played."""
        return self._search.nodes + self._playout_nodes

    def weigh(self, state: State) -> Sliced[PositionWorth]:
        """Weigh the legal cards of a position, exactly while nodes are left; yield now and then.

        Shape: all hands are shown, and the deal is in play.
        """
        board = Board(state)
        alike = find_alike(board, board.not_taken)
        tried = tuple(dict.fromkeys(alike.values()))
        try:
            endings = yield from self._solve(board, tried)
        except OutOfNodes:
            ends = yield from self._play_on(state, board, tried)
            return PositionWorth(_rank(board, alike, ends, exact=False), (), exact=False)
        cards = _rank(board, alike, {card: [end.outcome.points] for card, end in endings.items()}, exact=True)
        best = max(endings.values(), key=lambda end: end.outcome.worth[board.side_of[board.seat]])
        line = tuple([(seat, board.order.card(card)) for seat, card in best.plays])
        return PositionWorth(cards, line, exact=True)

    def _solve(self, board: Board, cards: Sequence[Mask]) -> Sliced[dict[Mask, Ending]]:
        """Return how the deal ends after each card.

        Errors: OutOfNodes.
        """
        endings = dict[Mask, Ending]()
        for card in cards:
            endings[card] = yield from self._search.solve(board, card, self._most_nodes - self._search.nodes)
        return endings

    def _play_on(
        self, state: State, board: Board, cards: Sequence[Mask]
    ) -> Sliced[Mapping[Mask, Sequence[tuple[int, ...]]]]:
        """Return how the deal ends after each card, by repeated playouts that follow the best results."""
        tree = Tree(RuleOfThumb(state), self._evaluator, cards_left(state), 1, Random(SEED))  # noqa: S311 # the same each time
        ends: dict[Mask, list[tuple[int, ...]]] = {card: [] for card in cards}
        for _ in range(PLAYOUTS):
            for card, found in ends.items():
                found.append(tree.iterate(board, card)[0].points)
            yield
        self._playout_nodes += tree.nodes
        return ends

    def judge(self, state: State, card: Card, played: tuple[Card, ...]) -> Sliced[PlayWorth]:
        """Judge a play of the deal, knowing all cards played before it; yield now and then."""
        position = yield from self.weigh(state)
        worth = next(each for each in position.cards if each.card == card)
        all_hands = _compare(position.cards[0], worth, exact=position.exact)
        if len(position.cards) == 1:
            return PlayWorth(worth, position, all_hands, Loss(card, 0.0, 0.0, exact=True), None)
        found = yield from weigh_cards(view(state, state.seat_to_play), EFFORT, SEED, played)
        self._playout_nodes += found.nodes
        seen = sorted(_read(found), key=lambda each: -each.balance)
        own = next(each for each in seen if each.card == card)
        return PlayWorth(worth, position, all_hands, _compare(seen[0], own, exact=found.exact), found)


def judge_plays(turns: Sequence[tuple[State, Card]]) -> Sliced[tuple[tuple[PlayWorth, ...], int]]:
    """Judge each play of a deal, from the last one back, while nodes are left; return the nodes, too.

    Shape: `turns` has each state from the first card on, all hands shown, and the legal card played in it.
    """
    analyzer, played = Analyzer(turns[0][0], RECORD_SEARCH_NODES), tuple([card for _, card in turns])
    worths = list[PlayWorth]()
    for at in reversed(range(len(turns))):
        worths.append((yield from analyzer.judge(*turns[at], played[:at])))
        yield
    return tuple(reversed(worths)), analyzer.nodes


def _rank(
    board: Board, alike: Mapping[Mask, Mask], ends: Mapping[Mask, Sequence[tuple[int, ...]]], *, exact: bool
) -> tuple[CardWorth, ...]:
    """Return the worth of each card, the best first; among equals the lowest first."""
    side = board.side_of[board.seat]
    worths = {card: _average(side, found, exact=exact) for card, found in ends.items()}
    cards = [worths[tried]._replace(card=board.order.card(card)) for card, tried in alike.items()]
    return tuple(sorted(cards, key=lambda each: -each.balance))


def _average(side: Side, ends: Sequence[tuple[int, ...]], *, exact: bool) -> CardWorth:
    balances = [beyond_others(points)[side] for points in ends]
    points = tuple([sum(made) / len(ends) for made in zip(*ends, strict=True)])
    return CardWorth(0, points, sum(balances) / len(ends), 0.0 if exact else error_of(balances) or 0.0)


def _read(found: RankedOptions) -> list[CardWorth]:
    """Return the worth of the cards as a seat saw the deal."""
    return [
        CardWorth(each.card, (each.points, each.against), each.points - each.against, each.standard_error or 0.0)
        for each in found.options
    ]


def _compare(best: CardWorth, card: CardWorth, *, exact: bool) -> Loss:
    lost = best.balance - card.balance
    error = sqrt(best.standard_error**2 + card.standard_error**2) if lost else 0.0
    return Loss(best.card, lost, error, exact)


def _ahead(worth: CardWorth) -> list[Side]:
    """List the sides that make the most points of the deal."""
    return [side for side, points in enumerate(worth.points) if points == max(worth.points)]
