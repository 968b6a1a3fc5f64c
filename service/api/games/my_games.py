"""POST /v1/my-games: a player's games by their tokens, in one request instead of one per game."""

from asyncio import gather
from typing import Annotated, Final

from msgspec import Meta, Struct

from service.api.games.games import live
from service.api.games.live_games import LiveGames
from service.http.operation import READ_PROBLEMS, Operation
from service.http.parameters import GAME_ID
from service.http.problem_document import Problem, write_problem
from service.http.request import ApiRequest
from service.live.log import Game
from service.live.repository import Repository
from service.live.tokens import require_role
from service.live.views import summarize
from service.platform.time_slices import TimeSlice
from service.schemas.finished_game import GameSummary
from service.schemas.ids import GameId, Token
from service.schemas.refusal import Refusal

MAX_GAMES: Final = 50
"""Games in one request."""
LOADED_AT_ONCE: Final = 10
"""Games of a request that are loaded together: one batch of commands per server of Redis."""
MAX_LENGTH: Final = 100
"""Characters of an id or a token, more than any has. A malformed one is a problem of its game alone."""


class MyGame(Struct, frozen=True, forbid_unknown_fields=True):
    """A game, and the token of the player."""

    id: Annotated[
        str,
        Meta(max_length=MAX_LENGTH, description="The id of the game.", examples=["HybaVEduloQ2CRUKMB7JoQ"]),
    ]
    token: Annotated[
        Annotated[Token, Meta(max_length=MAX_LENGTH)] | None,
        Meta(description="A token of the game, of a seat or of the host; without one, you ask as a spectator."),
    ] = None


class MyGames(Struct, frozen=True, forbid_unknown_fields=True):
    """The games to look up."""

    games: Annotated[
        tuple[MyGame, ...], Meta(min_length=1, max_length=MAX_GAMES, description="The games, in any order.")
    ]


class GameAnswer(Struct, frozen=True):
    """A game or its problem, with the status of a single request."""

    status: Annotated[int, Meta(description="200, or the status of the problem.")]
    answer: Annotated[GameSummary | None, Meta(description="The game; null if there is a problem.")]
    problem: Annotated[Problem | None, Meta(description="Why there is no answer, else null.")]


class GameAnswers(Struct, frozen=True):
    """For each game, in order, its state of play or its problem."""

    answers: Annotated[tuple[GameAnswer, ...], Meta(description="The games and problems, in the order of the request.")]


@live(
    "/v1/my-games",
    method="POST",
    allows_query=True,
    operation_id="list_my_games",
    summary="List your games at once",
    description=f"How up to {MAX_GAMES} games stand: whose turn it is and since when, for players without the key of "
    "an app. Send a token with each game, or none to ask as a spectator. The answers come in the same order, each with "
    "the status that it would have had alone: a token that is void, or a game that is gone, does not affect the "
    "others. Each game counts for the quota as one request. Nothing is changed.",
    response_description="For each game, in order, how it stands, or its problem.",
    bearer="in_body",
    cancel_on_disconnect=True,
    upfront_cost=lambda body: len(body.games) - 1,
    problems=(*READ_PROBLEMS, "store_down"),
)
async def list_my_games(body: MyGames, request: ApiRequest, *, games: LiveGames) -> GameAnswers:
    """Look up the games of a player, a few at a time, in turn with other requests."""
    answers = list[GameAnswer]()
    for start in range(0, len(body.games), LOADED_AT_ONCE):
        asked = body.games[start : start + LOADED_AT_ONCE]
        found = await gather(*(_find(one, games.repository) for one in asked))
        unanswered = [one for one in found if isinstance(one, Refusal) and one.code == "store_down"]
        if len(unanswered) == len(found):
            raise unanswered[0]  # clients retry by themselves, and nobody waits for the other games
        async with TimeSlice(request.caller):
            answers += [
                _answer(one.id, game, request.context.request_id) for one, game in zip(asked, found, strict=True)
            ]
    return GameAnswers(tuple(answers))


async def _find(asked: MyGame, repository: Repository) -> Game | Refusal:
    """Return a game, or why the bearer of the token may not see it."""
    try:
        game = await repository.load(GAME_ID.read(asked.id))
        require_role(game, asked.token)
    except Refusal as refusal:
        return refusal
    return game


def _answer(game_id: str, found: Game | Refusal, request_id: str) -> GameAnswer:
    if isinstance(found, Refusal):
        problem = write_problem(found, request_id)
        return GameAnswer(problem.status, None, problem)
    return GameAnswer(200, summarize(GameId(game_id), found), None)


HANDLERS: Final[tuple[Operation, ...]] = (list_my_games,)
