"""POST /v1/scores: the count of a deal, item by item."""

from litestar.params import JSONBody

from service.api.questions.state import StateQuestion, admit
from service.http.operation import ADMIT, question
from service.wire.scores import Scores, write_scores


@question(
    "/v1/scores",
    operation_id="scores",
    summary="Count the deal, item by item",
    description="By side: each item of the counting order, points and total; who has won, and by which rule.",
    response_description="The count of the deal as far as it has gone.",
    problems=ADMIT,
)
def count_deal(data: JSONBody[StateQuestion]) -> Scores:
    """Count the deal as far as it has gone."""
    return write_scores(admit(data.state))
