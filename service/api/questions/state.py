"""The state that a question is about, as an object or as a notation, the plays that led to it, and their admission."""

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from service.game.cards import NUMBER, Card
from service.game.faults import Fault, HandNotSeen, Impossible, MalformedNotation, NoNextDeal, NotPlaying, Path
from service.game.notation.columns import column_of
from service.game.notation.position import Notation, read_position, rules_in
from service.game.rules import admission, game
from service.game.rules.past import seats_of
from service.game.rules.record import MAX_PLAYS, RecordedPlay
from service.game.rules.view import view
from service.game.rulesets import Rules, Seat
from service.game.state import Claim, State
from service.schemas.faults import Error, pointer
from service.schemas.refusal import Refusal, refuse, refuse_faults, refuse_malformed, refuse_seat

StateOrNotation: TypeAlias = Claim | Notation
"""The forms in which a question takes a state."""
DealPlays: TypeAlias = Annotated[
    tuple[RecordedPlay, ...],
    Meta(
        max_length=MAX_PLAYS,
        description="Every play of this deal so far, in order, as in a record, the current trick included. With it "
        "the hidden hands fit all that was played: who did not follow suit is void. If left out, they fit only what "
        "the state shows.",
    ),
]


class StateQuestion(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A question about a state."""

    state: Annotated[StateOrNotation, Meta(description="The state in question.")]


def read_state(described: StateOrNotation) -> State:
    """Return the sound state that an object or a notation describes.

    Errors: MalformedNotation; Impossible, with every fault found, paths starting at the state.
    """
    if isinstance(described, str):
        return read_position(described)
    return admission.admit(described)


def admit(described: StateOrNotation, field: str = "state") -> State:
    """Admit the state that a field of the request holds.

    Errors: Refusal, with every fault found.
    """
    try:
        return read_state(described)
    except (Impossible, MalformedNotation) as exc:
        raise refuse_state(exc, described, field) from exc


def admit_seen(described: StateOrNotation, seat: Seat | None) -> State:
    """Admit the state at which the seat of a request looks, or a spectator (None).

    Errors: Refusal, also for a seat that the table does not have.
    """
    state = admit(described)
    if seat is not None and seat >= state.table.players:
        raise refuse_seat("seat", seat, state.table.players)
    return state


def require_playing(state: State, described: StateOrNotation, field: str = "state") -> None:
    """Refuse a state whose deal is over.

    Errors: Refusal.
    """
    try:
        game.require_playing(state)
    except NotPlaying as exc:
        raise refuse_state(exc, described, field) from exc


def view_own_hand(state: State, seat: Seat, described: StateOrNotation, field: str = "state") -> State:
    """Return what a seat sees of a state in play, its own hand in particular.

    Errors: Refusal, if the deal is over, or the hand of the seat is not shown.
    """
    require_playing(state, described, field)
    if state.hands[seat] < 0:
        raise refuse_state(HandNotSeen(seat), described, field, ("hands", seat))
    return view(state, seat)


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


def rules_of(described: StateOrNotation) -> Rules:
    """Return the rules of a state that was admitted."""
    return rules_in(described) if isinstance(described, str) else described.rules


def read_plays(state: State, plays: tuple[RecordedPlay, ...]) -> tuple[Card, ...]:
    """Return the cards that were played in the deal so far.

    Errors: Refusal, if another seat was to play one of them.
    """
    played = tuple([NUMBER[made.card] for made in plays])
    for at, (made, seat) in enumerate(zip(plays, seats_of(state, played), strict=True)):
        if made.seat != seat:
            detail = f"Seat {made.seat} played {made.card}; it was seat {seat}'s turn."
            raise refuse_faults((Fault("plays_do_not_fit", ("plays", at, "seat"), detail),))
    return played
