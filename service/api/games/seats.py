"""The operations on one seat of a live game, under /v1/games/{id}/seats/{seat}."""

from secrets import token_bytes, token_hex
from typing import Annotated, Final, cast

from msgspec import Meta, Struct
from msgspec.structs import asdict

from service.api.games.game_request import GameRequest
from service.api.games.games import (
    CHANGE,
    CHANGE_WITHOUT_BODY,
    GAMES_PATH,
    ShownToken,
    live,
    show_change,
    versioned_write,
)
from service.api.games.live_games import LiveGames
from service.game.names import find_name_faults
from service.game.rulesets import Seat
from service.http.operation import Operation
from service.http.parameters import IDEMPOTENCY_KEY
from service.http.response import Versioned
from service.live.decisions import decide_computer, decide_renewal
from service.live.entries import ComputerEntry, TokenEntry
from service.live.opening import require_key
from service.live.tokens import derive_again, derive_token, hash_request, hash_token, seat_of
from service.live.views import view_change
from service.schemas.ids import Key, Salt, Token
from service.schemas.live_game import Change
from service.schemas.refusal import refuse_faults
from service.schemas.scalars import PlayerLevel, PlayerName


class NewToken(Struct, frozen=True, forbid_unknown_fields=True):
    """A request for a new token of a seat, and who takes the seat with it."""

    name: Annotated[
        PlayerName | None, Meta(description="The name of who takes the seat; if left out, the seat keeps its name.")
    ] = None


class RenewedToken(Change, frozen=True):
    """The change that gives a seat a new token; the token is shown only once."""

    seat: Annotated[Seat, Meta(description="The seat.")]
    token: Annotated[ShownToken, Meta(description="Its new token; the old one is void.")]


class SeatedComputer(Struct, frozen=True, forbid_unknown_fields=True):
    """The level of a computer for a seat."""

    level: Annotated[PlayerLevel, Meta(description="How well it is to play.")]


SALT_BYTES: Final = 16
SEAT: Final = GAMES_PATH + "/{game_id}/seats/{seat}"


@live(
    f"{SEAT}/tokens",
    method="POST",
    optional_body=True,
    operation_id="renew_token",
    tag="Seats",
    summary="Renew the token of a seat",
    description="Gives the seat a new token; the old one is void at once, and its event streams end with this change. "
    "So an invited player makes the seat their own, under a `name` if they like, and a lost token is replaced. Needs "
    "the token of the seat or of the host. While the computer plays a seat without a name, its first token still takes "
    "it under a `name`, for a late guest. With an `Idempotency-Key` the request can be repeated with the same token, "
    "from any address, and gets the same answer, until the seat has a newer token.",
    response_description="The change, and the new token, which is shown only this once.",
    bearer="required",
    optional_parameters=(IDEMPOTENCY_KEY,),
    response_headers=("ETag",),
    problems=(
        *CHANGE,
        "not_found",
        "bad_idempotency_key",
        "idempotency_key_reused",
        "impossible_request",
        "too_many_changes",
    ),
)
async def renew_token(body: NewToken, request: GameRequest, *, games: LiveGames) -> Versioned[RenewedToken]:
    """Renew the token of a seat."""
    if faults := tuple(find_name_faults(body.name)):
        raise refuse_faults(faults)
    sent, key, salt = request.token or Token(""), request.idempotency_key, Salt(token_bytes(SALT_BYTES))
    hashed = b"" if key is None else hash_request(request.caller, sent, require_key(key))
    secret = key or Key(token_hex(32))
    fresh = TokenEntry(request.seat, hash_token(derive_token(sent, secret, salt)), hashed, salt, body.name)
    applied = await games.change(
        request, lambda game: decide_renewal(game, request.token, secret, fresh, games.clock())
    )
    # A repeated request finds the first entry.
    token = cast("Token", derive_again(sent, secret, cast("TokenEntry", applied.step.entry)))
    change, revision = view_change(applied.step, seat_of(applied.role)), applied.step.game.revision
    return Versioned(
        RenewedToken(**asdict(change), seat=request.seat, token=token), revision, repeated=applied.repeated
    )


@versioned_write(
    f"{SEAT}/computer",
    method="PUT",
    operation_id="seat_computer",
    tag="Seats",
    summary="Let the computer play a seat",
    description="The computer plays the seat from now on. As dealer it deals after three seconds; the first deal of "
    "several people after fifteen, so that they can change seats. It knows no more than the seat may see. Needs the "
    "token of the seat or of the host and, in `If-Match`, the version seen. Another seat's token does too, at "
    "`medium`, once the seat is away: two minutes after its last stream ended and it last read the game or its changes "
    "or, if it did neither, once the game has waited two minutes for it. At least one seat is left to a person. The "
    "answer to a repetition has no events.",
    response_description="The computer plays the seat.",
    problems=(*CHANGE, "not_found", "impossible_request", "not_away", "too_many_changes"),
)
async def seat_computer(body: SeatedComputer, request: GameRequest, *, games: LiveGames) -> Versioned[Change]:
    """Let the computer play a seat."""
    return await _change_player(request, games, body.level, await games.find_absence(request))


@versioned_write(
    f"{SEAT}/computer",
    method="DELETE",
    operation_id="take_seat_back",
    tag="Seats",
    summary="Take a seat back from the computer",
    description="A person plays the seat from now on. Needs the token of the seat or of the host and, in `If-Match`, "
    "the version that was seen. Where a person plays it already, the answer has no events.",
    response_description="A person plays the seat.",
    problems=(*CHANGE_WITHOUT_BODY, "not_found", "too_many_changes"),
)
async def take_seat_back(request: GameRequest, *, games: LiveGames) -> Versioned[Change]:
    """Take a seat back from the computer."""
    return await _change_player(request, games, None)


async def _change_player(
    request: GameRequest, games: LiveGames, level: PlayerLevel | None, absence: float | None = None
) -> Versioned[Change]:
    """Let the computer play the seat or, with None as the level, a person."""
    token, version, entry = request.token, request.version, ComputerEntry(request.seat, level)
    return show_change(
        await games.change(request, lambda game: decide_computer(game, token, version, entry, games.clock(), absence))
    )


HANDLERS: Final[tuple[Operation, ...]] = (renew_token, seat_computer, take_seat_back)
