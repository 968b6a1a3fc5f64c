"""The computer player: from a seat's view to the outlook of each of its cards.

Each card is tried in fillings of the hidden hands. If only one filling fits and few cards are left, the answer is
exact.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from math import sqrt
from random import Random
from typing import Final, NamedTuple, TypeAlias

from service.game import level
from service.game.cards import BITS, FULL_PACK, Card, Mask, cards_of
from service.game.faults import Fault, Impossible
from service.game.generators import Sliced
from service.game.rules.past import find_hidden_after
from service.game.state import State, hand_size, side_of
from service.players.board import Board
from service.players.determinizations import Determinizations
from service.players.ending import OutOfNodes, Search
from service.players.evaluator import GAME, Evaluator, Outcome
from service.players.manners import find_dominated
from service.players.rule_of_thumb import RuleOfThumb
from service.players.tree import Tree

Level: TypeAlias = level.Level


class Effort(NamedTuple):
    """How far a player thinks.

    Shape: each card is tried in the same `fillings` fillings. If only one filling is possible, each card is tried
    `iterations_if_known` times in it, against different replies. With `all_careful`, all players are careful at tables
    of more than four; otherwise only the player's own side is.
    """

    fillings: int
    iterations_if_known: int
    all_careful: bool = False


EFFORTS: Final[dict[Level, Effort]] = {
    "easy": Effort(1, 2),
    "medium": Effort(3, 20),
    "hard": Effort(100, 100, all_careful=True),
}
_FEW: Final = 4
"""The most players at a table where no level assumes all of them to be careful."""
EXACT_FROM: Final = 16
"""Cards left at which a single possible filling is played exactly, at every level."""
ENDING_NODES: Final = 1_000
"""Cards that the search for one ending may play: some milliseconds of work."""
MAX_NODES: Final = {
    level: max(18 * 36 * times, EXACT_FROM // 2 * (ENDING_NODES + EXACT_FROM * times))
    for level, times in ((level, effort.iterations_if_known) for level, effort in EFFORTS.items())
}
"""Most nodes of an answer, by level. Two players have the most cards to choose from. A node is played out to the end of
the deal in every filling; near the end, it is searched exactly.
"""


class Option(NamedTuple):
    """A card and the end of the deal after it: averages over the fillings tried.

    Unit: points of the deal, or parts from 0 to 1.
    """

    card: Card
    """The card."""
    points: float
    """The points of the side."""
    against: float
    """The points of all others together."""
    wins: float
    """The share of fillings in which the side wins the game with this deal."""
    losses: float
    """The share of fillings in which another side wins the game with this deal."""
    trick: float
    """The share of fillings in which the side takes the trick of this card."""
    honours: tuple[tuple[Card, float], ...]
    """For each honour, the share of fillings in which the side takes it."""
    chance: float
    """The guessed share of the game that the side has won by the end of the deal."""
    standard_error: float | None
    """Of `points` less `against`; 0 if exact, None if only one filling was tried."""


class RankedOptions(NamedTuple):
    """The cards that a seat may play, the best first.

    Unit: `fillings` tried, one of them as often as it was drawn; `nodes` are cards played on the way.
    """

    options: tuple[Option, ...]
    fillings: int
    nodes: int
    exact: bool


_Ends: TypeAlias = dict[Mask, list[tuple[Outcome, int]]]
"""By card, in the order of strength: for each filling, how the deal ends, and the side that takes the trick."""


def weigh_cards(state: State, effort: Effort, seed: str, played: tuple[Card, ...] = ()) -> Sliced[RankedOptions]:
    """Weigh the legal cards of the seat to play, and yield between pieces of work, each of about a millisecond at most.

    The same arguments give the same answer everywhere.
    Shape: the deal is in play, and the state shows the hand of the seat to play. `played` has all cards of the deal in
    order, or no cards if the order is unknown.
    Errors: Impossible, path `plays`, for plays that do not fit the state.
    """
    fillings = Determinizations(find_hidden_after(state, played))
    ways = yield from fillings.count()
    if not ways:
        raise Impossible((Fault("plays_do_not_fit", ("plays",), "No hands fit all of these plays."),))
    rng = Random(seed)  # noqa: S311 # the same seed gives the same answer
    trial = _Trial(state)
    yield
    if ways == 1 and cards_left(state) <= EXACT_FROM and (yield from trial.solve(Board(fillings.draw(rng)))):
        return (yield from trial.suggest(exact=True))
    times, expansion_threshold = (effort.iterations_if_known, 1) if ways == 1 else (effort.fillings, effort.fillings)
    all_careful = effort.all_careful and state.table.players > _FEW
    careful = range(len(state.taken)) if all_careful else (side_of(state, state.seat_to_play),)
    tree = Tree(RuleOfThumb(state, careful), trial.evaluator, cards_left(state), expansion_threshold, rng)
    for _ in range(times):
        board = Board(fillings.draw(rng))
        for card, ends in trial.ends.items():
            ends.append(tree.iterate(board, card))
        yield
    trial.nodes += tree.nodes
    return (yield from trial.suggest(exact=False))


class _Trial:
    """The legal cards of a state, tried in its fillings; only one of equivalent cards is tried."""

    def __init__(self, state: State) -> None:
        self._state = state
        self.evaluator = Evaluator(state)
        self.nodes = 0
        board = Board(state)
        unseen = board.order.rank(FULL_PACK) & ~sum(board.taken)
        self._order = board.order
        self._alike = find_alike(board, unseen)
        self._dominated = find_dominated(board, unseen)
        self.ends: _Ends = {card: [] for card in self._alike.values()}

    def solve(self, board: Board) -> Sliced[bool]:
        """Add the exact outcome after each card, or none. Return True if they were found."""
        search, found = Search(self._state, self.evaluator), list[tuple[Outcome, int]]()
        try:
            for card in self.ends:
                ending = yield from search.solve(board, card, ENDING_NODES)
                found.append((ending.outcome, ending.taker))
                yield
        except OutOfNodes:
            return False
        finally:
            self.nodes += search.nodes
        for ends, end in zip(self.ends.values(), found, strict=True):
            ends.append(end)
        return True

    def suggest(self, *, exact: bool) -> Sliced[RankedOptions]:
        """Return the results, the card with the best outcomes first; among equals the lowest first.

        Cards that only give points away are the last, unless an exact answer proves otherwise.
        """
        side, figures = side_of(self._state, self._state.seat_to_play), dict[Mask, tuple[tuple[int, int], Option]]()
        for card, ends in self.ends.items():
            worth = _worth([outcome for outcome, _ in ends], side, exact=exact)
            figures[card] = worth, _weigh(self._order.card(card), ends, side, self._honours, exact=exact)
            yield

        def rank(pair: tuple[Mask, Mask]) -> tuple[bool, tuple[int, int], bool]:
            sound = not pair[0] & self._dominated
            return exact or sound, figures[pair[1]][0], sound

        options = tuple(
            figures[alike][1]._replace(card=self._order.card(card))
            for card, alike in sorted(self._alike.items(), key=rank, reverse=True)
        )
        return RankedOptions(options, len(next(iter(self.ends.values()))), self.nodes, exact)

    @property
    def _honours(self) -> tuple[Card, ...]:
        return cards_of(self._state.table.honours[self._state.trump].mask)


def _worth(outcomes: Sequence[Outcome], side: int, *, exact: bool) -> tuple[int, int]:
    """Return a card's worth: its certain outcome, or the chance of the game and then the points."""
    points = sum([len(outcome.points) * outcome.points[side] - sum(outcome.points) for outcome in outcomes])
    return sum([outcome.worth[side] if exact else outcome.chances[side] for outcome in outcomes]), points


