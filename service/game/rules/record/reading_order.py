"""The order in which the plays of a deal are read, where they were not written as they were made.

A play fits if it is of the seat to play, and that seat can hold the card. At a play that does not fit, one of three
slips is assumed, the first that makes sense of what follows:

1. Two neighbors were exchanged: they fit in the other order, and so does the play after them.
2. A line was written twice: as many plays as a trick has, or fewer, repeat what was just read, and the next one fits.
3. The play was taken back: the two plays after it fit without it, or the one that there is.

Else the reading stops there. Source: none; this project's reading of records.
"""

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from service.game.cards import BITS, NUMBER, Mask
from service.game.rules.deal import play_unchecked
from service.game.rules.record import RecordedPlay
from service.game.rules.unseen import Constraint, find_hidden, is_feasible
from service.game.state import State

SlipCode: TypeAlias = Literal["plays_exchanged", "plays_repeated", "out_of_turn", "card_not_held"]
_NEXT: Final = 2
"""Plays that must fit without one that was taken back."""


class Slip(Struct, frozen=True):
    """A slip of the pen, or a play that was taken back, and what is assumed about it."""

    play: int
    """The play, counted from 0 as it was written."""
    before: int
    """The number of plays read before it."""
    code: SlipCode
    """The kind of the slip."""
    detail: str
    """The assumption as a sentence."""


class Laid(Struct, frozen=True):
    """The plays of a deal as they are read."""

    order: tuple[int, ...]
    """By play read, its number as written. From a play that does not fit, the order as written."""
    states: tuple[State, ...]
    """The state before each play that fits, and the one after the last of them."""
    slips: tuple[Slip, ...]
    """The slips, in order."""


def lay_plays(plays: Sequence[RecordedPlay], state: State) -> Laid:
    """Lay the plays of a deal from its first state on, also those after a game that was won: they were held, too."""
    order, states, slips, at = list[int](), [state], list[Slip](), 0
    while at < len(plays) and not states[-1].played_out:
        if (after := _lay(states[-1], plays[at])) is not None:
            order.append(at)
            states.append(after)
            at += 1
        elif _are_exchanged(plays, at, states[-1]):
            slips.append(Slip(at, len(order), "plays_exchanged", f"Play {at + 1} was made before play {at}."))
            order += (at + 1, at)
            states += _states_after(states[-1], (plays[at + 1], plays[at]))
            at += 2
        elif passed := _passed_over(plays, at, states[-1]):
            slips += [_pass_over(states[-1], plays, each, len(order), passed) for each in range(at, at + passed)]
            at += passed
        else:
            break
    return Laid((*order, *range(at, len(plays))), tuple(states), tuple(slips))


def _lay(state: State, made: RecordedPlay) -> State | None:
    """Return the state after a play. Return None if it does not fit."""
    card = NUMBER[made.card]
    if state.played_out or made.seat != state.seat_to_play or not _can_hold(state, BITS[card]):
        return None
    return play_unchecked(state, card)


def _can_hold(state: State, bit: Mask) -> bool:
    """Return True if the seat to play can hold a card; no card of the trick shows anything, as it may be illegal."""
    seat = state.seat_to_play
    hand = state.hands[seat]
    return bool(hand & bit) if hand >= 0 else is_feasible(find_hidden(state, {}), (seat, 0), Constraint(has=bit))


def _states_after(state: State, plays: Sequence[RecordedPlay]) -> list[State]:
    """Return the states after plays, up to one that does not fit."""
    states: list[State] = []
    for made in plays:
        after = _lay(state, made)
        if after is None:
            break
        states.append(after)
        state = after
    return states


def _fit(state: State, plays: Sequence[RecordedPlay]) -> int:
    """Return how many plays fit, one after the other."""
    return len(_states_after(state, plays))


def _are_exchanged(plays: Sequence[RecordedPlay], at: int, state: State) -> bool:
    """Return True if two plays fit in the other order, and the play after them, if there is one."""
    if at + 1 == len(plays):
        return False
    tried = (plays[at + 1], plays[at], *plays[at + 2 : at + 3])
    return _fit(state, tried) == len(tried)


def _passed_over(plays: Sequence[RecordedPlay], at: int, state: State) -> int:
    """Return how many plays are passed over: those of a line that is repeated, or one that was taken back; or 0."""
    for count in range(min(state.table.players, at), 0, -1):
        again, rest = plays[at : at + count], plays[at + count : at + count + 1]
        if tuple(again) == tuple(plays[at - count : at]) and _fit(state, rest) == len(rest):
            return count
    rest = plays[at + 1 : at + 1 + _NEXT]
    return int(bool(rest) and _fit(state, rest) == len(rest))


def _pass_over(state: State, plays: Sequence[RecordedPlay], at: int, before: int, passed: int) -> Slip:
    made = plays[at]
    if at >= passed and made == plays[at - passed]:
        return Slip(at, before, "plays_repeated", f"Play {at - passed} was written again; it counts once.")
    if made.seat != state.seat_to_play:
        detail = f"Seat {made.seat} played; it was seat {state.seat_to_play}'s turn. The card was taken back."
        return Slip(at, before, "out_of_turn", detail)
    detail = f"Seat {made.seat} cannot hold {made.card} there. The card was taken back."
    return Slip(at, before, "card_not_held", detail)
