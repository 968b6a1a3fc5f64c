"""The goal of a claim: all remaining tricks, or a number of further tricks or points."""

from msgspec import Struct
from msgspec.structs import replace

from service.game.cards import FULL_PACK, Mask
from service.game.rules import game, score
from service.game.rulesets import Side
from service.game.state import State


class Goal(Struct, frozen=True, gc=False):
    """The goal of a side from a state on: a number of tricks or of points, or every trick if neither is given.

    If the target wins at once, a side that wins the game before the last trick has reached its goal.
    """

    start: State
    side: Side
    tricks: int | None
    points: int | None

    def is_reached(self, state: State) -> bool | None:
        """Return True once the goal is reached, False once it cannot be, and None before; between two tricks."""
        won = game.won(state) if game.counts_at_once(state.table) and not state.played_out else None
        if won is not None and self.side in won.winners:
            return True
        over = won is not None or state.played_out
        if self.points is not None:
            return self._is_made(state, self.points, over=over)
        if self.tricks is not None:
            made = self._tricks_since(state, self.side)
            return self._decide(made, self.tricks, made + _tricks_left(state), over=over)
        if any(self._tricks_since(state, side) for side in range(len(state.taken)) if side != self.side):
            return False
        return True if over else None

    def is_guaranteed(self, state: State, tricks: int, hidden: Mask) -> bool:
        """Return True if the goal is reached with the tricks that the claimer, who leads, is sure to take."""
        if self.tricks is not None:
            return self._tricks_since(state, self.side) + tricks >= self.tricks
        left = _tricks_left(state)
        if tricks < left or self.points is None:
            return tricks >= left
        if hidden.bit_count() > (state.table.players - 1) * left:
            return False  # unknown: which hidden cards are in hands
        rest = hidden | max(state.hands[state.leader], 0)
        return self._made(_with_cards(state, self.side, rest)) >= self.points

    def score_key(self, state: State) -> tuple[object, ...]:
        """Return the part of the tricks taken so far that the goal depends on."""
        if self.points is None and not game.counts_at_once(state.table):
            return (state.taken[self.side].bit_count(),)
        return (*score.points(state), *[taken.bit_count() for taken in state.taken])

    def _is_made(self, state: State, points: int, *, over: bool) -> bool | None:
        most = self._made(_with_cards(state, self.side, FULL_PACK & ~sum(state.taken)))
        return self._decide(self._made(state), points, most, over=over)

    def _decide(self, made: int, wanted: int, most: int, *, over: bool) -> bool | None:
        """Return True if enough is made; False if neither that nor a win before the last trick is possible."""
        if made >= wanted:
            return True
        return False if over or (most < wanted and not game.counts_at_once(self.start.table)) else None

    def _made(self, state: State) -> int:
        return score.points(state)[self.side] - score.points(self.start)[self.side]

    def _tricks_since(self, state: State, side: Side) -> int:
        return (state.taken[side].bit_count() - self.start.taken[side].bit_count()) // state.table.players


def _tricks_left(state: State) -> int:
    return state.table.tricks - sum([taken.bit_count() for taken in state.taken]) // state.table.players


def _with_cards(state: State, side: Side, cards: Mask) -> State:
    """Return the state with these cards added to a side's tricks."""
    taken = tuple([pile | cards if at == side else pile for at, pile in enumerate(state.taken)])
    return replace(state, taken=taken)
