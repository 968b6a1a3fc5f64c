"""POST /v1/scores: the count of a deal, item by item."""

from operator import add
from typing import Annotated

from msgspec import Meta, Struct

from service.api.questions.state import StateQuestion
from service.game.rules import game, score
from service.game.rulesets import Seat, Side
from service.game.state import State
from service.http.operation import ADMIT_PROBLEMS, LOOK_UP_PROBLEMS, look_up, question
from service.schemas.described_state import admit_described
from service.schemas.events import WonBy, write_won_by
from service.schemas.scalars import DealPoints, Points, SideIndex


class SideScore(Struct, frozen=True, gc=False):
    """A side's score in the deal so far, item by item in the counting order, in points."""

    side: Annotated[SideIndex, Meta(description="The side.")]
    seats: Annotated[tuple[Seat, ...], Meta(description="The seats of the side.")]
    fine: Annotated[DealPoints, Meta(description="What a fine for a revoke takes from the side, or gives it.")]
    ten: Annotated[Points, Meta(description="For catching the ten.")]
    card_points: Annotated[Points, Meta(description="For cards above the share, for tricks, or none.")]
    ace: Annotated[Points, Meta(description="For the ace of trumps.")]
    king: Annotated[Points, Meta(description="For the king of trumps.")]
    queen: Annotated[Points, Meta(description="For the queen of trumps.")]
    jack: Annotated[Points, Meta(description="For the jack of trumps.")]
    points: Annotated[DealPoints, Meta(description="The sum of the items.")]
    total: Annotated[Points, Meta(description="The game score with these points.")]


class Scores(Struct, frozen=True, gc=False):
    """The score of a deal by side, and who has won the game."""

    phase: Annotated[game.Phase, Meta(description="The phase of the deal.")]
    sides: Annotated[tuple[SideScore, ...], Meta(description="The score of each side, in the order of the sides.")]
    winners: Annotated[tuple[SideIndex, ...], Meta(description="The sides that have won the game; [] until then.")]
    won_by: Annotated[WonBy | None, Meta(description="How the game was won; null until then.")]


@question(
    "/v1/scores",
    operation_id="scores",
    summary="Count the deal, item by item",
    description="By side, each item of the counting order, points and total; and who has won, by which rule.",
    response_description="The count of the deal as far as it has gone.",
    problems=ADMIT_PROBLEMS,
)
def count_deal(body: StateQuestion) -> Scores:
    """Count the deal so far."""
    return write_scores(admit_described(body.state))


@look_up(
    "/v1/scores/{notation}",
    operation_id="get_scores",
    summary="Count the deal of a notation, item by item",
    description="The same answer as to POST, from a URL that caches, browsers and CDNs can keep.",
    response_description="The count of the deal as far as it has gone.",
    problems=LOOK_UP_PROBLEMS,
)
def get_scores(notation: str) -> Scores:
    """Count the deal so far, in the notation in the path."""
    return write_scores(admit_described(notation, "notation"))


def write_scores(state: State) -> Scores:
    """Write the score of a deal so far."""
    deal_scores = score.deal_scores(state)
    made = list(map(sum, deal_scores))
    totals = tuple(map(add, state.scores, made))
    outcome = game.won(state, totals)
    sides = tuple(
        [
            SideScore(side, seats, *deal_scores[side], made[side], totals[side])
            for side, seats in enumerate(state.table.sides)
        ]
    )
    winners: tuple[Side, ...] = outcome.winners if outcome else ()
    won_by = write_won_by(state.table.ruleset, outcome) if outcome else None
    return Scores(game.phase(state, outcome), sides, winners, won_by)
