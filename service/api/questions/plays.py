"""The plays of the deal so far, which a question takes to conclude from them what the hidden hands hold."""

from typing import Annotated, TypeAlias

from msgspec import Meta

from service.cards import NUMBER, Card
from service.faults import Fault
from service.players.past import seats_of
from service.rules.record import MAX_PLAYS, RecordedPlay
from service.state import State
from service.wire.refusal import refuse_faults

DealPlays: TypeAlias = Annotated[
    tuple[RecordedPlay, ...],
    Meta(
        max_length=MAX_PLAYS,
        description="Every play of this deal so far, in order, as in a record, the current trick included. With it "
        "the hidden hands fit all that was played: who did not follow suit is void. If left out, they fit only what "
        "the state shows.",
    ),
]


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
