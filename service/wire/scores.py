"""The score of a deal, item by item in the counting order."""

from typing import Annotated

from msgspec import Meta, Struct

from service.rules import game, score
from service.rulesets import Seat, Side
from service.state import State
from service.wire.events import WonBy, write_won_by
from service.wire.scalars import DealPoints, Points, SideIndex


class SideScore(Struct, frozen=True, gc=False):
    """The score of a side in the deal so far, item by item in the counting order, in points."""

    side: SideIndex
    seats: tuple[Seat, ...]
    fine: Annotated[DealPoints, Meta(description="What a fine for a revoke takes from the side, or gives it.")]
    ten: Points
    card_points: Annotated[Points, Meta(description="For cards above the share, for tricks, or none.")]
    ace: Points
    king: Points
    queen: Points
    jack: Points
    points: Annotated[DealPoints, Meta(description="The sum of the items.")]
    total: Annotated[Points, Meta(description="The game score with these points.")]


class Scores(Struct, frozen=True, gc=False):
    """The score of a deal, by side, and who has won the game."""

    phase: game.Phase
    sides: tuple[SideScore, ...]
    winners: Annotated[tuple[SideIndex, ...], Meta(description="The sides that have won the game; [] until then.")]
    won_by: WonBy | None


def write_scores(state: State) -> Scores:
    """Write the score of a deal as far as it has gone."""
    outcome = game.won(state)
    sides = tuple(
        SideScore(side, state.table.sides[side], *tally, sum(tally), state.scores[side] + sum(tally))
        for side, tally in enumerate(score.tallies(state))
    )
    winners: tuple[Side, ...] = outcome.winners if outcome else ()
    won_by = write_won_by(state, outcome) if outcome else None
    return Scores(game.phase(state, outcome), sides, winners, won_by)
