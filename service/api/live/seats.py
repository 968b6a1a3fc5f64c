"""The operations on one seat of a live game, under /v1/games/{id}/seats/{seat}."""

from secrets import token_bytes, token_hex
from typing import Annotated, Final, cast

from litestar import HttpMethod
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody
from msgspec import Meta, Struct

from service.api.live.games import GAMES, SEE, GameCall, Games, Token, live
from service.games.decisions import decide_computer, decide_renewal
from service.games.entries import TokenEntry
from service.games.opening import require_key
from service.games.tokens import derive_token, hash_request, hash_token, seat_of
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


SALT_BYTES: Final = 16
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
async def renew_token(call: GameCall, games: Games) -> Versioned[RenewedToken]:
    """Renew the token of a seat."""
    sent, key, salt = call.token or "", call.idempotency_key, token_bytes(SALT_BYTES)
    request = b"" if key is None else hash_request(call.caller, sent, require_key(key))
    secret = key or token_hex(32)
    fresh = TokenEntry(call.seat, hash_token(derive_token(sent, secret, salt)), request, salt)
    made = await games.change(call, lambda game: decide_renewal(game, call.token, fresh, games.clock()))
    entry, revision = cast("TokenEntry", made.step.entry), made.step.game.revision
    token = derive_token(sent, secret, entry.salt)  # of a repeated request, the one that it got the first time
    return Versioned(RenewedToken(revision.version, call.seat, token), revision, repeated=made.repeated)


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
async def seat_computer(data: JSONBody[SeatedComputer], call: GameCall, games: Games) -> Versioned[LiveGame]:
    """Let the computer play a seat."""
    return await _change_player(call, games, data.level)


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
async def take_seat_back(call: GameCall, games: Games) -> Versioned[LiveGame]:
    """Take a seat back from the computer."""
    return await _change_player(call, games, None)


async def _change_player(call: GameCall, games: Games, level: PlayerLevel | None) -> Versioned[LiveGame]:
    """Let the computer play the seat, or, with None as the level, a person."""
    made = await games.change(call, lambda game: decide_computer(game, call.token, call.seat, level, games.clock()))
    game = made.step.game
    return Versioned(view_game(call.game, game, seat_of(made.role)), game.revision)


HANDLERS: Final[tuple[HTTPRouteHandler, ...]] = (renew_token, seat_computer, take_seat_back)