def _weigh(
    card: Card, ends: Sequence[tuple[Outcome, int]], side: int, honours: tuple[Card, ...], *, exact: bool
) -> Option:
    count = len(ends)
    points, every = [outcome.points[side] for outcome, _ in ends], [sum(outcome.points) for outcome, _ in ends]
    won = [side in outcome.winners for outcome, _ in ends if outcome.winners is not None]
    taken = Counter([outcome.honours[side] for outcome, _ in ends])
    return Option(
        card=card,
        points=sum(points) / count,
        against=(sum(every) - sum(points)) / count,
        wins=sum(won) / count,
        losses=(len(won) - sum(won)) / count,
        trick=[taker for _, taker in ends].count(side) / count,
        honours=tuple((each, sum(taken[mask] for mask in taken if mask & BITS[each]) / count) for each in honours),
        chance=sum([outcome.chances[side] for outcome, _ in ends]) / count / GAME,
        standard_error=0.0 if exact else error_of([2 * mine - both for mine, both in zip(points, every, strict=True)]),
    )


def error_of(beyond: Sequence[int]) -> float | None:
    """Return the standard error of an average, or None of a single number; in whole numbers as far as possible."""
    count, total = len(beyond), sum(beyond)
    if count == 1:
        return None
    return sqrt((count * sum(each * each for each in beyond) - total * total) / (count - 1)) / count


def find_alike(board: Board, out: Mask) -> dict[Mask, Mask]:
    """Return by legal card the lowest equivalent one, for every holding of the others."""
    distinct = board.order.distinct(board.legal, out & ~board.hands[board.seat])
    alike, lowest = dict[Mask, Mask](), 0
    for suit in board.order.suits:
        mine = board.legal & suit
        while mine:
            card = mine & -mine
            lowest = card if card in distinct else lowest
            alike[card] = lowest
            mine ^= card
    return alike


def cards_left(state: State) -> int:
    """Return how many cards all hands hold together."""
    return sum(map(hand_size, chain(state.hands, *state.later_hands)))
