"""The state in a request, an object or a notation: its admission or refusal."""

from typing import Annotated, TypeAlias

from msgspec import Meta

from service.game.faults import HandNotSeen, Impossible, MalformedNotation, NoNextDeal, NotPlaying, Path
from service.game.notation.columns import column_of
from service.game.notation.position import Notation, read_position
from service.game.rules import admission, game
from service.game.state import Claim, State
from service.schemas.faults import Error, pointer
from service.schemas.refusal import Refusal, refuse, refuse_malformed

StateOrNotation: TypeAlias = Annotated[
    Claim | Notation, Meta(title="StateOrNotation", description="A state, or its notation.")
]
"""The forms in which a request takes a state."""


def read_state(described: StateOrNotation) -> State:
    """Return the possible state that an object or a notation describes.

    Errors: MalformedNotation; Impossible, with every fault found, paths starting at the state.
    """
    if isinstance(described, str):
        return read_position(described)
    return admission.admit(described)


def admit_described(described: StateOrNotation, field: str = "state") -> State:
    """Admit the state that a field of the request holds.

    Errors: Refusal, with every fault found.
    """
    try:
        return read_state(described)
    except (Impossible, MalformedNotation) as exc:
        raise refuse_state(exc, described, field) from exc


def require_playing(state: State, described: StateOrNotation, field: str = "state") -> None:
    """Refuse a state whose deal is over.

    Errors: Refusal.
    """
    try:
        game.require_playing(state)
    except NotPlaying as exc:
        raise refuse_state(exc, described, field) from exc


def refuse_state(
    exc: HandNotSeen | Impossible | MalformedNotation | NoNextDeal | NotPlaying,
    described: StateOrNotation,
    field: str = "state",
    path: Path = (),
) -> Refusal:
    """Refuse the state of a field, or the part of it to which a path leads."""
    if isinstance(exc, MalformedNotation):
        return refuse_malformed(exc, field)
    if not isinstance(described, str):
        return refuse(exc, field, *path)
    refusal = refuse(exc, field)
    paths = [fault.path for fault in exc.faults] if isinstance(exc, Impossible) else [path]
    errors = [
        Error(pointer(field), error.code, error.detail, column_of(described, at))
        for error, at in zip(refusal.errors, paths, strict=True)
    ]
    return Refusal(refusal.code, refusal.detail, tuple(errors))
