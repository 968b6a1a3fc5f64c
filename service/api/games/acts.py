"""POST /v1/games/{id}/seatings, resignations, take-backs and rematches: acts at a table other than plays."""

from secrets import token_hex
from typing import Annotated, Final

from msgspec import Meta, Struct

from service.api.games.game_request import GameRequest
from service.api.games.games import (
    CHANGE,
    CHANGE_WITHOUT_BODY,
    GAMES_PATH,
    show_change,
    show_game,
    versioned_write,
    write,
)
from service.api.games.live_games import LiveGames
from service.game.rulesets import Seat
from service.http.operation import Operation
from service.http.response import Versioned
from service.live.decisions import decide_resignation, decide_seats, decide_take_back
from service.schemas.live_game import Change, LiveGame
from service.schemas.revision import Version
from service.schemas.scalars import ShownGameId


class NewResignation(Struct, frozen=True, forbid_unknown_fields=True):
    """The resignation of a seat."""

    seat: Annotated[
        Seat | None, Meta(description="The seat that resigns: the host names it; a seat is its own if it is left out.")
    ] = None


class ChosenSeats(Struct, frozen=True, forbid_unknown_fields=True):
    """The wanted seats of the players."""

    seats: Annotated[
        Annotated[tuple[Seat, ...], Meta(min_length=2, max_length=8)] | None,
        Meta(description="By seat: where its player sits now; if left out, cards are drawn for the seats."),
    ] = None


class Rematch(Struct, frozen=True):
    """The next game for the same people."""

    id: Annotated[ShownGameId, Meta(description="The id of the next game.")]
    version: Annotated[Version, Meta(description="Its first version.")]


@versioned_write(
    GAMES_PATH + "/{game_id}/seatings",
    operation_id="change_seats",
    tag="Seats",
    optional_body=True,
    summary="Change seats, or draw cards for them",
    description="Changes who sits where, and so who are partners, before the first deal. Each token, name and computer "
    "moves with its player. With `seats` they sit as named. Without, each seat draws a card: the highest sit at the "
    "first side, aces are high, ties draw again. The cards follow from the next shuffle's secret and entropy, which "
    "`seating` shows; then the game commits to another shuffle, and a drawn dealer is drawn again. Needs the host's "
    "token or, once every seat has a name or a computer, any seat's; and, in `If-Match`, the version seen.",
    response_description="The game, as the bearer sees it from the new seat.",
    problems=(*CHANGE, "already_dealt", "impossible_request", "too_many_changes"),
)
async def change_seats(body: ChosenSeats, request: GameRequest, *, games: LiveGames) -> Versioned[LiveGame]:
    """Change who sits where before the first deal."""
    seats, secret = body.seats, token_hex(32)
    await games.change(
        request, lambda game: decide_seats(game, request.token, request.version, seats, secret, games.clock())
    )
    return await show_game(request, games)


@versioned_write(
    GAMES_PATH + "/{game_id}/resignations",
    operation_id="resign",
    optional_body=True,
    summary="Resign",
    description="The side of the seat loses the game, and every other side wins. Needs the seat's token or, for a seat "
    "that is gone, the host's; and, in `If-Match`, the version that was seen.",
    response_description="The game is over.",
    problems=(*CHANGE, "not_dealt", "game_over", "impossible_request"),
)
async def resign(body: NewResignation, request: GameRequest, *, games: LiveGames) -> Versioned[Change]:
    """Resign for a seat."""
    seat = body.seat
    return show_change(
        await games.change(request, lambda game: decide_resignation(game, request.token, request.version, seat))
    )


@versioned_write(
    GAMES_PATH + "/{game_id}/take-backs",
    operation_id="take_back",
    summary="Ask to take back a card, or agree",
    description="Undo, by consent: the seat that played the last card asks, and each other seat of a person agrees by "
    "the same call. Once all do, the card is back in its hand, and it is to play again. A card that completes a trick "
    "stays, and so does every card after which another is played, also by the computer; that play ends the request, "
    "too. Needs the seat's token and, in `If-Match`, the version that was seen. The record does not have what was "
    "taken back.",
    response_description="The request is noted, or the card is taken back.",
    problems=(*CHANGE_WITHOUT_BODY, "cannot_take_back", "too_many_changes"),
)
async def take_back(request: GameRequest, *, games: LiveGames) -> Versioned[Change]:
    """Ask to take back a card, or agree."""
    return show_change(
        await games.change(request, lambda game: decide_take_back(game, request.token, request.version, games.clock()))
    )


@write(
    GAMES_PATH + "/{game_id}/rematches",
    operation_id="open_rematch",
    summary="Open the next game for the same people",
    description="Opens a game with the rules, sides, names and computers of this one, which is over. Every token of "
    "this game is valid in the next too, for the same seat or the host, until it is renewed there. Followers of this "
    "game get the id of the next in the event `rematch_opened`, and later readers in `rematch`. Needs a seat's token "
    "or the host's, and no `If-Match`: every later request returns the same game, unless that is gone.",
    response_description="The next game is opened.",
    status_code=201,
    response_headers=("Location", "ETag"),
    problems=(*CHANGE_WITHOUT_BODY, "game_not_over", "too_many_changes"),
)
async def open_rematch(request: GameRequest, *, games: LiveGames) -> Versioned[Rematch]:
    """Open the next game for the same people."""
    rematch, revision = await games.open_rematch(request)
    return Versioned(Rematch(rematch, str(revision)), revision, f"{GAMES_PATH}/{rematch}")


HANDLERS: Final[tuple[Operation, ...]] = (change_seats, resign, take_back, open_rematch)
