"""A line of play that refutes a claim, and hidden hands in which every card of it is legal."""

from collections.abc import Mapping
from random import Random
from typing import NamedTuple, TypeAlias

from msgspec.structs import replace

from service.game.cards import BITS, Card, Mask
from service.game.generators import Sliced
from service.game.rules.deal import play_unchecked
from service.game.rules.follow_suit import cards_that_forbid
from service.game.rules.unseen import Constraint, HandSlot, HiddenCards, find_hidden, show_lacking
from service.game.rulesets import Seat
from service.game.state import State
from service.players.determinizations import Determinizations, show_hands

Shown: TypeAlias = Mapping[HandSlot, Constraint]
"""By hand: what the plays show of it."""


class Line(NamedTuple):
    """A line of play that refutes a claim: the cards, their seats, and the claimer's later hands."""

    plays: tuple[tuple[Seat, Card], ...]
    next_hands: tuple[Mask, ...]


class _Reached(NamedTuple):
    """The state after a line, the demands on its hidden hands, and the cards played from each hand before.

    Shape: `hands` is the number of hands played out on the way.
    """

    state: State
    shown: Shown
    played: dict[HandSlot, Mask]
    hands: int


def fill_hands(known: HiddenCards, claimer: Seat, line: Line) -> Sliced[State]:
    """Return the state with all hands shown, filled so that the line is legal; yield now and then."""
    end = _follow(known, claimer, line)
    seats = range(known.state.table.players)
    fillings = Determinizations(find_hidden(end.state, end.shown))
    yield from fillings.count()
    full = fillings.draw(Random(0))  # noqa: S311 # any filling will do, if it is always the same

    def hand(seat: Seat, at: int) -> Mask:
        rest = (full.hands[seat], *(full.later_hands[seat] if full.later_hands else ()))
        return end.played.get((seat, at), 0) | (rest[at - end.hands] if at >= end.hands else 0)

    to_come = len(known.state.later_hands[0]) if known.state.later_hands else 0
    return show_hands(known.state, {(seat, at): hand(seat, at) for seat in seats for at in range(1 + to_come)})


def _follow(known: HiddenCards, claimer: Seat, line: Line) -> _Reached:
    """Play a line."""
    state, hands, next_hands = known.state, 0, iter(line.next_hands)
    shown: Shown = known.shown
    played: dict[HandSlot, Mask] = {}
    for seat, card in line.plays:
        played[seat, hands] = played.get((seat, hands), 0) | BITS[card]
        if seat != claimer:
            shown = show_lacking(shown, seat, cards_that_forbid(state, state.trick[0] if state.trick else None, card))
        before, state = state, play_unchecked(state, card)
        if before.later_hands != state.later_hands:
            hands += 1
            shown = {}
            own = next(next_hands, state.hands[claimer])
            state = replace(state, hands=tuple([own if at == claimer else hand for at, hand in enumerate(state.hands)]))
    return _Reached(state, shown, played, hands)
