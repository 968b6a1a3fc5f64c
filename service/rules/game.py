"""The game: a side that stands at 41 wins it. Source: all five, which differ in when 41 counts."""

from typing import Final, Literal, TypeAlias

from msgspec import Struct

from service.faults import NotPlaying
from service.rules import revoke, score
from service.rules.deal import eldest
from service.rulesets import Seat, Side, Table
from service.state import State

GAME: Final = 41
"""The score, in points, that wins. Source: all five."""

Phase: TypeAlias = Literal["playing", "deal_over", "game_over"]
How: TypeAlias = Literal["at_once", "counting_order", "highest_score", "revoke"]


class Won(Struct, frozen=True, gc=False):
    """A game that is won: by which sides, how, and at which item if the counting order decided."""

    winners: tuple[Side, ...]
    how: How
    item: score.Item | None = None


def counts_at_once(table: Table) -> bool:
    """Return True if 41 wins as soon as it is reached, in the middle of a deal. Source: trebor."""
    return table.ruleset.winning == "at_once"


def won(state: State, standing: tuple[int, ...] | None = None) -> Won | None:
    """Return the winners of the game. Return None if nobody has won yet.

    Shape: `standing` is the result of `score.totals`, for callers that have it already.
    Source: trebor (at once; loss of the game by revoke), denexa and take-ten (counting order; gamerules by this
    project's reading), lots-of-kids (highest score).
    """
    if state.revoked is not None and (loser := revoke.loser_of_game(state)) is not None:
        return Won(tuple(side for side in range(len(state.taken)) if side != loser), "revoke")
    winning = state.table.ruleset.winning
    if winning != "at_once" and state.revoked is None and not state.played_out:
        return None
    standing = standing or score.totals(state)
    if max(standing) < GAME:
        return None
    if winning == "at_once":
        return Won(_highest(standing), "at_once")
    if winning == "highest_score":
        return Won(_highest(standing), "highest_score")
    return _won_in_counting_order(state, standing)


def _highest(standing: tuple[int, ...]) -> tuple[Side, ...]:
    highest = max(standing)
    return tuple(side for side, points in enumerate(standing) if points == highest)


def _won_in_counting_order(state: State, standing: tuple[int, ...]) -> Won:
    """Return the side that is the first to stand at 41 in the count.

    Sides that get there at the same item are parted by the score at that item, then by the score after the whole
    count; sides that are still level win together.
    """
    item, counted = next(step for step in score.running_count(state) if max(step[1]) >= GAME)
    level = [side for side, points in enumerate(counted) if points == max(counted)]
    best = max(standing[side] for side in level)
    return Won(tuple(side for side in level if standing[side] == best), "counting_order", item)


def phase(state: State, outcome: Won | None) -> Phase:
    """Return the phase of a game whose winners, if any, are known."""
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
    """Return the dealer of the next deal, the seat on the dealer's left. Source: all five."""
    return eldest(state.table, state.dealer)
