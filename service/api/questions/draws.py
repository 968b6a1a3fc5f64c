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
    order: Annotated[
        bool, Meta(description="True to draw until all seats are in order, as for partners, not only the dealer.")
    ] = False


class Draw(Struct, frozen=True, gc=False):
    """The first dealer, or the order of all seats, and the cards drawn, round by round."""

    dealer: Annotated[Seat, Meta(description="The seat that deals first: the one that drew the highest card.")]
    rounds: Annotated[
        tuple[tuple[DrawnCard, ...], ...],
        Meta(description="The cards drawn, round by round: by all seats first, then by those that tied."),
    ]
    seed: Annotated[Seed, Meta(description="The seed that repeats the draw.")]
    order: Annotated[
        tuple[Seat, ...] | None,
        Meta(description="The seats, the highest card first; null without `order`."),
    ]


@question(
    "/v1/draws",
    operation_id="draws",
    summary="Draw cards for the first dealer, or for partners",
    description="The seat with the highest card deals, aces high; seats that tie for it draw again. With `order`, all "
    "seats that tie draw again, the highest first: the highest cards are partners. "
    "The seed of a live game's draw for seats, which PROOFS.md derives from its proof, gives the same cards.",
    public=False,
    response_description="The cards drawn, and the dealer.",
    problems=READ_PROBLEMS,
)
def draw_dealer(body: DrawQuestion) -> Draw:
    """Draw cards for the first dealer, or for the order of all seats."""
    seed = body.seed or token_hex(16)
    if body.order:
        rounds, order = shuffle.draw_order(body.players, seed)
        return Draw(order[0], write_rounds(rounds), seed, tuple(order))
    rounds, dealer = shuffle.draw(body.players, seed)
    return Draw(dealer, write_rounds(rounds), seed, None)
