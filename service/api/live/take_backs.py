"""POST /v1/games/{id}/take-backs: a seat asks to take back its last card, or agrees that another does."""

from typing import Final

from service.api.live.game_request import GameRequest
from service.api.live.games import GAMES, SEE, change_of_version, show_change
from service.api.live.live_games import LiveGames
from service.games.decisions import decide_take_back
from service.games.views import Change
from service.http.operation import Operation
from service.http.response import Versioned


@change_of_version(
    GAMES + "/{game_id}/take-backs",
    operation_id="take_back",
    summary="Ask to take back a card, or agree",
    description="The seat that played the last card asks; each other seat of a person agrees by the same call. Once "
    "all do, the card is back in its hand, and it is to play again. A card that completes a trick stays, and so does "
    "every card after which another is played, also by the computer; that play ends the request, too. Needs the seat's "
    "token and, in `If-Match`, the version that was seen. The record does not have what was taken back.",
    response_description="The request is noted, or the card is taken back.",
    status_code=200,
    problems=(*SEE, "token_missing", "wrong_token", "store_full", "cannot_take_back", "too_many_changes"),
)
async def take_back(request: GameRequest, *, games: LiveGames) -> Versioned[Change]:
    """Ask to take back a card, or agree."""
    return show_change(
        await games.change(request, lambda game: decide_take_back(game, request.token, request.revision, games.clock()))
    )


HANDLERS: Final[tuple[Operation, ...]] = (take_back,)
