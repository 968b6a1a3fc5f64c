"""POST /v1/draws: cards drawn for the first dealer."""

from secrets import token_hex
from typing import Annotated

from msgspec import Meta, Struct

from service.game.fairness import shuffle
from service.game.rulesets import Players, Seat
from service.game.state import Seed
from service.http.operation import READ_PROBLEMS, question
from service.schemas.draw import DrawnCard, write_rounds


class DrawQuestion(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A draw for the first dealer."""

    players: Annotated[Players, Meta(description="The number of players who draw.")]
    seed: Annotated[Seed | None, Meta(description="If left out, one is drawn from a secure source.")] = None


class Draw(Struct, frozen=True, gc=False):
    """The first dealer, and the cards drawn, round by round: by all seats first, then by those that tied."""

    dealer: Annotated[Seat, Meta(description="The seat that deals first: the one that drew the highest card.")]
    rounds: Annotated[
        tuple[tuple[DrawnCard, ...], ...],
        Meta(description="The cards drawn, round by round: by all seats first, then by those that tied."),
    ]
    seed: Annotated[Seed, Meta(description="The seed that repeats the draw.")]


@question(
    "/v1/draws",
    operation_id="draws",
    summary="Draw cards for the first dealer",
    description="The seat with the highest card deals, aces high; seats that tie for it draw again.",
    public=False,
    response_description="The cards drawn, and the dealer.",
    problems=READ_PROBLEMS,
)
def draw_dealer(body: DrawQuestion) -> Draw:
    """Draw cards for the first dealer."""
    seed = body.seed or token_hex(16)
    rounds, dealer = shuffle.draw(body.players, seed)
    return Draw(dealer, write_rounds(rounds), seed)
