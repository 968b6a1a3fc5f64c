"""The state of a question, the view of a seat, and the plays that led to it."""

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from service.game.cards import NUMBER, Card
from service.game.faults import Fault, HandNotSeen
from service.game.rules.past import seats_of
from service.game.rules.record import MAX_PLAYS, RecordedPlay
from service.game.rules.view import view
from service.game.rulesets import Seat
from service.game.state import State
from service.schemas.described_state import StateOrNotation, admit_described, refuse_state, require_playing
from service.schemas.refusal import refuse_faults, refuse_seat

DealPlays: TypeAlias = Annotated[
    Annotated[tuple[RecordedPlay, ...], Meta(max_length=MAX_PLAYS)] | None,
    Meta(
        description="Every play of this deal so far, in order, as in a record, the current trick included. With it "
        "the hidden hands fit all that was played: who did not follow suit is void. If left out, they fit only what "
        "the state shows.",
    ),
]


class StateQuestion(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A question about a state."""

    state: Annotated[StateOrNotation, Meta(description="The state in question.")]


def admit_for_seat(described: StateOrNotation, seat: Seat | None) -> State:
    """Admit the state that the request's seat, or a spectator (None), looks at.

    Errors: Refusal, also for a seat that the table does not have.
    """
    state = admit_described(described)
    if seat is not None and seat >= state.table.players:
        raise refuse_seat("seat", seat, state.table.players)
    return state


def view_own_hand(state: State, seat: Seat, described: StateOrNotation, field: str = "state") -> State:
    """Return a seat's view of a state in play, including its own hand.

    Errors: Refusal, if the deal is over, or the hand of the seat is not shown.
    """
    require_playing(state, described, field)
    if state.hands[seat] < 0:
        raise refuse_state(HandNotSeen(seat), described, field, ("hands", seat))
    return view(state, seat)


def read_plays(state: State, plays: tuple[RecordedPlay, ...] | None) -> tuple[Card, ...]:
    """Return the cards played in the deal so far; none if the field is absent.

    Errors: Refusal, if a play is out of turn, or the list is empty although cards were played.
    """
    if plays is None:
        return ()
    if not plays and (state.trick or any(state.taken)):
        detail = "Cards were played in this state: send all plays of the deal, or leave `plays` out."
        raise refuse_faults((Fault("plays_do_not_fit", ("plays",), detail),))
    played = tuple([NUMBER[made.card] for made in plays])
    for at, (made, seat) in enumerate(zip(plays, seats_of(state, played), strict=True)):
        if made.seat != seat:
            detail = f"Seat {made.seat} played {made.card}; it was seat {seat}'s turn."
            raise refuse_faults((Fault("plays_do_not_fit", ("plays", at, "seat"), detail),))
    return played
