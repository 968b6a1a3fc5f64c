"""GET /v1/games/{id}/changes: the messages of the event stream, for clients that poll."""

from contextlib import nullcontext
from typing import Annotated, Final

from msgspec import Meta, Struct

from service.api.games.event_messages import ChangeMessage, GameMessage, Present, change_message, game_message
from service.api.games.game_request import GameRequest
from service.api.games.games import GAMES_PATH, SEE, read
from service.api.games.live_games import LiveGames
from service.http.operation import Operation
from service.http.parameters import AFTER
from service.http.response import Versioned
from service.live.log import moves_seats
from service.live.repository import PAGE, RECENT
from service.live.tokens import require_role, seat_of
from service.platform.time_slices import TimeSlice


class ChangePage(Struct, frozen=True):
    """A page of the changes of a game, as the bearer of the token may see them."""

    messages: Annotated[
        tuple[GameMessage | ChangeMessage, ...],
        Meta(max_length=PAGE, description="In order; [] if there is nothing new."),
    ]
    present: Present
    more: Annotated[bool, Meta(description="True if more changes follow: ask again after the last of these.")]


@read(
    GAMES_PATH + "/{game_id}/changes",
    operation_id="list_changes",
    summary="List the changes of a game",
    description="The messages of the event stream as JSON, a page at a time: every change after the version that "
    "`after` names. The page has the whole game instead if `after` is left out, if players have changed seats since, "
    "and if the game has no such version (the store may have lost it). To follow a game, ask again after the `id` of "
    "the last message; the stream is faster.",
    response_description="The changes. The ETag names the last version that is shown.",
    optional_parameters=(AFTER,),
    response_headers=("ETag",),
    problems=("invalid_query", *SEE),
)
async def list_changes(request: GameRequest, *, games: LiveGames) -> Versioned[ChangePage]:
    """List the changes of a game after a version, for a caller who polls."""
    game, role, present = await games.find_with_presence(request)
    games.follow(request, game)
    seat, steps = seat_of(role), None
    if request.after is not None:
        game, steps = await games.repository.steps_after(request.game_id, request.after, game.revision)
    if steps is None or moves_seats(steps):
        whole = game_message(request.game_id, game, require_role(game, request.token), present)
        return Versioned(ChangePage((whole,), present, more=False), game.revision)
    async with TimeSlice(request.caller) if len(steps) > RECENT else nullcontext():
        messages = tuple([change_message(step, seat) for step in steps])
    last = steps[-1].game if steps else game
    return Versioned(ChangePage(messages, present, more=last.version < game.version), last.revision)


HANDLERS: Final[tuple[Operation, ...]] = (list_changes,)
