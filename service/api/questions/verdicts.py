"""POST /v1/verdicts: the verdict on a card."""

from typing import Annotated

from msgspec import Meta, Struct

from service.api.questions.state import StateOrNotation, admit, refuse_state
from service.game.cards import NUMBER, Code
from service.game.faults import HandNotSeen, NotPlaying
from service.game.rules import play
from service.game.rulesets import Seat
from service.http.operation import ADMIT, question
from service.schemas.refusal import refuse_turn
from service.schemas.verdict import Verdict, write_verdict


class VerdictQuestion(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A card to judge. If `seat` is given, it must be the seat to play."""

    state: Annotated[StateOrNotation, Meta(description="The state in which the card would be played.")]
    card: Annotated[Code, Meta(description="The card to judge.")]
    seat: Annotated[
        Seat | None, Meta(description="The seat that would play it; only the seat to play can. If left out, that seat.")
    ] = None


@question(
    "/v1/verdicts",
    operation_id="verdicts",
    summary="Judge a card without playing it",
    description="A dry run: the status is 200 for a legal and for an illegal card alike. If `seat` is given and it is "
    "another seat's turn, the question is refused. The verdict on a card of a hidden hand is given wherever every way "
    "to fill the hidden hands that fits all that is in sight makes the card legal, or every one makes it illegal.",
    response_description="The verdict, for a legal and for an illegal card alike.",
    problems=(*ADMIT, "hand_not_seen", "deal_over", "game_over", "not_your_turn"),
)
def judge_card(body: VerdictQuestion) -> Verdict:
    """Judge a card for the seat to play."""
    state = admit(body.state)
    try:
        verdict = play.judge(state, NUMBER[body.card])
    except NotPlaying as exc:
        raise refuse_state(exc, body.state) from exc
    except HandNotSeen as exc:
        _require_turn(body, exc.seat)
        raise refuse_state(exc, body.state, path=("hands", exc.seat)) from exc
    _require_turn(body, verdict.seat)
    return write_verdict(state, verdict)


def _require_turn(body: VerdictQuestion, turn: Seat) -> None:
    """Refuse a question that names another seat than the one to play.

    Errors: Refusal.
    """
    if body.seat is not None and body.seat != turn:
        raise refuse_turn(turn, body.seat, "seat")
