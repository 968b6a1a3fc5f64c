"""The application, put together from all parts; only this file knows all of them."""

import os
from collections.abc import Iterator, Sequence
from time import time_ns
from typing import Any, Final, Protocol, cast

from litestar import Litestar
from litestar.datastructures import State
from litestar.handlers import HTTPRouteHandler
from litestar.plugins import PluginProtocol

from service.api import pages
from service.api.batches.batch import MAX_ANSWER_BYTES, BatchLimits
from service.api.batches.items import BATCHED
from service.api.counting import count_answer
from service.api.games.event_stream import HEARTBEATS_PER_CHECK
from service.api.games.events import Streams
from service.api.games.live_games import LiveGames
from service.api.mcp.endpoint import STATUSES, TOOLSETS, route_mcp
from service.api.openapi.document import encoded_document
from service.api.operation_list import OPERATIONS
from service.api.pages import probes
from service.api.reasoning.suggestions import Offer
from service.api.reasoning.thinking import ComputerPlayer
from service.http.app_parts import AppParts, keep_parts
from service.http.endpoint import Endpoint
from service.http.guards.api_keys import ApiKeys
from service.http.guards.auth import Auth
from service.http.guards.cors import AllowedOrigins, Cors
from service.http.guards.front import Front, Observer, Reader
from service.http.guards.paths import Paths
from service.http.guards.proxies import Proxies
from service.http.guards.rate_limit import RateLimit
from service.http.readiness import ShutdownState, StoreCheck
from service.http.routes import EXCEPTION_HANDLERS, list_methods, list_pages, route_to
from service.live.computers import LIMITS, Computers, Limits
from service.live.feed import Feeds
from service.live.presence import Presence
from service.live.repository import Clock, Repository
from service.live.store.counted import count_calls
from service.live.store.memory import MemoryStore
from service.live.store.protocol import Store
from service.platform.limits import GAME_BYTES, LIVE_GAMES
from service.platform.metrics.event_loop import LagMeter
from service.platform.metrics.requests import Route
from service.platform.settings import BadSettings, Settings, parse_networks, read_settings

_PAGES: Final = (*pages.HANDLERS, *probes.HANDLERS)


class _Framework(Litestar):
    """The framework without its plugins for types that are not used here."""

    @staticmethod
    def _get_default_plugins(plugins: list[PluginProtocol]) -> list[PluginProtocol]:
        return plugins  # importing pydantic and attrs, where they are installed, takes a quarter of a start


class Lifespan(Protocol):
    """A part that is opened before the application serves, and closed after it."""

    async def open(self) -> None:
        """Open."""
        ...

    async def close(self) -> None:
        """Close."""
        ...


def create_app(
    settings: Settings | None = None,
    store: Store | None = None,
    stop: ShutdownState | None = None,
    observers: Sequence[Observer] = (),
    clock: Clock | None = None,
    limits: Limits = LIMITS,
) -> Front:
    """Make the application.

    Shape: `settings` come from the environment and `store` from the settings, unless given. Each of `observers` is
    called after every request. `clock` returns milliseconds since 1970 began. `limits` bound the computer players.
    Errors: BadSettings.
    """
    settings = read_settings(os.environ) if settings is None else settings
    stop = stop or ShutdownState()
    store = count_calls(store or make_store(settings))
    auth = make_auth(settings, store)
    services = _make_services(settings, store, stop, auth, clock or _read_clock, limits)
    guard = auth if auth.is_restricted else None
    endpoints = [Endpoint(each, services, settings.max_body_bytes, guard) for each in OPERATIONS]
    feeds = [cast("Feeds", services[Feeds])] if settings.asks_keys else []
    paths = Paths(_make_framework(settings, store, stop, endpoints, guard, feeds), OPERATIONS)
    readers = (*_list_readers(settings), stop.read_draining)
    answers = {each.operation: each.answer for each in endpoints if each.operation.is_plain}
    plain = {(way.encode(), one.path.encode()): answer for one, answer in answers.items() for way in one.methods}
    return Front(paths, list_routes(), count_answer, observers, readers, plain)


def _read_clock() -> int:
    """Return the time, in milliseconds since 1970 began."""
    return time_ns() // 1_000_000


