"""POST /v1/games/{id}/resignations: a seat gives the game up."""

from typing import Annotated, Final

from msgspec import Meta, Struct

from service.api.live.game_request import GameRequest
from service.api.live.games import CHANGE, GAMES, change_of_version, show_change
from service.api.live.live_games import LiveGames
from service.games.decisions import decide_resignation
from service.games.views import Change
from service.http.operation import Operation
from service.http.response import Versioned
from service.rulesets import Seat


class NewResignation(Struct, frozen=True, forbid_unknown_fields=True):
    """The resignation of a seat."""

    seat: Annotated[
        Seat | None, Meta(description="The seat that resigns: the host names it; a seat is its own if it is left out.")
    ] = None


@change_of_version(
    GAMES + "/{game_id}/resignations",
    operation_id="resign",
    summary="Resign",
    description="The side of the seat loses the game, and every other side wins. Needs the seat's token or, for a seat "
    "that is gone, the host's; and, in `If-Match`, the version that was seen.",
    response_description="The game is over.",
    status_code=200,
    problems=(*CHANGE, "not_dealt", "game_over", "impossible_request"),
)
async def resign(body: NewResignation, request: GameRequest, *, games: LiveGames) -> Versioned[Change]:
    """Resign for a seat."""
    seat = body.seat
    return show_change(
        await games.change(request, lambda game: decide_resignation(game, request.token, request.revision, seat))
    )


HANDLERS: Final[tuple[Operation, ...]] = (resign,)
