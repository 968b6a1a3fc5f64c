"""POST /v1/legal-moves: the legal cards, with a verdict on every card of the hand."""

from typing import Annotated

from msgspec import Meta, Struct

from service.api.questions.hand import HandQuestion, admit_without_hand_fields, read_bare, write_bare
from service.game.faults import HandNotSeen, NotPlaying
from service.game.rules import bare, play
from service.game.rulesets import Seat
from service.game.state import State
from service.http.operation import ADMIT_PROBLEMS, LOOK_UP_PROBLEMS, look_up, question
from service.schemas.described_state import StateOrNotation, admit_described, refuse_state
from service.schemas.scalars import Cards
from service.schemas.verdict import Verdict, write_verdicts


class LegalMoves(Struct, frozen=True, gc=False):
    """The seat to play, its legal cards, and a verdict on every card of its hand."""

    turn: Annotated[
        Seat | None, Meta(description="The seat to play; null when none is, and for a bare hand, which has no seat.")
    ]
    legal_cards: Annotated[
        Cards,
        Meta(
            description="The cards that the seat may play, in the order of its hand, without those that are "
            "`undecided`; [] when none is to play."
        ),
    ]
    verdicts: Annotated[tuple[Verdict, ...], Meta(description="A verdict on each card of its hand, in its order.")]


@question(
    "/v1/legal-moves",
    operation_id="legal_moves",
    summary="List the legal cards, with a verdict on every card of the hand",
    description="The question is about a `state` or about a bare hand, as in /v1/verdicts. When the deal is over, "
    "no seat is to play: `turn` is null and both lists are empty.",
    response_description="The legal cards, and a verdict on every card of the hand.",
    problems=(*ADMIT_PROBLEMS, "impossible_request", "hand_not_seen"),
)
def list_legal_moves(body: HandQuestion) -> LegalMoves:
    """Judge every card in the hand of the seat to play, or in a bare hand."""
    if body.state is not None:
        return _judge_hand(admit_without_hand_fields(body.state, body), body.state, "state")
    held = read_bare(body)
    return _write_moves(None, tuple([write_bare(held, verdict) for verdict in bare.judge_all(held)]))


@look_up(
    "/v1/legal-moves/{notation}",
    operation_id="get_legal_moves",
    summary="List the legal cards in the position of a notation, with a verdict on every card of the hand",
    description="The same answer as to POST, from a URL that caches, browsers and CDNs can keep.",
    response_description="The legal cards, and a verdict on every card of the hand.",
    problems=(*LOOK_UP_PROBLEMS, "hand_not_seen"),
)
def get_legal_moves(notation: str) -> LegalMoves:
    """Judge every card in the hand of the seat to play in the position of the notation in the path."""
    return _judge_hand(admit_described(notation, "notation"), notation, "notation")


def _judge_hand(state: State, described: StateOrNotation, field: str) -> LegalMoves:
    try:
        verdicts = play.judge_all(state)
    except NotPlaying:
        return LegalMoves(None, (), ())
    except HandNotSeen as exc:
        raise refuse_state(exc, described, field, ("hands", exc.seat)) from exc
    return _write_moves(state.seat_to_play, write_verdicts(state, verdicts))


def _write_moves(turn: Seat | None, verdicts: tuple[Verdict, ...]) -> LegalMoves:
    legal: Cards = tuple([verdict.card for verdict in verdicts if verdict.legal and not verdict.undecided])
    return LegalMoves(turn, legal, verdicts)
