"""POST /v1/positions: everything that follows from a state."""

from service.api.questions.state import StateQuestion
from service.http.operation import ADMIT_PROBLEMS, LOOK_UP_PROBLEMS, look_up, question
from service.schemas.described_state import admit_described
from service.schemas.position import Position, write_position


@question(
    "/v1/positions",
    operation_id="positions",
    summary="Show everything that follows from a state",
    description="In one call: phase, turn, legal cards, the seat that holds the trick, points, totals and winners.",
    response_description="The state, and everything that follows from it.",
    problems=ADMIT_PROBLEMS,
)
def show_position(body: StateQuestion) -> Position:
    """Return the position of a state."""
    described = body.state
    return write_position(admit_described(described), described if isinstance(described, str) else None)


@look_up(
    "/v1/positions/{notation}",
    operation_id="get_position",
    summary="Show everything that follows from the position of a notation",
    description="The same answer as to POST, from a URL that caches, browsers and CDNs can keep.",
    response_description="The state, and everything that follows from it.",
    problems=LOOK_UP_PROBLEMS,
)
def get_position(notation: str) -> Position:
    """Return the position of the notation in the path."""
    return write_position(admit_described(notation, "notation"), notation)
