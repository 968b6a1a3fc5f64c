"""The application: wires everything; the only file that knows all parts."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from litestar import Litestar
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.types import ASGIApp

from service.api import batches, docs, game_bodies, pages, rulesets, system
from service.api.access import Access
from service.api.catalog import OPERATIONS
from service.api.corridor import Corridor
from service.api.errors import answer_exception, answer_http_exception
from service.api.front import Front
from service.api.games import Games
from service.api.keeper import Keeper
from service.api.live_http import Action, GamePaths, HTTPHandler, Resource
from service.api.operations import QUESTIONS
from service.api.streams import Streams
from service.live import Store
from service.live.memory import MemoryStore
from service.live.redis import RedisStore, connect
from service.metrics import GONE, Measured, Route
from service.settings import Settings
from service.stop import Stop


def create_app(
    settings: Settings,
    store: Store | None = None,
    stop: Stop | None = None,
    log: Callable[[Mapping[str, Any], int, float], None] | None = None,
) -> ASGIApp:
    """Make the application, over the store that the settings ask for unless another one is given.

    Shape: `log` takes each request when it is answered, with the status and the seconds; None logs none.
    """
    limit = settings.max_body_bytes
    stop = stop or Stop()
    store = store or make_store(settings)
    corridors: dict[str, HTTPHandler] = {batches.PATH: batches.Batches(limit)}
    corridors |= {question.path: Corridor(question.body, question.ask, limit) for question in QUESTIONS}
    reads = Litestar(
        route_handlers=[*rulesets.HANDLERS, *system.HANDLERS, *docs.HANDLERS, *pages.HANDLERS],
        openapi_config=None,
        logging_config=None,  # the whole process has one log
        state=State({"store": store, "stop": stop}),
        exception_handlers={HTTPException: answer_http_exception, Exception: answer_exception},
        on_startup=[store.open],
        on_shutdown=[store.close],
    )
    return Measured(Front(corridors, _live(settings, store, stop), reads), _routes(), Access(stop, log))


def _routes() -> Iterator[Route]:
    """List every route with the statuses that it can send, for the metrics to begin with."""
    for op in OPERATIONS:
        statuses = {*op.statuses, GONE, 500}
        yield Route(op.path, op.method.upper(), statuses)
        if op.method == "get":
            yield Route(op.path, "HEAD", statuses)
    for method in ("GET", "HEAD"):  # what the pages load is no operation
        yield Route("/docs/{name}", method, (200, 304, 400, 404, GONE, 500))


def make_store(settings: Settings) -> Store:
    """Make the store of live games that the settings ask for."""
    if settings.redis_url is None:
        return MemoryStore(settings.games_at_most, settings.game_bytes_at_most)
    return RedisStore(
        connect(settings.redis_url, settings.store_timeout), settings.store_timeout, settings.store_replicas
    )


def _live(settings: Settings, store: Store, stop: Stop) -> GamePaths:
    keeper = Keeper(store)
    games, limit = Games(keeper), settings.max_body_bytes
    game = "/{game_id}"
    streams = Streams(keeper, settings.streams_at_most, settings.stream_heartbeat, settings.stream_patience)
    stop.at_end(streams.close)
    return GamePaths(
        {
            "": Resource({"POST": Action(game_bodies.NewGame, games.create)}, limit),
            game: Resource({"GET": Action(None, games.see), "DELETE": Action(None, games.delete)}, limit),
            f"{game}/entropy": Resource({"POST": Action(game_bodies.NewEntropy, games.stir)}, limit),
            f"{game}/deals": Resource({"POST": Action(game_bodies.NewDeal, games.deal)}, limit),
            f"{game}/plays": Resource({"POST": Action(game_bodies.NewPlay, games.play)}, limit),
            f"{game}/record": Resource({"GET": Action(None, games.record)}, limit),
            f"{game}/events": streams,
        }
    )
