"""POST /v1/diagnoses: the faults of a state."""

from typing import Annotated, Final

from msgspec import Meta, Struct

from service.api.questions.state import StateQuestion
from service.game.faults import Impossible, MalformedNotation
from service.http.operation import READ_PROBLEMS, question
from service.schemas.described_state import read_state, refuse_state
from service.schemas.faults import StateError


class Diagnosis(Struct, frozen=True, gc=False):
    """The faults found in a state; none if it is possible."""

    possible: Annotated[bool, Meta(description="True if no fault was found.")]
    faults: Annotated[tuple[StateError, ...], Meta(description="The faults found.")]


_SOUND: Final = Diagnosis(possible=True, faults=())


@question(
    "/v1/diagnoses",
    operation_id="diagnoses",
    tag="Reasoning",
    summary="List the faults of a state",
    over_http="The status is 200 for every well-formed state.",
    description="Every other question refuses an impossible state with "
    "this list, of 100 faults at most. It checks the ruleset and the sides, the place of every card, the sizes of "
    "hands and of the cards taken, the leader, the turn-up, the legality of the current trick, a revoke, that no side "
    "had won before, and last, if nothing else is wrong, whether the hidden hands can be filled: with as many cards as "
    "they have, the turn-up and the strip in their places, each card of the current trick legal and a revoke illegal. "
    "The turn-up, the current trick, a revoke, and whether the game was over already are checked only once all sizes "
    "are right. It never checks how the earlier tricks were played, or whether these points can be made in this number "
    "of deals.",
    response_description="The faults found; none if the state is possible as far as it is examined.",
    problems=(*READ_PROBLEMS, "malformed_notation"),
)
def diagnose_state(body: StateQuestion) -> Diagnosis:
    """List the faults of a state."""
    try:
        read_state(body.state)
    except MalformedNotation as exc:
        raise refuse_state(exc, body.state) from exc
    except Impossible as exc:
        faults = zip(exc.faults, refuse_state(exc, body.state).errors, strict=True)
        errors = [StateError(error.pointer, fault.code, fault.detail, error.column) for fault, error in faults]
        return Diagnosis(possible=False, faults=tuple(errors))
    return _SOUND
