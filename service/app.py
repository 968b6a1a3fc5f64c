"""The application: wires everything; the only file that knows all parts."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol, cast

from litestar import Litestar
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from service.api import batches, docs, game_bodies, pages, rulesets, system
from service.api.events import Streams
from service.api.games import Games
from service.api.operations import QUESTIONS
from service.games.repository import Repository
from service.http.endpoint import Corridor
from service.http.errors import answer_exception, answer_http_exception
from service.http.game_endpoint import Action, GamePaths, HTTPHandler, Resource
from service.http.middleware.api_keys import ApiKeys
from service.http.middleware.auth import Guard
from service.http.middleware.cors import Cors
from service.http.middleware.rate_limit import RateLimit
from service.http.middleware.request_id import Access
from service.http.readiness import Stop
from service.http.router import Front
from service.metrics import GONE, Measured, Route
from service.metrics.port import OwnPort
from service.metrics.store import CountedStore
from service.metrics.workers import Settling, count_together
from service.openapi.catalog import OPERATIONS
from service.settings import Settings, parse_networks
from service.store.memory import MemoryStore
from service.store.protocol import Store
from service.store.redis.store import RedisStore
from service.store.redis.url import connect


class Beside(Protocol):
    """What runs beside the application for as long as it does."""

    async def open(self) -> None:
        """Begin."""
        ...

    async def close(self) -> None:
        """End."""
        ...


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
    store = CountedStore(store or make_store(settings))
    guard = make_guard(settings, store)
    corridors: dict[str, HTTPHandler] = {batches.PATH: guard.before(batches.Batches(limit))}
    corridors |= {question.path: guard.before(Corridor(question.body, question.ask, limit)) for question in QUESTIONS}
    state = State({"store": store, "stop": stop})
    handlers: list[HTTPRouteHandler] = [*rulesets.HANDLERS, *system.HANDLERS, *docs.HANDLERS, *pages.HANDLERS]
    beside: list[Beside] = [store, Settling()]
    if settings.metrics_port is None:
        handlers.append(system.metrics)
    else:
        own = _framework([system.metrics], state, [])
        beside.append(OwnPort(own, settings.metrics_host, settings.metrics_port, shared=count_together()))
    games = _live(settings, store, stop).behind(guard.before)
    front = Front(corridors, games, _framework(handlers, state, beside))
    return Measured(_outside(settings, front), _routes(), Access(stop, log))


def _framework(handlers: Sequence[HTTPRouteHandler], state: State, beside: Sequence[Beside]) -> Litestar:
    """Make an application of the framework, and let others begin and end with it."""
    return Litestar(
        route_handlers=handlers,
        openapi_config=None,
        logging_config=None,  # the whole process has one log
        state=state,
        exception_handlers={HTTPException: answer_http_exception, Exception: answer_exception},
        on_startup=[other.open for other in beside],
        on_shutdown=[other.close for other in reversed(beside)],
    )


def _outside(settings: Settings, app: ASGIApp) -> ASGIApp:
    """Put before an application what the settings ask for, and only that: what is not there costs nothing."""
    if settings.cors_origins is not None:
        app = Cors(app, settings.cors_origins)
    if settings.trusted_proxies is not None:
        theirs: Any = app  # the server has types of its own for the same interface
        app = cast("ASGIApp", ProxyHeadersMiddleware(theirs, parse_networks(settings.trusted_proxies)))
    return app


def make_guard(settings: Settings, store: Store) -> Guard:
    """Make the guard that the settings ask for.

    Errors: BadSettings, for keys that cannot be read.
    """
    has_keys = settings.api_keys is not None or settings.api_keys_file is not None
    return Guard(
        ApiKeys(settings.api_keys, settings.api_keys_file) if has_keys else None,
        None if settings.rate_limit is None else RateLimit(store, settings.rate_limit),
    )


def _routes() -> Iterator[Route]:
    """List every route with the statuses that it can send, for the metrics to begin with."""
    for op in OPERATIONS:
        statuses = {*op.statuses, GONE, 500}
        yield Route(op.path, op.method.upper(), statuses)
        if op.method == "get":
            yield Route(op.path, "HEAD", {*statuses, 405})  # an event stream has no HEAD
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
    keeper = Repository(store)
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
