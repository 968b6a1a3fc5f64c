"""The body that many questions about a state share, and the admission of the state."""

from typing import Annotated

from msgspec import Meta, Struct

from service.faults import Impossible
from service.rules import admission
from service.state import Claim, State
from service.wire.refusal import refuse


class StateQuestion(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A question about a state."""

    state: Annotated[Claim, Meta(description="The state in question.")]


def admit(claim: Claim, field: str = "state") -> State:
    """Admit the state that a field of the request holds.

    Errors: Refusal, with every fault found.
    """
    try:
        return admission.admit(claim)
    except Impossible as exc:
        raise refuse(exc, field) from exc