def _make_services(
    settings: Settings, store: Store, stop: ShutdownState, auth: Auth, clock: Clock, limits: Limits
) -> dict[Any, object]:
    """Make what the functions of operations need, by type."""
    repository = Repository(store)
    feeds = Feeds(repository, clock, settings.feed_seconds, lambda: auth.keys.apps if auth.keys else frozenset())
    computers = Computers(repository, clock, ComputerPlayer(), auth.limit, limits, feeds)
    heartbeat, timeout = settings.stream_heartbeat, settings.stream_timeout
    presence = Presence(store, clock, heartbeat * HEARTBEATS_PER_CHECK)
    streams = Streams(repository, presence, computers, settings.max_streams, heartbeat, timeout)
    stop.on_shutdown(streams.close)
    stop.on_shutdown(computers.close)
    stop.on_shutdown(feeds.end_polls)
    services: dict[Any, object] = {
        LiveGames: LiveGames(repository, computers, feeds, presence, clock, settings.max_ttl),
        Feeds: feeds,
        Streams: streams,
        Offer: Offer(settings.max_suggestions > 0),
    }
    functions = {each.operation_id: each.bind(services) for each in BATCHED}
    return services | {BatchLimits: BatchLimits(MAX_ANSWER_BYTES, count_answer, functions)}


def _make_framework(
    settings: Settings,
    store: Store,
    stop: ShutdownState,
    endpoints: Sequence[Endpoint],
    guard: Auth | None,
    feeds: Sequence[Lifespan],
) -> Litestar:
    """Make the application of the framework, which routes to every operation."""
    check = StoreCheck(store, stop)
    queried = frozenset(each.operation.path for each in endpoints if each.operation.allows_query)
    parts = AppParts(check, stop, encoded_document, queried, settings.max_suggestions > 0, settings.asks_keys)
    lifespans: list[Lifespan] = [check, LagMeter(), *feeds]
    shown = [each for each in _PAGES if each is not probes.metrics or settings.metrics_port is None]
    mcp = route_mcp(endpoints, AllowedOrigins(settings.cors_origins or ""), guard)
    app = _make_litestar([*map(route_to, endpoints), *mcp, *shown], keep_parts(parts), lifespans)
    app.on_shutdown.append(store.close)  # after all that may still need it
    return app


def _make_litestar(handlers: Sequence[HTTPRouteHandler], state: State, lifespans: Sequence[Lifespan]) -> Litestar:
    return _Framework(
        route_handlers=handlers,
        openapi_config=None,
        logging_config=None,  # the whole process has one log
        state=state,
        exception_handlers={**EXCEPTION_HANDLERS, **pages.EXCEPTION_HANDLERS},
        before_request=list_methods,
        on_startup=[lifespan.open for lifespan in lifespans],
        on_shutdown=[lifespan.close for lifespan in reversed(lifespans)],
    )


def _list_readers(settings: Settings) -> Iterator[Reader]:
    """List what reads the head of each request first, as the settings ask for it; what is off costs nothing."""
    if settings.trusted_proxies is not None:
        yield Proxies(parse_networks(settings.trusted_proxies)).read_client
    if settings.cors_origins is not None:
        yield Cors(settings.cors_origins).read_origin


def make_auth(settings: Settings, store: Store) -> Auth:
    """Make the guard that the settings ask for.

    Errors: BadSettings, if the keys cannot be read.
    """
    return Auth(
        ApiKeys(settings.api_keys, settings.api_keys_file) if settings.asks_keys else None,
        None if settings.rate_limit is None else RateLimit(store, settings.rate_limit),
    )


def list_routes() -> Iterator[Route]:
    """List every route with its class and its statuses, so that the metrics have their series from the start."""
    for operation in OPERATIONS:
        for method in operation.methods:
            yield Route(operation.path, method, operation.request_class, operation.statuses)
    for path in TOOLSETS:
        yield Route(path, "POST", "tools", STATUSES)
    yield from list_pages(pages.HANDLERS, "pages")
    yield from list_pages(probes.HANDLERS, "probes")


def make_store(settings: Settings) -> Store:
    """Make the store of live games that the settings ask for.

    Errors: BadSettings, if its address cannot be read.
    """
    if settings.redis_url is None:
        return MemoryStore(LIVE_GAMES.in_all, GAME_BYTES.in_all)
    from service.live.store.redis.store import RedisStore  # noqa: PLC0415 – brings redis-py, a fifth of a start
    from service.live.store.redis.url import connect  # noqa: PLC0415 – brings redis-py, too

    try:
        topology = connect(settings.redis_url, settings.store_timeout)
    except ValueError as exc:
        raise BadSettings((f"REDIS_URL: {exc}",)) from exc
    return RedisStore(topology, settings.store_timeout, settings.store_replicas)
