"""The computer player: what a seat sees comes in, and what each of its cards leads to comes out.

Each card is tried in the same fillings of the hidden hands. Where only one filling fits and few cards are left, the
answer is exact.
"""

from collections.abc import Generator, Sequence
from itertools import chain
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Final, NamedTuple, TypeAlias

from service.cards import BITS, FULL_PACK, Card, Mask, cards_of
from service.faults import Fault, Impossible
from service.players import level
from service.players.board import Board
from service.players.ending import OutOfNodes, Search
from service.players.fillings import Fillings
from service.players.order import Order
from service.players.past import cards_lacked
from service.players.playout import Playouts
from service.players.reckoning import Ending, Reckoning
from service.players.tree import Tree
from service.rules import follow
from service.state import State, hand_size, side_of

Level: TypeAlias = level.Level


EFFORTS: Final[dict[Level, int]] = {"easy": 3, "medium": 8, "hard": 200}
"""The number of fillings in which each card is tried."""
_FAMILIAR: Final = 20
"""The number of fillings in which a card is played out by rule of thumb before the replies to it are told apart."""
_EXACT_FROM: Final = 16
"""The number of cards left from which the only filling is played exactly, at every level."""
_NODES: Final = 1_000
"""The number of cards that the search for one ending may play: some milliseconds of work."""


class Option(NamedTuple):
    """A card and how the deal ends after it: averages over the fillings tried.

    Unit: `points` of the deal for the side, and `against` it for all others together; `wins` and `losses` are parts of
    the fillings in which the side wins the game, or another does, with this deal; `trick` has the part in which the
    side takes the trick of this card, and `honours` that in which it takes each honour; `error` is the standard error
    of `points` less `against`, 0 if the figures are exact, and None if only one filling was tried.
    """

    card: Card
    points: float
    against: float
    wins: float
    losses: float
    trick: float
    honours: tuple[tuple[Card, float], ...]
    error: float | None


class Suggestion(NamedTuple):
    """The cards that a seat may play, the best first.

    Unit: `fillings` tried; `nodes` are cards played on the way.
    """

    options: tuple[Option, ...]
    fillings: int
    nodes: int
    exact: bool


_Ends: TypeAlias = dict[Mask, list[tuple[Ending, int]]]
"""By card, in the order of strength: for each filling, how the deal ends, and the side that takes the trick."""


def weigh_cards(
    state: State, level: Level, seed: str, played: tuple[Card, ...] = ()
) -> Generator[None, None, Suggestion]:
    """Weigh the legal cards of the seat to play, and yield between pieces of work of some milliseconds.

    The same arguments give the same answer everywhere.
    Shape: the deal of the state is in play, and the hand of the seat to play is shown; `played` has all cards of the
    deal so far, in order, or none if they are not known.
    Errors: Impossible, path `plays`, for plays that do not fit the state.
    """
    fillings = Fillings(state, cards_lacked(state, played) if played else ())
    ways = fillings.count()
    if not ways:
        raise Impossible((Fault("plays_do_not_fit", ("plays",), "No hands fit all of these plays."),))
    chance = Random(seed)  # noqa: S311 # the same seed is to give the same answer
    trial = _Trial(state)
    if ways == 1 and _cards_left(state) <= _EXACT_FROM and (yield from trial.solve(Board(fillings.draw(chance)))):
        return trial.suggest(1, exact=True)
    familiar = 1 if ways == 1 else _FAMILIAR
    tree = Tree(trial.reckoning, Playouts(state, trial.reckoning), _cards_left(state), familiar, chance)
    for _ in range(EFFORTS[level]):
        board = Board(fillings.draw(chance))
        for card, ends in trial.ends.items():
            ends.append(tree.grow(board, card))
        yield
    trial.nodes += tree.nodes
    return trial.suggest(min(ways, EFFORTS[level]), exact=False)


