"""POST /v1/diagnoses: every fault of a state."""

from typing import Final

from litestar.params import JSONBody
from msgspec import Struct

from service.api.questions.state import StateQuestion
from service.http.operation import READ, question
from service.rules import admission
from service.wire.faults import StateError, pointer


class Diagnosis(Struct, frozen=True, gc=False):
    """Every fault of a state; none for one that can be."""

    possible: bool
    faults: tuple[StateError, ...]


_SOUND: Final = Diagnosis(possible=True, faults=())


@question(
    "/v1/diagnoses",
    operation_id="diagnoses",
    summary="List every fault of a state",
    description="Always 200 for a well-formed state. Every other question refuses an impossible state with this list. "
    "Looked at: the ruleset and the sides, every card's place, the sizes of hands and piles, the leader, the turn-up, "
    "the legality of the current trick, a revoke, and that no side had won before. Not looked at: how earlier tricks "
    "were played, and what several hands that are not seen could hold only together.",
    response_description="Every fault of the state; none for one that can be.",
    problems=READ,
)
def diagnose_state(data: JSONBody[StateQuestion]) -> Diagnosis:
    """List every fault of a state."""
    faults = admission.faults(data.state)
    if not faults:
        return _SOUND
    errors = tuple(StateError(pointer("state", *fault.path), fault.code, fault.detail) for fault in faults)
    return Diagnosis(possible=False, faults=errors)
