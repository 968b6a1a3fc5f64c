"""POST /v1/adjudications: a whole game, judged."""

from litestar.params import JSONBody

from service.faults import Impossible, NoRevokePenalty
from service.http.operation import ADMIT, question
from service.rules.adjudication import adjudicate
from service.rules.record import Record
from service.wire.adjudication import Adjudication, write_adjudication
from service.wire.refusal import refuse


@question(
    "/v1/adjudications",
    operation_id="adjudications",
    summary="Adjudicate a whole game",
    description="A verdict on every play, the first irregularity, the scores after each deal, and the winners. A card "
    "that was let stand against the rules is judged as what it is and the record read on as it was played.",
    response_description="The record, adjudicated, whatever it holds.",
    problems=(*ADMIT, "no_revoke_penalty"),
)
def adjudicate_record(data: JSONBody[Record]) -> Adjudication:
    """Judge a whole game."""
    try:
        return write_adjudication(adjudicate(data))
    except (Impossible, NoRevokePenalty) as exc:
        raise refuse(exc) from exc
