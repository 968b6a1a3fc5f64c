"""POST /v1/positions: everything that follows from a state."""

from litestar.params import JSONBody

from service.api.questions.state import StateQuestion, admit
from service.http.operation import ADMIT, question
from service.wire.position import Position, write_position


@question(
    "/v1/positions",
    operation_id="positions",
    summary="Show everything that follows from a state",
    description="Phase, turn, legal cards, who holds the trick, points, totals and winners, in one call.",
    response_description="What follows from the state.",
    problems=ADMIT,
)
def show_position(data: JSONBody[StateQuestion]) -> Position:
    """Return the position of a state."""
    return write_position(admit(data.state))
