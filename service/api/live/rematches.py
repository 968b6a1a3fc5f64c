"""POST /v1/games/{id}/rematches: the host opens the next game for the same people."""

from typing import Final

from service.api.live.game_request import GameRequest
from service.api.live.games import GAMES, SEE, change, show_change
from service.api.live.live_games import LiveGames
from service.games.views import Change
from service.http.operation import Operation
from service.http.response import Versioned


@change(
    GAMES + "/{game_id}/rematches",
    operation_id="open_rematch",
    summary="Open the next game for the same people",
    description="Opens a game with the rules, sides, names and computers of this one, which is over. Every token of "
    "this game is one of the next as well, with the same seat or as the host's, until it is renewed there. Who follows "
    "this game is shown the id of the next by the event `rematch_opened`, and who comes back by `rematch`. Needs the "
    "host's token, and no `If-Match`: the same request once more opens no other game, unless the next one is gone.",
    response_description="The next game is opened.",
    status_code=200,
    problems=(*SEE, "token_missing", "wrong_token", "store_full", "game_not_over", "too_many_changes"),
)
async def open_rematch(request: GameRequest, *, games: LiveGames) -> Versioned[Change]:
    """Open the next game for the same people."""
    return show_change(await games.open_rematch(request))


HANDLERS: Final[tuple[Operation, ...]] = (open_rematch,)
