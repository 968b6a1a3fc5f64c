"""What all questions about a state share: its body, and the admission of the state."""

from msgspec import Struct

from service.faults import Impossible
from service.rules import admission
from service.state import Claim, State
from service.wire.refusal import refuse


class StateQuestion(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A question about a state."""

    state: Claim


def admit(claim: Claim, field: str = "state") -> State:
    """Admit the state that a field of the request holds.

    Errors: Refusal, with every fault found.
    """
    try:
        return admission.admit(claim)
    except Impossible as exc:
        raise refuse(exc, field) from exc
