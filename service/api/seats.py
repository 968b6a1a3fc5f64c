"""The operations on one seat of a live game, under /v1/games/{id}/seats/{seat}."""

from typing import Annotated, Final

from litestar import HttpMethod
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from msgspec import Meta, Struct

from service.api.games import GAMES, SEE, GameCall, Token, live
from service.games.seating import Seating
from service.http.response import Versioned
from service.revision import Version
from service.rulesets import Seat


class RenewedToken(Struct, frozen=True):
    """The new token of a seat, which is shown only this once."""

    version: Annotated[Version, Meta(description="The version after the change.")]
    seat: Annotated[Seat, Meta(description="The seat.")]
    token: Annotated[Token, Meta(description="Its new token; the old one is void.")]


SEAT: Final = GAMES + "/{game_id:str}/seats/{seat:str}"


@live(
    f"{SEAT}/tokens",
    http_method=HttpMethod.POST,
    operation_id="renew_token",
    summary="Renew the token of a seat",
    description="Gives the seat a new token; the old one is void at once, and its event streams end with this change. "
    "So an invited player makes the seat their own, and a lost token is replaced. Needs the token of the seat or of "
    "the host. With an `Idempotency-Key` the same caller can repeat the request with the same token, and gets the same "
    "answer, until the seat has a newer token.",
    response_description="The new token, which is shown only this once.",
    status_code=201,
    bearer="required",
    accepts=("Idempotency-Key",),
    sends=("ETag",),
    problems=(*SEE, "bad_idempotency_key", "token_missing", "wrong_token", "store_full"),
)
async def renew_token(call: GameCall, seating: NamedDependency[Seating]) -> Versioned[RenewedToken]:
    """Renew the token of a seat."""
    made = await seating.renew_token(call.game, call.seat, call.token, call.caller, call.idempotency_key)
    answer = RenewedToken(made.revision.version, call.seat, made.token)
    return Versioned(answer, made.revision, repeated=made.repeated)


HANDLERS: Final[tuple[HTTPRouteHandler, ...]] = (renew_token,)
