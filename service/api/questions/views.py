"""POST /v1/views: the state as one seat may see it."""

from typing import Annotated

from msgspec import Meta, Struct

from service.api.questions.state import admit_for_seat
from service.game.rules import view
from service.game.rulesets import Seat
from service.game.state import Claim, to_claim
from service.http.operation import ADMIT_PROBLEMS, question
from service.schemas.described_state import StateOrNotation


class ViewQuestion(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A state, and the seat that sees it; null for a spectator."""

    state: Annotated[StateOrNotation, Meta(description="The state to look at.")]
    seat: Annotated[Seat | None, Meta(description="The seat that looks; null for a spectator.")]


class View(Struct, frozen=True, gc=False):
    """The state as a seat may see it."""

    state: Annotated[Claim, Meta(description="The state as it may be seen: hands that are not are numbers of cards.")]


@question(
    "/v1/views",
    operation_id="views",
    summary="Hide what a seat may not see",
    description="The seat's own hand in play stays; other hands and all later hands become numbers. For a spectator, "
    "`seat` is null.",
    response_description="The state as the seat may see it.",
    problems=(*ADMIT_PROBLEMS, "impossible_request"),
)
def show_view(body: ViewQuestion) -> View:
    """Hide the hands that a seat may not see."""
    state = admit_for_seat(body.state, body.seat)
    return View(to_claim(view.view(state, body.seat)))
