"""The order in which the plays of a deal are read, if they were written in another order.

A play fits if it is of the seat to play, and that seat can hold the card. At a play that does not fit, one of four
slips is assumed, the first that makes sense of what follows:

1. Two neighbors were exchanged: they fit in the other order, and so does the play after them.
2. A line was written twice: as many plays as a trick has, or fewer, repeat what was just read, and the next one fits.
3. The play was taken back: the two plays after it fit without it, or the one that there is.
4. A play is missing, or its card was mistyped: one such repair, without other slips, makes all plays legal.

Else the reading stops there.
Source: none; this project's reading of records.
"""

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from service.game.generators import Sliced
from service.game.rules.record import RecordedPlay
from service.game.rules.record.laying import lay
from service.game.rules.record.repair import Repair, find_repair
from service.game.state import State

SlipCode: TypeAlias = Literal[
    "plays_exchanged", "plays_repeated", "out_of_turn", "card_not_held", "play_missing", "card_mistyped"
]
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
    assumed: RecordedPlay | None = None
    """The play that is assumed, if one is missing or was mistyped."""


class Laid(Struct, frozen=True):
    """The plays of a deal as they are read."""

    plays: tuple[RecordedPlay, ...]
    """The plays as they are read. From a play that does not fit, the plays as written."""
    order: tuple[int, ...]
    """By play read, its number as written. A missing play has the number of the next play as written."""
    states: tuple[State, ...]
    """The state before each play that fits, and the one after the last of them."""
    slips: tuple[Slip, ...]
    """The slips, in order."""
    missing: int | None = None
    """The play read that was not written, counted as they are read; None if there is none."""


def lay_plays(plays: Sequence[RecordedPlay], state: State) -> Sliced[Laid]:
    """Lay the plays of a deal from its first state on, even after the game was won: those cards were held, too."""
    order, states, slips, at = list[int](), [state], list[Slip](), 0
    while at < len(plays) and not states[-1].played_out:
        if (after := lay(states[-1], plays[at])) is not None:
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
            misfit = slips[0].before if slips else at
            if (repair := (yield from find_repair(plays, states[: misfit + 1]))) is not None:
                return _lay_repaired(plays, states, repair)
            break
    read = (*order, *range(at, len(plays)))
    return Laid(tuple([plays[index] for index in read]), read, tuple(states), tuple(slips))


def _lay_repaired(plays: Sequence[RecordedPlay], states: Sequence[State], repair: Repair) -> Laid:
    """Lay the plays with one repair, and no other slip."""
    before, after = repair.before, repair.before + (not repair.is_missing)
    read = (*plays[:before], repair.assumed, *plays[after:])
    order = (*range(before + 1), *range(after, len(plays)))
    laid = (*states[: before + 1], *_states_after(states[before], read[before:]))
    return Laid(read, order, laid, (_tell_repair(repair, plays[before]),), before if repair.is_missing else None)


def _tell_repair(repair: Repair, written: RecordedPlay) -> Slip:
    at, seat, card = repair.before, repair.assumed.seat, repair.assumed.card
    if repair.is_missing:
        detail = f"Seat {seat} played {card} before play {at}: nothing else makes all plays legal."
        return Slip(at, at, "play_missing", detail, repair.assumed)
    detail = f"Seat {seat} played {card}, not {written.card}: nothing else makes all plays legal."
    return Slip(at, at, "card_mistyped", detail, repair.assumed)


def _states_after(state: State, plays: Sequence[RecordedPlay]) -> list[State]:
    """Return the states after plays, up to one that does not fit."""
    states: list[State] = []
    for made in plays:
        after = lay(state, made)
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
    """Return how many plays to skip: a repeated line, or one play taken back; or 0."""
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
