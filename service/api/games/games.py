"""The operations on live games under /v1/games; the event stream is in `events`."""

from collections.abc import Sequence
from functools import partial
from secrets import token_hex
from typing import Annotated, Final, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import asdict

from service.api.games.game_request import GameRequest
from service.api.games.live_games import LiveGames, require_token
from service.game.cards import NUMBER, Code
from service.game.notation.record import MEDIA_TYPE, format_record
from service.game.rules.record import Record
from service.game.state import Seed
from service.http.context import GAME
from service.http.operation import BODY_BYTES, READ_PROBLEMS, RECEIVE_PROBLEMS, Operation
from service.http.parameters import IDEMPOTENCY_KEY, IF_MATCH
from service.http.response import TextForm, Versioned
from service.live import log
from service.live.changes import raise_refusal
from service.live.decisions import Applied, decide_deal, decide_entropy, decide_play
from service.live.record import RecordWriter
from service.live.tokens import authorize, seat_of
from service.live.views import list_seats, view_change, view_game
from service.schemas.ids import Token
from service.schemas.live_game import Change, GameSeat, LiveGame
from service.schemas.new_game import NewGame
from service.schemas.refusal import ProblemCode, Refusal
from service.schemas.revision import Version
from service.schemas.scalars import ShownGameId

ShownToken: TypeAlias = Annotated[
    Token,
    Meta(
        title="GameToken",
        pattern=r"^(ctt_(seat|host)_)?[A-Za-z0-9_-]{43}\Z",
        description="A secret of 256 bits, sent as `Authorization: Bearer …`; shown once and kept only as a hash.",
    ),
]


class NewPlay(Struct, frozen=True, forbid_unknown_fields=True):
    """A card to play."""

    card: Annotated[Code, Meta(description="The card to play.")]


class NewDeal(Struct, frozen=True, forbid_unknown_fields=True):
    """The shuffle of the next deal."""

    strip: Annotated[
        Annotated[tuple[Code, ...], Meta(max_length=16)] | None,
        Meta(description="The cards to strip, if the ruleset lets the dealer choose."),
    ] = None
    three_at_a_time: Annotated[
        bool, Meta(description="True to deal three cards at a time, where the ruleset allows it.")
    ] = False


class NewEntropy(Struct, frozen=True, forbid_unknown_fields=True):
    """Entropy that a seat adds to the next shuffle; only its first before a deal counts."""

    entropy: Annotated[Seed, Meta(description="A text of the seat's own, which nobody can guess.")]


class OpenedSeat(GameSeat, frozen=True):
    """A seat of a new game, with its token."""

    token: Annotated[ShownToken, Meta(description="The token of its player.")]


class OpenedGame(Struct, frozen=True):
    """A new game with the tokens of its seats and its host, shown only once."""

    id: Annotated[ShownGameId, Meta(description="The id of the new game.")]
    version: Annotated[Version, Meta(description="Its first version.")]
    seats: Annotated[tuple[OpenedSeat, ...], Meta(description="Every seat, in order, with its token.")]
    host_token: Annotated[ShownToken, Meta(description="The token to deal with and to delete the game.")]


GAMES_PATH: Final = "/v1/games"
MISSING: Final[tuple[ProblemCode, ...]] = ("no_such_game", "game_gone")
SEE: Final[tuple[ProblemCode, ...]] = (*RECEIVE_PROBLEMS, "unknown_token", *MISSING, "store_down")
CHANGE_WITHOUT_BODY: Final[tuple[ProblemCode, ...]] = (*SEE, "token_missing", "wrong_token", "store_full")
CHANGE: Final[tuple[ProblemCode, ...]] = (*READ_PROBLEMS, *CHANGE_WITHOUT_BODY)
live: Final = partial(Operation, tag="Live games", private=True, max_body_bytes=BODY_BYTES)
write: Final = partial(live, method="POST", response_headers=("ETag",), bearer="required")
versioned_write: Final = partial(write, required_parameters=(IF_MATCH,))
"""The decorator of a change whose meaning depends on the position: the request names the version it saw."""
read: Final = partial(live, bearer="optional")


@live(
    GAMES_PATH,
    method="POST",
    operation_id="open_game",
    summary="Open a game",
    description="Seats the players, and draws cards for the first dealer. The answer has a secret token for each seat "
    "and one for the host, which are shown only this once. With an `Idempotency-Key` the request can be repeated, and "
    "gets the same answer, until that game is gone. With a `state` the game goes on from there.",
    response_description="The new game, and its tokens, which are shown only this once.",
    status_code=201,
    optional_parameters=(IDEMPOTENCY_KEY,),
    response_headers=("Location", "ETag"),
    problems=(
        *READ_PROBLEMS,
        "bad_idempotency_key",
        "unknown_ruleset",
        "impossible_ruleset",
        "players_not_in_ruleset",
        "malformed_notation",
        "impossible_state",
        "impossible_request",
        "no_revoke_penalty",
        "hand_not_seen",
        "deal_over",
        "game_over",
        "idempotency_key_reused",
        "game_gone",
        "store_down",
        "store_full",
    ),
)
async def open_new_game(body: NewGame, request: GameRequest, *, games: LiveGames) -> Versioned[OpenedGame]:
    """Open a game."""
    opening = await games.open(body, request.caller, request.idempotency_key)
    game, secrets = log.open_game(opening.raw), opening.secrets
    request.context.path_params = {GAME: secrets.game}  # so the log names the new game, like later requests
    opened = OpenedGame(secrets.game, str(game.revision), seats_with_tokens(game, secrets.seats), secrets.host)
    return Versioned(opened, game.revision, f"{GAMES_PATH}/{secrets.game}")


