"""POST /v1/adjudications: a verdict on every play of a game."""

from msgspec.structs import replace

from service.game.faults import Impossible, MalformedNotation, NoRevokePenalty
from service.game.generators import Sliced
from service.game.notation.encoding import NotUtf8, decode_text
from service.game.notation.record import MEDIA_TYPE
from service.game.notation.record_reader import ReadRecord, find_place, parse_record
from service.game.rules.record import Record
from service.game.rules.record.adjudication import adjudicate_by_deal
from service.http.decoding import decoder_of
from service.http.negotiation import Format
from service.http.operation import ADMIT_PROBLEMS, RECORD_BYTES, question
from service.schemas.adjudication import Adjudication, write_adjudication
from service.schemas.refusal import Refusal, refuse, refuse_malformed


def decode_record(raw: bytes, content: Format) -> Sliced[Record]:
    """Decode a record, from an object or a text, and yield between lines of a text.

    Errors: Refusal.
    """
    if content != "text":
        record: Record = decoder_of(Record)(raw, content)
        return record
    try:
        return (yield from parse_record(decode_text(raw)))
    except NotUtf8 as exc:
        raise Refusal("malformed_body", f"{exc}.") from exc
    except MalformedNotation as exc:
        raise refuse_malformed(exc) from exc


@question(
    "/v1/adjudications",
    operation_id="adjudications",
    tag="Reasoning",
    summary="Adjudicate the record of a game",
    description="A verdict on every play, every irregularity, the scores after each deal, and the winners. The record "
    "may begin in the middle of a game (`deal`, `scores`), end in the middle of a deal, and leave hands as numbers. A "
    "play of a hidden hand is legal, or illegal, if every possible hand says so. Otherwise it is `undecided` and "
    "counts as legal, unless `revokes_found` names it: then it was a revoke. Reading goes on after an illegal card. "
    "At a play out of turn, or of a card that its seat cannot hold, a slip is assumed if the rest then makes sense: "
    "plays exchanged, written twice or taken back, or a card missing or mistyped where only one makes all plays legal. "
    "Otherwise the reading of the deal stops (`reading_stopped`), the deal counts nothing, and nobody has won. Later "
    "deals are read. With `on_revoke: penalise` an illegal card ends the deal, or where `revokes_found` says it was "
    "found; the other sides count what they have by then. A claim or concession (`ended_by`) gives all cards left to "
    "one side.",
    over_http=f"A record can also be sent as a text of tags and plays, `{MEDIA_TYPE}`; then faults have their line and "
    "column, and pointers lead into the record as JSON.",
    response_description="The adjudication, of a regular record and of an irregular one alike.",
    text_body=MEDIA_TYPE,
    decoder=decode_record,
    problems=(*ADMIT_PROBLEMS, "impossible_request", "no_revoke_penalty"),
    max_body_bytes=RECORD_BYTES,
)
def adjudicate_record(body: Record) -> Sliced[Adjudication]:
    """Judge a whole game, and yield between its deals.

    Errors: Refusal.
    """
    try:
        return (yield from write_adjudication((yield from adjudicate_by_deal(body))))
    except (Impossible, NoRevokePenalty) as exc:
        raise _place(refuse(exc), body) from exc


def _place(refusal: Refusal, record: Record) -> Refusal:
    """Return a refusal; if the record was sent as a text, its errors have line and column."""
    if not isinstance(record, ReadRecord):
        return refusal
    places = [find_place(record.places, error.pointer) for error in refusal.errors]
    errors = [
        replace(error, line=place.line, column=place.column)
        for error, place in zip(refusal.errors, places, strict=True)
    ]
    return Refusal(refusal.code, refusal.detail, tuple(errors))
