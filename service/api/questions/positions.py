"""POST /v1/positions: everything that follows from a state."""

from litestar.params import JSONBody

from service.api.questions.state import StateQuestion, admit
from service.http.operation import ADMIT, question
from service.wire.position import Position, write_position


@question(
    "/v1/positions",
    operation_id="positions",
    summary="Show everything that follows from a state",
    description="In one call: phase, turn, legal cards, the seat that holds the trick, points, totals and winners.",
    response_description="The state, and everything that follows from it.",
    problems=ADMIT,
)
def show_position(data: JSONBody[StateQuestion]) -> Position:
    """Return the position of a state."""
    described = data.state
    return write_position(admit(described), described if isinstance(described, str) else None)
