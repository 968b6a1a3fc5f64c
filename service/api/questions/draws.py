"""POST /v1/draws: the cards drawn for the first deal."""

from secrets import token_hex
from typing import Annotated

from litestar.params import JSONBody
from msgspec import Meta, Struct

from service.fairness import shuffle
from service.http.operation import READ, question
from service.rulesets import Players, Seat
from service.state import Seed
from service.wire.draw import DrawnCard, write_rounds


class DrawQuestion(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Who deals first?"""

    players: Players
    seed: Annotated[Seed | None, Meta(description="Left out, one is drawn from a secure source.")] = None


class Draw(Struct, frozen=True, gc=False):
    """The cards drawn, round by round: all seats first, then those that tied; and who deals."""

    dealer: Seat
    rounds: tuple[tuple[DrawnCard, ...], ...]
    seed: Seed


@question(
    "/v1/draws",
    operation_id="draws",
    summary="Draw cards for the first deal",
    description="The highest card deals, aces high; seats that tie for it draw again.",
    response_description="The cards drawn, and who deals.",
    problems=READ,
)
def draw_dealer(data: JSONBody[DrawQuestion]) -> Draw:
    """Draw cards for the first deal."""
    seed = data.seed or token_hex(16)
    rounds, dealer = shuffle.draw(data.players, seed)
    return Draw(dealer, write_rounds(rounds), seed)
