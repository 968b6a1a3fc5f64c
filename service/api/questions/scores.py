"""POST /v1/scores: the count of a deal, item by item."""

from service.api.questions.state import StateQuestion, admit
from service.http.operation import ADMIT, LOOK_UP, look_up, question
from service.wire.scores import Scores, write_scores


@question(
    "/v1/scores",
    operation_id="scores",
    summary="Count the deal, item by item",
    description="By side, each item of the counting order, points and total; and who has won, by which rule.",
    response_description="The count of the deal as far as it has gone.",
    problems=ADMIT,
)
def count_deal(body: StateQuestion) -> Scores:
    """Count the deal as far as it has gone."""
    return write_scores(admit(body.state))


@look_up(
    "/v1/scores/{notation}",
    operation_id="get_scores",
    summary="Count the deal of a notation, item by item",
    description="The same answer as to POST, from a URL that caches, browsers and CDNs can keep.",
    response_description="The count of the deal as far as it has gone.",
    problems=LOOK_UP,
)
def get_scores(notation: str) -> Scores:
    """Count the deal of the notation in the path as far as it has gone."""
    return write_scores(admit(notation, "notation"))
