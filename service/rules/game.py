"""The game: who has won, and how. Forty-one is game. Source: all five, which differ in when it counts."""

from typing import Literal, TypeAlias

from msgspec import Struct

from service.faults import NotPlaying
from service.rules import score
from service.rules.deal import eldest
from service.rulesets import Seat, Side
from service.state import State, side_of

GAME = 41
"""The score, in points, that wins. Source: all five."""

Phase: TypeAlias = Literal["playing", "deal_over", "game_over"]
How: TypeAlias = Literal["at_once", "counting_order", "highest_score", "revoke"]


class Won(Struct, frozen=True, gc=False):
    """A game that is won: by whom, how, and at which item of the count where the count decided."""

    winners: tuple[Side, ...]
    how: How
    item: score.Item | None = None


def won(state: State, standing: tuple[int, ...] | None = None) -> Won | None:
    """Tell who has won the game, None while nobody has.

    Shape: `standing` is what `score.totals` tells, where the caller has it already.
    Source: trebor (at once; loss of the game by revoke), denexa and take-ten (counting order; gamerules by this
    project's reading), lots-of-kids (highest score).
    """
    if state.revoked is not None and state.table.ruleset.revoke == "loss_of_game":
        loser = side_of(state, state.revoked)
        return Won(tuple(side for side in range(len(state.taken)) if side != loser), "revoke")
    at_once = state.table.ruleset.winning == "at_once"
    if not at_once and state.revoked is None and not state.played_out:
        return None
    standing = standing or score.totals(state)
    if max(standing) < GAME:
        return None
    if at_once:
        return Won(_top(standing), "at_once")
    if state.table.ruleset.winning == "highest_score":
        return Won(_top(standing), "highest_score")
    return _won_in_counting_order(state, standing)


def _top(standing: tuple[int, ...]) -> tuple[Side, ...]:
    highest = max(standing)
    return tuple(side for side, points in enumerate(standing) if points == highest)


def _won_in_counting_order(state: State, standing: tuple[int, ...]) -> Won:
    """Tell who is first to stand at 41 in the count, of those who end at 41 or more."""
    item, counted = next(step for step in score.running_count(state) if max(step[1]) >= GAME)
    level = [side for side, points in enumerate(counted) if points == max(counted)]
    best = max(standing[side] for side in level)
    return Won(tuple(side for side in level if standing[side] == best), "counting_order", item)


def phase(state: State, outcome: Won | None) -> Phase:
    """Tell where the game stands, given who has won."""
    if outcome is not None:
        return "game_over"
    return "deal_over" if state.revoked is not None or state.played_out else "playing"


def require_playing(state: State) -> None:
    """Refuse a deal or a game that is over.

    Errors: NotPlaying.
    """
    now = phase(state, won(state))
    if now != "playing":
        raise NotPlaying(now)


def next_dealer(state: State) -> Seat:
    """Pass the deal to the left. Source: all five."""
    return eldest(state.table, state.dealer)
