"""POST /v1/views: the state as one seat may see it."""

from litestar.params import JSONBody
from msgspec import Struct

from service.api.questions.state import admit
from service.http.operation import ADMIT, question
from service.rules import view
from service.rulesets import Seat
from service.state import Claim, describe
from service.wire.refusal import refuse_seat


class ViewQuestion(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What may this seat see? null: a spectator."""

    state: Claim
    seat: Seat | None


class View(Struct, frozen=True, gc=False):
    """The state as a seat may see it."""

    state: Claim


@question(
    "/v1/views",
    operation_id="views",
    summary="Hide what a seat may not see",
    description="The seat's own hand in play stays; other hands and all later hands become numbers. null: a spectator.",
    response_description="The state as the seat may see it.",
    problems=(*ADMIT, "impossible_request"),
)
def show_view(data: JSONBody[ViewQuestion]) -> View:
    """Hide the hands that a seat may not see."""
    state = admit(data.state)
    if data.seat is not None and data.seat >= state.table.players:
        raise refuse_seat("seat", data.seat, state.table.players)
    return View(describe(view.view(state, data.seat)))
