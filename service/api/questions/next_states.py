"""POST /v1/next-states: play cards, in order."""

from typing import Annotated

from litestar.params import JSONBody
from msgspec import Meta, Struct

from service.api.questions.state import admit
from service.cards import NUMBER, Code
from service.faults import HandNotSeen, NoRevokePenalty, NotPlaying
from service.http.operation import ADMIT, question
from service.rules import play
from service.state import Claim
from service.wire.events import Event, write_events
from service.wire.position import Position, write_position
from service.wire.refusal import refuse


class NextStateQuestion(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What becomes of the state when these cards are played, in order?"""

    state: Claim
    cards: Annotated[tuple[Code, ...], Meta(min_length=1, max_length=36)]
    on_revoke: Annotated[
        play.OnRevoke, Meta(description="Whether an illegal card is refused, or stands and is penalised.")
    ] = "refuse"


class NextState(Struct, frozen=True, gc=False):
    """What became of the state, and what happened on the way."""

    position: Position
    events: tuple[Event, ...]


@question(
    "/v1/next-states",
    operation_id="next_states",
    summary="Play cards",
    description="Plays one or more cards in order, each for the seat whose turn it is. The first card that is refused "
    "refuses them all, with its verdict. `on_revoke: penalise` lets an illegal card stand and ends the deal or the "
    "game.",
    response_description="What became of the state, and what happened on the way.",
    problems=(*ADMIT, "hand_not_seen", "deal_over", "game_over", "illegal_play", "no_revoke_penalty"),
)
def play_cards(data: JSONBody[NextStateQuestion]) -> NextState:
    """Play cards in order, each for the seat whose turn it is."""
    state = admit(data.state)
    events: list[Event] = []
    for at, code in enumerate(data.cards):
        try:
            played = play.play(state, NUMBER[code], data.on_revoke)
        except (play.IllegalPlay, NotPlaying, HandNotSeen, NoRevokePenalty) as exc:
            raise refuse(exc, "cards", at) from exc
        events += write_events(state, played)
        state = played.state
    return NextState(write_position(state), tuple(events))
