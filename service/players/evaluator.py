"""The worth of the tricks that the sides took: points, honours, and the game if it ends, as the rules count them.

Where a deal ends, all depends on the honours and the number of cards of each side, so every count is made once.
"""

from collections.abc import Sequence
from itertools import accumulate, chain
from typing import Final, NamedTuple, TypeAlias

from msgspec.structs import replace

from service.cards import BITS, FULL_PACK, Mask, cards_of
from service.players.order import MARK, order
from service.rules import game, score
from service.rulesets import Side
from service.state import State

_WIN: Final = 1000
"""The worth of the game, in points: more than any deal."""

GAME: Final = 10_000
"""The whole game, in parts of it."""

Counts: TypeAlias = tuple[int, ...]
"""The counts of each side: the number of its cards, and a mark for each honour among them, as in `Order.marks`.

Where each hand counts by itself, the numbers of `State.taken_by_hand` follow, hand by hand.
"""


class Outcome(NamedTuple):
    """How a deal ends: the points and honours of each side in it, the winners if the game ends, and the worth of that.

    Where the outcome is certain, the `worth` is to win the game first, then points; that of all sides adds up to 0.
    Where it is one of many that may be, `chances` are the parts of the game that each side has won by then.
    Shape: by side.
    Unit: ten-thousandths of the game for `chances`.
    """

    points: tuple[int, ...]
    honours: tuple[Mask, ...]
    winners: tuple[Side, ...] | None
    worth: tuple[int, ...]
    chances: tuple[int, ...]


class Evaluator:
    """The outcomes of a deal."""

    def __init__(self, state: State) -> None:
        self.at_once = game.counts_at_once(state.table)
        self._start = replace(state, trick=())
        self._sides = len(state.taken)
        self._order = order(state.table.ruleset, state.trump)
        cards = FULL_PACK & ~state.table.honours[state.trump].mask
        self._others = list(accumulate([BITS[card] for card in cards_of(cards)], initial=0))
        self._ends: dict[Counts, Outcome] = {}
        self._wins: dict[Counts, Outcome | None] = {}

    def count(self, taken: Sequence[Mask], by_hand: Sequence[tuple[int, ...]] = ()) -> Counts:
        """Return all that counts of the cards taken, in the order of strength, by side."""
        marks, every = self._order.marks, self._order.every
        counts = [marks[cards & every] + cards.bit_count() for cards in taken]
        return (*counts, *chain(*by_hand)) if by_hand else tuple(counts)

    def close_hand(self, counts: Sequence[int]) -> Sequence[int]:
        """Return what follows the counts when a hand is played out and the next is taken up."""
        sides = self._sides
        if not self._start.table.counts_by_hand:
            return ()
        return [counts[side] % MARK - sum(counts[sides + side :: sides]) for side in range(sides)]

    def ended(self, taken: Sequence[Mask], by_hand: Sequence[tuple[int, ...]], *, over: bool) -> Outcome | None:
        """Return how the deal ends with these cards taken, if it is over or the game is won. Return None otherwise."""
        if not (over or self.at_once):
            return None
        counts = self.count(taken, by_hand)
        return self.win(counts) or (self.end(counts) if over else None)

    def end(self, counts: Counts) -> Outcome:
        """Return how the deal ends when it is played out."""
        outcome = self._ends.get(counts)
        if outcome is None:
            over = replace(self._state(counts), hands=(0,) * len(self._start.hands), later_hands=())
            outcome = self._ends[counts] = _ending(over, game.won(over))
        return outcome

    def win(self, counts: Counts) -> Outcome | None:
        """Return how the deal ends if the game is won at once, before it is played out. Return None if it goes on."""
        if not self.at_once:
            return None
        if counts not in self._wins:
            state = self._state(counts)
            won = game.won(state)
            self._wins[counts] = _ending(state, won) if won else None
        return self._wins[counts]

    def _state(self, counts: Counts) -> State:
        """Return a state in which each side has taken what counts, with any cards that are no honours."""
        others, marked, taken, given, sides = self._others, self._order.marked, list[Mask](), 0, self._sides
        for count in counts[:sides]:
            honours = marked[count // MARK]
            before, given = given, given + count % MARK - honours.bit_count()
            taken.append(honours | others[given] - others[before])
        by_hand = tuple([counts[at : at + sides] for at in range(sides, len(counts), sides)])
        return replace(self._start, taken=tuple(taken), taken_by_hand=by_hand)


def _ending(state: State, won: game.Won | None) -> Outcome:
    points, winners = score.points(state), won.winners if won else None
    worth = [made + (_WIN if winners and side in winners else 0) for side, made in enumerate(points)]
    every = state.table.honours[state.trump].mask
    honours = tuple([taken & every for taken in state.taken])
    chances = (
        _chances(state)
        if winners is None
        else [(side in winners) * GAME // len(winners) for side in range(len(points))]
    )
    return Outcome(points, honours, winners, tuple([len(worth) * own - sum(worth) for own in worth]), tuple(chances))


def _chances(state: State) -> list[int]:
    """Guess the chances of the sides to win the game, from the points that each still needs: as one to their square.

    At the beginning of a game of two sides, a point more is then worth a part of the game that changes little with the
    points of the deal; where a side is near game, it counts the more.
    """
    odds = [GAME**2 // max(1, game.points_to_game(state.table, total)) ** 2 for total in score.totals(state)]
    return [GAME * each // sum(odds) for each in odds]
