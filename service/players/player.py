"""The computer player: what a seat sees comes in, and what each of its cards leads to comes out.

Each card is tried in the same fillings of the hidden hands: all seats play on by rule of thumb until few cards are
left, and from there as well as can be. Where only one filling fits and few cards are left at once, the answer is exact.
"""

from collections.abc import Generator, Iterator, Sequence
from itertools import chain
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Final, Literal, NamedTuple, TypeAlias

from service.cards import BITS, FULL_PACK, Card, Mask, cards_of
from service.players.board import Board
from service.players.ending import Ending, OutOfNodes, best_ending, end_deal, solve
from service.players.fillings import Fillings
from service.players.ranking import Ranking, rank
from service.players.rule_of_thumb import RuleOfThumb
from service.rules import follow, game
from service.state import State, hand_size, side_of

Level: TypeAlias = Literal["easy", "medium", "hard"]


class Effort(NamedTuple):
    """How far a player thinks.

    Unit: fillings tried; cards left in all hands from which endings are played exactly; cards that the search for one
    ending may play.
    """

    fillings: int
    exact_from: int
    nodes: int


EFFORTS: Final[dict[Level, Effort]] = {
    "easy": Effort(fillings=4, exact_from=0, nodes=0),
    "medium": Effort(fillings=12, exact_from=12, nodes=1_000),
    "hard": Effort(fillings=24, exact_from=16, nodes=2_000),
}


class Option(NamedTuple):
    """A card and how the deal ends after it: averages over the fillings tried.

    Unit: `points` of the deal for the side, and `against` it for all others together; `wins` and `losses` are parts of
    the fillings in which the side wins the game, or another does, with this deal; `honours` has the part in which the
    side takes each honour; `error` is the standard error of `points` less `against`, 0 if the figures are exact, and
    None if only one filling was tried.
    """

    card: Card
    points: float
    against: float
    wins: float
    losses: float
    honours: tuple[tuple[Card, float], ...]
    error: float | None


class Suggestion(NamedTuple):
    """The cards that a seat may play, the best first; the fillings tried, and whether the figures are exact."""

    options: tuple[Option, ...]
    fillings: int
    exact: bool


def weigh_cards(state: State, level: Level, seed: str) -> Generator[None, None, Suggestion]:
    """Weigh the legal cards of the seat to play, and yield between pieces of work of some milliseconds.

    The same state, level and seed give the same answer everywhere.
    Shape: the deal of the state is in play, and the hand of the seat to play is shown.
    """
    effort = EFFORTS[level]
    fillings, chance = Fillings(state), Random(seed)  # noqa: S311 # the same seed is to give the same answer
    number = 1 if fillings.count() == 1 else effort.fillings
    alike = _alike(state, rank(state.table.ruleset, state.trump))
    cards = sorted(set(alike.values()))
    endings: dict[Mask, list[Ending]] = {card: [] for card in cards}
    exact = number == 1 and _cards_left(state) <= effort.exact_from
    trial = _Trial(state, effort)
    for _ in range(number):
        filled = fillings.draw(chance)
        if exact:
            exact = yield from trial.solve(filled, endings)
        if not exact:
            yield from trial.play_on(filled, endings)
    return Suggestion(tuple(_options(state, alike, endings, exact=exact)), number, exact)


class _Trial:
    """Cards tried in fillings of one state."""

    def __init__(self, state: State, effort: Effort) -> None:
        self._effort = effort
        self._thumb = RuleOfThumb(state)
        self._at_once = game.counts_at_once(state.table)

    def solve(self, filled: State, endings: dict[Mask, list[Ending]]) -> Generator[None, None, bool]:
        """Add the exact ending after each card, or none. Return True if they were found."""
        found = list[Ending]()
        try:
            for _, ending in solve(filled, endings, self._effort.nodes):
                found.append(ending)
                yield
        except OutOfNodes:
            return False
        for known, ending in zip(endings.values(), found, strict=True):
            known.append(ending)
        return True

    def play_on(self, filled: State, endings: dict[Mask, list[Ending]]) -> Generator[None, None, None]:
        """Add the ending after each card, if all seats go on by rule of thumb until few cards are left."""
        board = Board(filled)
        for card, known in endings.items():
            ending, played = self._play(board, card), 1
            while ending is None:
                ending = self._play(board, self._thumb.choose(board))
                played += 1
            for _ in range(played):
                board.take_back()
            known.append(ending)
            yield

    def _play(self, board: Board, card: Mask) -> Ending | None:
        """Play a card, and return how the deal ends if that can be said now."""
        board.play(card)
        if board.trick[1]:
            return None
        left = board.not_taken().bit_count()
        if (not left or self._at_once) and (ended := end_deal(board.state())) is not None:
            return ended
        if left > self._effort.exact_from:
            return None
        try:
            return best_ending(board.state(), self._effort.nodes)
        except OutOfNodes:
            return None


def _alike(state: State, ranking: Ranking) -> dict[Mask, Mask]:
    """Return, for each legal card, the lowest one that is as good whatever the others hold."""
    others = FULL_PACK & ~state.hands[state.seat_to_play]
    for taken in state.taken:
        others &= ~taken
    legal = follow.legal_cards(state) or 0
    distinct, alike, lowest = ranking.distinct(legal, others), dict[Mask, Mask](), 0
    for card in chain.from_iterable(ranking.suits):
        if card & legal:
            lowest = card if card in distinct else lowest
            alike[card] = lowest
    return alike


def _options(
    state: State, alike: dict[Mask, Mask], endings: dict[Mask, list[Ending]], *, exact: bool
) -> Iterator[Option]:
    """Weigh each legal card, the best one first."""
    side = side_of(state, state.seat_to_play)
    honours = cards_of(rank(state.table.ruleset, state.trump).honours)
    worth = {card: sum(ending.worth[side] for ending in found) for card, found in endings.items()}
    for card in sorted(alike, key=lambda card: -worth[alike[card]]):
        found = endings[alike[card]]
        points = [ending.points[side] for ending in found]
        against = [sum(ending.points) - mine for ending, mine in zip(found, points, strict=True)]
        won = [side in ending.winners for ending in found if ending.winners is not None]
        yield Option(
            card=card.bit_length() - 1,
            points=fmean(points),
            against=fmean(against),
            wins=sum(won) / len(found),
            losses=(len(won) - sum(won)) / len(found),
            honours=tuple((each, fmean(bool(end.honours[side] & BITS[each]) for end in found)) for each in honours),
            error=0.0 if exact else _error_of(points, against),
        )


def _error_of(points: Sequence[int], against: Sequence[int]) -> float | None:
    beyond = [mine - theirs for mine, theirs in zip(points, against, strict=True)]
    return stdev(beyond) / sqrt(len(beyond)) if len(beyond) > 1 else None


def _cards_left(state: State) -> int:
    return sum(map(hand_size, chain(state.hands, *state.later_hands)))
