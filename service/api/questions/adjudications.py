"""POST /v1/adjudications: a verdict on every play of a whole game."""

from collections.abc import Generator

from litestar.params import JSONBody

from service.faults import Impossible, NoRevokePenalty
from service.http.operation import ADMIT, RECORD_BYTES, question
from service.rules.adjudication import adjudicate_by_deal, finish
from service.rules.record import Record
from service.wire.adjudication import Adjudication, write_adjudication
from service.wire.refusal import refuse


def judge_by_deal(data: Record) -> Generator[None, None, Adjudication]:
    """Judge a whole game, and yield between its deals.

    Errors: Refusal.
    """
    try:
        return (yield from write_adjudication((yield from adjudicate_by_deal(data))))
    except (Impossible, NoRevokePenalty) as exc:
        raise refuse(exc) from exc


@question(
    "/v1/adjudications",
    operation_id="adjudications",
    summary="Adjudicate the record of a game",
    description="A verdict on every play, every irregularity, the scores after each deal, and the winners. The record "
    "may begin in the middle of a game (`deal`, `scores`), end in the middle of a deal, and leave hands as numbers: "
    "what a seat plays, it held. An illegal card that was allowed to stand gets its verdict, and the record is read on "
    "as it was played; a card that its seat cannot hold and a play out of turn end the reading. With "
    "`on_revoke: penalise` an illegal card ends the deal or, if `revokes_found` names it, the card does after which it "
    "was found: the other sides count what they have made by then.",
    response_description="The adjudication, of a regular record and of an irregular one alike.",
    problems=(*ADMIT, "impossible_request", "no_revoke_penalty"),
    body_bytes=RECORD_BYTES,
    pieces=judge_by_deal,
)
def adjudicate_record(data: JSONBody[Record]) -> Adjudication:
    """Judge a whole game."""
    return finish(judge_by_deal(data))