@read(
    GAMES_PATH + "/{game_id}",
    operation_id="get_game",
    summary="Get a game",
    over_http="The ETag of the game names its version, for `If-Match`. `If-None-Match` has no effect: the same version "
    "looks different to each seat, and who is present is no part of it.",
    description="The game as the bearer of the token may see it; without a token, as a spectator may. `shuffles` has "
    "the commitment to every shuffle and, once a deal is over, its proof.",
    response_description="The game.",
    response_headers=("ETag",),
    problems=SEE,
)
async def see_game(request: GameRequest, *, games: LiveGames) -> Versioned[LiveGame]:
    """Show a game to the bearer, who follows it by polling."""
    return await show_game(request, games)


async def show_game(request: GameRequest, games: LiveGames) -> Versioned[LiveGame]:
    """Show the latest game to the bearer of a token, and let the computer play on."""
    game, role, present = await games.find_with_presence(request)
    games.follow(request, game)
    return Versioned(view_game(request.game_id, game, role, present), game.revision)


@live(
    GAMES_PATH + "/{game_id}",
    method="DELETE",
    status_code=204,
    operation_id="delete_game",
    summary="Delete a game",
    description="Needs the host's token. Event streams of the game end with the event `gone`, and every call on it is "
    "refused with `game_gone` from then on, this one as well.",
    response_description="The game is deleted.",
    bearer="required",
    problems=(*SEE, "token_missing", "wrong_token"),
)
async def delete_game(request: GameRequest, *, games: LiveGames) -> None:
    """Delete a game."""
    require_token(request)
    game, _ = await games.find(request)
    host = authorize(game, request.token, ("host",), "To delete a game needs the host's token.")
    if isinstance(host, Refusal):
        raise_refusal(host)
    await games.delete(request, game)


@write(
    GAMES_PATH + "/{game_id}/entropy",
    operation_id="add_entropy",
    summary="Add entropy to the next shuffle",
    description="A seat adds a text of its own, from which the next shuffle is made, too, so that the service alone "
    "cannot choose the cards; together with the seat that adds last it could. Each seat can do so once before each "
    "deal, and repeat it. Needs the seat's token, and no `If-Match`.",
    response_description="The entropy is added.",
    problems=(*CHANGE, "deal_not_over", "game_over", "entropy_given"),
)
async def add_entropy(body: NewEntropy, request: GameRequest, *, games: LiveGames) -> Versioned[Change]:
    """Add a seat's entropy to the next shuffle."""
    entropy = body.entropy
    return show_change(await games.change(request, lambda game: decide_entropy(game, request.token, entropy)))


@versioned_write(
    GAMES_PATH + "/{game_id}/deals",
    operation_id="deal_next",
    optional_body=True,
    summary="Deal the next deal",
    description="Needs the token of the dealer or of the host and, in `If-Match`, the version that was seen. The "
    "first deal can be asked for by any seat, once each has a name or is the computer's. The answer shows the position "
    "as that bearer may see it.",
    response_description="The cards are dealt.",
    problems=(*CHANGE, "deal_not_over", "game_over", "impossible_request"),
)
async def deal_next(body: NewDeal, request: GameRequest, *, games: LiveGames) -> Versioned[Change]:
    """Deal the next deal."""
    secret, threes = token_hex(32), body.three_at_a_time
    applied = await games.change(
        request,
        lambda game: decide_deal(game, request.token, request.version, body.strip, threes=threes, secret=secret),
    )
    return show_change(applied)


@versioned_write(
    GAMES_PATH + "/{game_id}/plays",
    operation_id="play_card",
    summary="Play a card",
    description="Needs the seat's token and, in `If-Match`, the version that the player saw. The same play at the same "
    "version can be sent again, and gets the same answer.",
    response_description="The card is played.",
    problems=(*CHANGE, "not_dealt", "deal_over", "game_over", "computer_plays", "not_your_turn", "illegal_play"),
)
async def play_card(body: NewPlay, request: GameRequest, *, games: LiveGames) -> Versioned[Change]:
    """Play a card."""
    card = NUMBER[body.card]
    return show_change(
        await games.change(request, lambda game: decide_play(game, request.token, request.version, card))
    )


@read(
    GAMES_PATH + "/{game_id}/record",
    operation_id="get_record",
    summary="Get the record of a game",
    over_http=f"Also as a text of tags and plays (`Accept: {MEDIA_TYPE}`).",
    description="Every deal that is over, with its hands, its plays and the proof of its shuffle, in the form that "
    "`/v1/adjudications` takes. A deal that is still being played is not shown.",
    response_description="The record.",
    text_form=TextForm(MEDIA_TYPE, format_record),
    cancel_on_disconnect=True,
    response_headers=("ETag",),
    problems=SEE,
)
async def get_record(request: GameRequest, *, games: LiveGames) -> Versioned[Record]:
    """Show the record of the finished deals."""
    game, _ = await games.find(request)
    record = RecordWriter()
    last = await games.repository.walk(request.game_id, record.add, game)
    return Versioned(record.write(), last.revision)


def seats_with_tokens(game: log.Game, tokens: Sequence[Token]) -> tuple[OpenedSeat, ...]:
    """List the seats of a new game with their tokens."""
    pairs = zip(list_seats(game, ()), tokens, strict=True)
    return tuple([OpenedSeat(**asdict(seat), token=token) for seat, token in pairs])


def show_change(applied: Applied) -> Versioned[Change]:
    """Show a change to the caller who made it."""
    step, role, repeated = applied
    return Versioned(view_change(step, seat_of(role)), step.game.revision, repeated=repeated)


HANDLERS: Final[tuple[Operation, ...]] = (
    open_new_game,
    see_game,
    delete_game,
    add_entropy,
    deal_next,
    play_card,
    get_record,
)
