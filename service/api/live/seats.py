"""The operations on one seat of a live game, under /v1/games/{id}/seats/{seat}."""

from typing import Annotated, Final

from litestar import HttpMethod
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody
from msgspec import Meta, Struct

from service.api.live.games import GAMES, SEE, GameCall, Token, live
from service.games.log import Game
from service.games.seating import Seating
from service.games.tokens import Bearer, seat_of
from service.games.views import LiveGame, view_game
from service.http.operation import READ
from service.http.response import Versioned
from service.revision import Version
from service.rulesets import Seat
from service.wire.scalars import PlayerLevel


class RenewedToken(Struct, frozen=True):
    """The new token of a seat, which is shown only this once."""

    version: Annotated[Version, Meta(description="The version after the change.")]
    seat: Annotated[Seat, Meta(description="The seat.")]
    token: Annotated[Token, Meta(description="Its new token; the old one is void.")]


class SeatedComputer(Struct, frozen=True, forbid_unknown_fields=True):
    """A computer that is to play a seat."""

    level: Annotated[PlayerLevel, Meta(description="How well it is to play.")]


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
    problems=(*SEE, "bad_idempotency_key", "token_missing", "wrong_token", "too_many_changes", "store_full"),
)
async def renew_token(call: GameCall, seating: NamedDependency[Seating]) -> Versioned[RenewedToken]:
    """Renew the token of a seat."""
    made = await seating.renew_token(call.game, call.seat, call.token, call.caller, call.idempotency_key)
    answer = RenewedToken(made.revision.version, call.seat, made.token)
    return Versioned(answer, made.revision, repeated=made.repeated)


@live(
    f"{SEAT}/computer",
    http_method=HttpMethod.PUT,
    operation_id="seat_computer",
    summary="Let the computer play a seat",
    description="The computer plays the seat from now on, and deals where it is the dealer, three seconds after the "
    "last change. It knows no more than the seat may see. Needs the token of the seat or of the host. At least one "
    "seat is left to a person.",
    response_description="The game, with the computer at the seat.",
    status_code=200,
    bearer="required",
    sends=("ETag",),
    problems=(*READ, *SEE[4:], "token_missing", "wrong_token", "impossible_request", "too_many_changes", "store_full"),
)
async def seat_computer(
    data: JSONBody[SeatedComputer], call: GameCall, seating: NamedDependency[Seating]
) -> Versioned[LiveGame]:
    """Let the computer play a seat."""
    return _show(call.game, *await seating.seat_computer(call.game, call.seat, call.token, data.level))


@live(
    f"{SEAT}/computer",
    http_method=HttpMethod.DELETE,
    operation_id="take_seat_back",
    summary="Take a seat back from the computer",
    description="A person plays the seat from now on. Needs the token of the seat or of the host.",
    response_description="The game, with a person at the seat.",
    status_code=200,
    bearer="required",
    sends=("ETag",),
    problems=(*SEE, "token_missing", "wrong_token", "too_many_changes", "store_full"),
)
async def take_seat_back(call: GameCall, seating: NamedDependency[Seating]) -> Versioned[LiveGame]:
    """Take a seat back from the computer."""
    return _show(call.game, *await seating.seat_computer(call.game, call.seat, call.token, None))


def _show(game_id: str, game: Game, bearer: Bearer) -> Versioned[LiveGame]:
    return Versioned(view_game(game_id, game, seat_of(bearer)), game.revision)


HANDLERS: Final[tuple[HTTPRouteHandler, ...]] = (renew_token, seat_computer, take_seat_back)
