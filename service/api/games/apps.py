"""GET /v1/finished-games and /v1/games: the games of the app whose API key is sent."""

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from service.api.games.games import GAMES_PATH, live
from service.game.generators import Sliced
from service.http.operation import RECEIVE_PROBLEMS, Operation
from service.http.parameters import FEED_AFTER, LIMIT, LIST_AFTER, OPEN_PHASE, WAIT_SECONDS
from service.http.request import ApiRequest, caller_of
from service.live.ending import unpack_ended
from service.live.feed import Feeds
from service.live.views import summarize
from service.platform.time_slices import TimeSlice
from service.schemas.finished_game import FinishedGames, OpenGames, OpenPhase
from service.schemas.ids import Caller
from service.schemas.refusal import ProblemCode, Refusal
from service.schemas.revision import Revision

First = TypeVar("First")
Second = TypeVar("Second")
Result = TypeVar("Result")

NO_APPS: Final = "Without API keys the service knows no apps, and keeps no list of their games: its operator sets keys."
OF_APP: Final[tuple[ProblemCode, ...]] = (*RECEIVE_PROBLEMS, "invalid_query", "no_apps", "store_down")
PAGE: Final = 20
"""The default number of games per page."""


class FeedRequest(ApiRequest, frozen=True):
    """A request for the finished games of an app."""

    after: Revision | None = None
    """The place in the feed behind which the page begins; None for the beginning."""
    limit: int = PAGE
    """The most games of the page."""
    wait: int = 0
    """Seconds to wait for a game."""


class ListRequest(ApiRequest, frozen=True):
    """A request for the games of an app that are not over."""

    after: int = 0
    """The place in the index behind which the page begins."""
    limit: int = PAGE
    """The most games of the page."""
    phase: OpenPhase | None = None
    """The phase of the games; None for every phase."""


def require_app(request: ApiRequest) -> Caller:
    """Return the calling app; the guard has checked its key.

    Errors: Refusal, if the service has no keys.
    """
    if not request.context.app:
        raise Refusal("no_apps", NO_APPS)
    return caller_of(request.context)


@live(
    "/v1/finished-games",
    operation_id="list_finished_games",
    summary="List the finished games of your app",
    description="The games that were opened with the keys of your app and are over, in the order in which they came to "
    "this feed, with all hands: won, also by a revoke or a resignation, abandoned, or deleted. They stay for a week, "
    "unless the operator says otherwise, also after the games themselves are gone. Ask again with `next` as `after`. "
    "A game comes at least once: if it comes again, its `id` is the same. Needs the key of an app.",
    response_description="The games.",
    optional_parameters=(FEED_AFTER, LIMIT, WAIT_SECONDS),
    cancel_on_disconnect=True,
    problems=OF_APP,
)
async def list_finished_games(request: FeedRequest, *, feeds: Feeds) -> FinishedGames:
    """List the finished games of an app."""
    found = await feeds.find(require_app(request), request.after, request.limit, request.wait)
    async with TimeSlice(request.caller) as time_slice:
        games = await time_slice.run(_write_all(unpack_ended, found.entries))
    return FinishedGames(tuple(games), None if found.next is None else str(found.next), found.more, found.dropped)


@live(
    GAMES_PATH,
    operation_id="list_games",
    summary="List the open games of your app",
    description="The games that were opened with the keys of your app and are not over, in the order in which they "
    "were opened: whose turn it is and since when. A game that is over is in `/v1/finished-games`. Needs the key of an "
    "app.",
    response_description="The games.",
    optional_parameters=(LIST_AFTER, LIMIT, OPEN_PHASE),
    cancel_on_disconnect=True,
    problems=OF_APP,
)
async def list_games(request: ListRequest, *, feeds: Feeds) -> OpenGames:
    """List the open games of an app."""
    found = await feeds.list_open(require_app(request), request.after, request.limit)
    open_games = [(each.game, game) for each, game in found if game is not None]
    async with TimeSlice(request.caller) as time_slice:
        shown = await time_slice.run(_write_all(summarize, open_games))
    games = tuple([one for one in shown if request.phase in {None, one.phase}])
    return OpenGames(games, found[-1][0].at if len(found) == request.limit else None)


def _write_all(write: Callable[[First, Second], Result], games: Sequence[tuple[First, Second]]) -> Sliced[list[Result]]:
    """Write the games of a page, and yield before each: a page of 100 takes longer than a time slice."""
    written = list[Result]()
    for game in games:
        yield
        written.append(write(*game))
    return written


HANDLERS: Final[tuple[Operation, ...]] = (list_finished_games, list_games)