class _Trial:
    """The legal cards of a state, tried in fillings of it; of cards that are as good as each other, one is."""

    def __init__(self, state: State) -> None:
        self._state = state
        self.reckoning = Reckoning(state)
        self.nodes = 0
        board = Board(state)
        self._order = board.order
        self._alike = _alike(board.order, self._order.rank(follow.legal_cards(state) or 0), _hidden(board))
        self.ends: _Ends = {card: [] for card in self._alike.values()}

    def solve(self, board: Board) -> Generator[None, None, bool]:
        """Add the exact ending after each card, or none. Return True if they were found."""
        search, found = Search(board, self.reckoning), list[tuple[Ending, int]]()
        try:
            for card in self.ends:
                found.append(search.solve(card, _NODES))
                yield
        except OutOfNodes:
            return False
        finally:
            self.nodes += search.nodes
        for ends, end in zip(self.ends.values(), found, strict=True):
            ends.append(end)
        return True

    def suggest(self, fillings: int, *, exact: bool) -> Suggestion:
        """Return what was found, the card with the best endings first, of equals the lowest."""
        side = side_of(self._state, self._state.seat_to_play)
        worth = {card: _worth([ending for ending, _ in ends], side, exact=exact) for card, ends in self.ends.items()}
        options = tuple(
            _weigh(self._pack(card), self.ends[alike], side, self._honours, exact=exact)
            for card, alike in sorted(self._alike.items(), key=lambda pair: worth[pair[1]], reverse=True)
        )
        return Suggestion(options, fillings, self.nodes, exact)

    def _pack(self, card: Mask) -> Card:
        return self._order.number(card).bit_length() - 1

    @property
    def _honours(self) -> tuple[Card, ...]:
        return cards_of(self._state.table.honours[self._state.trump].every)


def _worth(endings: Sequence[Ending], side: int, *, exact: bool) -> tuple[int, int]:
    """Return what a card is worth: what is certain, or the chance of the game and then the points."""
    points = sum(len(ending.points) * ending.points[side] - sum(ending.points) for ending in endings)
    return sum(ending.worth[side] if exact else ending.chances[side] for ending in endings), points


def _weigh(
    card: Card, ends: Sequence[tuple[Ending, int]], side: int, honours: tuple[Card, ...], *, exact: bool
) -> Option:
    points = [ending.points[side] for ending, _ in ends]
    against = [sum(ending.points) - mine for (ending, _), mine in zip(ends, points, strict=True)]
    won = [side in ending.winners for ending, _ in ends if ending.winners is not None]
    return Option(
        card=card,
        points=fmean(points),
        against=fmean(against),
        wins=sum(won) / len(ends),
        losses=(len(won) - sum(won)) / len(ends),
        trick=fmean(taker == side for _, taker in ends),
        honours=tuple((each, fmean(bool(end.honours[side] & BITS[each]) for end, _ in ends)) for each in honours),
        error=0.0 if exact else _error_of(points, against),
    )


def _error_of(points: Sequence[int], against: Sequence[int]) -> float | None:
    beyond = [mine - theirs for mine, theirs in zip(points, against, strict=True)]
    return stdev(beyond) / sqrt(len(beyond)) if len(beyond) > 1 else None


def _alike(order: Order, cards: Mask, others: Mask) -> dict[Mask, Mask]:
    """Return, for each of some cards of a hand, the lowest one that is as good whatever the others hold."""
    distinct, alike, lowest = order.distinct(cards, others), dict[Mask, Mask](), 0
    for suit in order.suits:
        mine = cards & suit
        while mine:
            card = mine & -mine
            lowest = card if card in distinct else lowest
            alike[card] = lowest
            mine ^= card
    return alike


def _hidden(board: Board) -> Mask:
    """Return the cards that others may hold."""
    cards = board.order.rank(FULL_PACK) & ~board.hands[board.trick[0]]
    for taken in board.taken:
        cards &= ~taken
    return cards


def _cards_left(state: State) -> int:
    return sum(map(hand_size, chain(state.hands, *state.later_hands)))
