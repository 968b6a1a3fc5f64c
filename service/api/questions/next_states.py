"""POST /v1/next-states: cards played, in order."""

from typing import Annotated

from msgspec import Meta, Struct

from service.game.cards import NUMBER, Code
from service.game.faults import HandNotSeen, NoRevokePenalty, NotPlaying
from service.game.rules import play
from service.http.operation import ADMIT_PROBLEMS, question
from service.schemas.described_state import StateOrNotation, admit_described
from service.schemas.events import Event, write_events
from service.schemas.position import Position, write_position
from service.schemas.refusal import refuse


class NextStateQuestion(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A state, and the cards to play, in order."""

    state: Annotated[StateOrNotation, Meta(description="The state in which the cards are played.")]
    cards: Annotated[tuple[Code, ...], Meta(min_length=1, max_length=36, description="The cards to play, in order.")]
    on_revoke: Annotated[
        play.OnRevoke,
        Meta(description="Refuse a revoke, or let it stand and penalise it."),
    ] = "refuse"
    unseen: Annotated[
        play.OnUnseen,
        Meta(
            description="A card of a hidden hand that is legal for some cards of the hand, and not for others: refuse "
            "it (`hand_not_seen`), or take it as held and legal, to follow a game in a view."
        ),
    ] = "refuse"


class NextState(Struct, frozen=True, gc=False):
    """The position after the cards, and the events on the way."""

    position: Annotated[Position, Meta(description="The position after the last card.")]
    events: Annotated[tuple[Event, ...], Meta(description="What happened on the way, in order.")]


@question(
    "/v1/next-states",
    operation_id="next_states",
    summary="Play cards",
    description="Plays one or more cards in order, each for the seat whose turn it is. If one is refused, none is "
    "played, and the problem has its verdict. With `on_revoke: penalise` a revoke stands, and ends the deal or the "
    "game. With `unseen: as_held` a game can be followed card by card in the view of a seat or of a spectator: a card "
    "that a hidden hand can hold is taken as held, and as legal if it can be; hidden hands that are taken up stay "
    "numbers. Each card is judged in the state that the one before left: what a trick showed of a hand counts until it "
    "is taken.",
    response_description="The position after the cards, and what happened on the way.",
    problems=(*ADMIT_PROBLEMS, "hand_not_seen", "deal_over", "game_over", "illegal_play", "no_revoke_penalty"),
)
def play_cards(body: NextStateQuestion) -> NextState:
    """Play cards in order, each for the seat whose turn it is."""
    state = admit_described(body.state)
    events: list[Event] = []
    for at, code in enumerate(body.cards):
        try:
            played = play.play(state, NUMBER[code], body.on_revoke, body.unseen)
        except (play.IllegalPlay, NotPlaying, HandNotSeen, NoRevokePenalty) as exc:
            raise refuse(exc, "cards", at) from exc
        events += write_events(state, played)
        state = played.state
    return NextState(write_position(state), tuple(events))
