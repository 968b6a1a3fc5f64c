"""POST /v1/verdicts: the verdict on a card."""

from typing import Annotated

from msgspec import Meta

from service.api.questions.hand import HandQuestion, admit_without_hand_fields, read_bare, write_bare
from service.game.cards import NUMBER, Code
from service.game.faults import Fault, HandNotSeen, NotPlaying
from service.game.rules import bare, play
from service.game.rulesets import Seat
from service.http.operation import ADMIT_PROBLEMS, question
from service.schemas.described_state import StateOrNotation, refuse_state
from service.schemas.refusal import refuse_faults, refuse_turn
from service.schemas.verdict import Verdict, write_verdict


class VerdictQuestion(HandQuestion, frozen=True, gc=False, forbid_unknown_fields=True, kw_only=True):
    """A card to judge, in a state or of a bare hand."""

    card: Annotated[Code, Meta(description="The card to judge.")]
    seat: Annotated[
        Seat | None,
        Meta(description="In a state, the seat that would play it; only the seat to play can. If left out, that seat."),
    ] = None


@question(
    "/v1/verdicts",
    operation_id="verdicts",
    summary="Judge a card without playing it",
    over_http="The status is 200 for a legal and for an illegal card alike.",
    description="A dry run. The question is about a "
    "`state` or about a bare hand: `rules`, `trump`, the `trick` so far and the `hand` that is to play to it. If a "
    "lead of a bare hand depends on more, it is `undecided`, and `missing` names what decides. In a state, a question "
    "with the `seat` of another seat than the one to play is refused, and the verdict on a card of a hidden hand is "
    "given wherever every way to fill the hidden hands that fits all that is in sight makes the card legal, or every "
    "one makes it illegal.",
    response_description="The verdict, for a legal and for an illegal card alike.",
    problems=(*ADMIT_PROBLEMS, "impossible_request", "hand_not_seen", "deal_over", "game_over", "not_your_turn"),
)
def judge_card(body: VerdictQuestion) -> Verdict:
    """Judge a card for the seat to play, or of a bare hand."""
    if body.state is not None:
        return _judge_in_state(body, body.state)
    if body.seat is not None:
        fault = Fault("fields_contradict", ("seat",), "A bare hand has no seat; leave `seat` out.")
        raise refuse_faults((fault,))
    held = read_bare(body)
    return write_bare(held, bare.judge(held, body.card))


def _judge_in_state(body: VerdictQuestion, described: StateOrNotation) -> Verdict:
    state = admit_without_hand_fields(described, body)
    try:
        verdict = play.judge(state, NUMBER[body.card])
    except NotPlaying as exc:
        raise refuse_state(exc, described) from exc
    except HandNotSeen as exc:
        _require_turn(body, exc.seat)
        raise refuse_state(exc, described, path=("hands", exc.seat)) from exc
    _require_turn(body, verdict.seat)
    return write_verdict(state, verdict)


def _require_turn(body: VerdictQuestion, turn: Seat) -> None:
    """Refuse a question that names a seat other than the one to play.

    Errors: Refusal.
    """
    if body.seat is not None and body.seat != turn:
        raise refuse_turn(turn, body.seat, "seat")
