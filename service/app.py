"""The application, put together from all parts; only this file knows all of them."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from time import time_ns
from typing import Any, Final, Protocol, cast

from litestar import Litestar, Router
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.di import Provide
from litestar.handlers import BaseRouteHandler, HTTPRouteHandler
from litestar.types import ASGIApp, HTTPScope, Scope
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from service.api import OPERATIONS, system
from service.api.batches import BatchWriting
from service.api.counting import count_answer
from service.api.live.events import Streams
from service.api.live.game_call import read_call
from service.api.live.live_games import LiveGames
from service.api.questions.state import read_line
from service.api.suggestions import Suggestions, read_wish
from service.computing.computers import LIMITS, Computers, Limits
from service.games.repository import Clock, Repository
from service.http.caller import caller_of
from service.http.context import RequestContext, context_of
from service.http.fast_lane import Endpoint, FastLane, Provider
from service.http.framework_lane import EXCEPTION_HANDLERS, ApiRequest, ApiResponse, read_request
from service.http.middleware.api_keys import ApiKeys
from service.http.middleware.auth import Auth
from service.http.middleware.cors import Cors
from service.http.middleware.metrics import CLIENT_LEFT, Metrics, Route
from service.http.middleware.rate_limit import RateLimit
from service.http.negotiation import negotiate
from service.http.readiness import Stop, StoreCheck
from service.metrics.event_loop import LagMeter
from service.metrics.families import GAMES_ROLLED_BACK
from service.metrics.port import MetricsPort
from service.metrics.store import CountedStore
from service.metrics.workers import Flusher, shares_metrics
from service.openapi.document import encoded_document
from service.openapi.operation import describe_operation
from service.settings import Settings, parse_networks, read_settings
from service.store.memory import MemoryStore
from service.store.protocol import Store
from service.store.redis.store import RedisStore
from service.store.redis.url import connect

_STRAY_STATUSES: Final = (CLIENT_LEFT, 500)


class Companion(Protocol):
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
    stop: Stop | None = None,
    log: Callable[[Mapping[str, Any], int, float], None] | None = None,
    clock: Clock | None = None,
    *,
    fast: bool = True,
    limits: Limits = LIMITS,
) -> Litestar:
    """Make the application.

    Shape: without `settings`, those of the environment hold; without `store`, the one that the settings ask for; `log`
    takes the scope, the status and the seconds of each request that has ended; `clock` returns the time, in
    milliseconds since 1970 began; with `fast` False, the framework serves every operation; `limits` are those of the
    computer players.
    Errors: BadSettings.
    """
    settings = read_settings(os.environ) if settings is None else settings
    stop = stop or Stop()
    store = CountedStore(store or make_store(settings))
    auth = make_auth(settings, store)
    providers = _make_providers(settings, store, stop, auth.limit, clock or _read_clock, limits)
    app = _make_framework(settings, store, stop, auth, providers)
    hot = [handler for handler in OPERATIONS if fast and handler.opt["fast"]]
    endpoints = [Endpoint(handler, providers, settings.max_body_bytes, auth.guard_of(handler)) for handler in hot]
    lane = FastLane(endpoints, app.asgi_handler)
    app.asgi_handler = Metrics(_wrap(settings, lane), _list_routes(), count_answer, log, stop)
    return app


def _read_clock() -> int:
    """Return the time, in milliseconds since 1970 began."""
    return time_ns() // 1_000_000


def _make_providers(
    settings: Settings, store: Store, stop: Stop, quota: RateLimit | None, clock: Clock, limits: Limits
) -> dict[str, Provider]:
    """Make the providers of the arguments of handlers, by name."""
    repository = Repository(store, GAMES_ROLLED_BACK.count)
    computers = Computers(repository, clock, quota, limits)
    games = LiveGames(repository, computers, clock)
    heartbeat, timeout = settings.stream_heartbeat, settings.stream_patience
    streams = Streams(repository, computers, settings.streams_at_most, heartbeat, timeout)
    stop.call_at_end(streams.close)
    stop.call_at_end(computers.close)

    def provide_context(scope: Scope) -> RequestContext:
        return context_of(scope)

    def provide_games(scope: Scope) -> LiveGames:  # noqa: ARG001 – all requests share it
        return games

    def provide_streams(scope: Scope) -> Streams:  # noqa: ARG001 – all requests share it
        return streams

    def provide_writing(scope: Scope) -> BatchWriting:
        return BatchWriting(
            negotiate(cast("HTTPScope", scope))[1], settings.max_answer_bytes, count_answer, caller_of(scope)
        )

    return {
        "line": read_line,
        "call": read_call,
        "context": provide_context,
        "games": provide_games,
        "streams": provide_streams,
        "suggesting": Suggestions(settings.suggestions_at_once).for_request,
        "wish": read_wish,
        "writing": provide_writing,
    }


def _make_framework(
    settings: Settings, store: Store, stop: Stop, auth: Auth, providers: Mapping[str, Provider]
) -> Litestar:
    """Make the application of the framework, which serves every operation."""
    limit, check = settings.max_body_bytes, StoreCheck(store, stop)
    state = State({"store_check": check, "stop": stop, "max_body_bytes": limit, "write_document": encoded_document})
    state["makes_suggestions"] = settings.suggestions_at_once > 0
    companions: list[Companion] = [check, Flusher(), LagMeter()]
    handlers = [handler for handler in OPERATIONS if handler is not system.metrics or settings.metrics_port is None]
    if settings.metrics_port is not None:
        own = _make_litestar([system.metrics], state, [])
        companions.append(MetricsPort(own, settings.metrics_host, settings.metrics_port, shared=shares_metrics()))

    async def admit_request(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
        guard = auth.guard_of(cast("HTTPRouteHandler", handler))
        if guard is not None:
            await guard(cast("HTTPScope", connection.scope))

    guarded = Router(
        "/",
        route_handlers=[handler for handler in handlers if handler.opt["guarded"]],
        guards=[admit_request],
        dependencies={name: Provide(provide, sync_to_thread=False) for name, provide in providers.items()},
        request_class=ApiRequest,
        response_class=ApiResponse,
    )
    app = _make_litestar([guarded, *(handler for handler in handlers if not handler.opt["guarded"])], state, companions)
    app.on_shutdown.append(store.close)  # after all that may still need it
    return app


def _make_litestar(
    handlers: Sequence[HTTPRouteHandler | Router], state: State, companions: Sequence[Companion]
) -> Litestar:
    return Litestar(
        route_handlers=handlers,
        openapi_config=None,
        logging_config=None,  # the whole process has one log
        state=state,
        exception_handlers=EXCEPTION_HANDLERS,
        before_request=read_request,
        on_startup=[companion.open for companion in companions],
        on_shutdown=[companion.close for companion in reversed(companions)],
    )


def _wrap(settings: Settings, app: ASGIApp) -> ASGIApp:
    """Wrap an application in the middleware that the settings ask for; what is off costs nothing."""
    if settings.cors_origins is not None:
        app = Cors(app, settings.cors_origins)
    if settings.trusted_proxies is not None:
        untyped: Any = app  # the server has types of its own for the same interface
        app = cast("ASGIApp", ProxyHeadersMiddleware(untyped, parse_networks(settings.trusted_proxies)))
    return app


def make_auth(settings: Settings, store: Store) -> Auth:
    """Make the guard that the settings ask for.

    Errors: BadSettings, if the keys cannot be read.
    """
    has_keys = settings.api_keys is not None or settings.api_keys_file is not None
    return Auth(
        ApiKeys(settings.api_keys, settings.api_keys_file) if has_keys else None,
        None if settings.rate_limit is None else RateLimit(store, settings.rate_limit),
    )


def _list_routes() -> Iterator[Route]:
    """List every route with its statuses, so that the metrics have their series from the start."""
    for handler in OPERATIONS:
        operation = describe_operation(handler)
        statuses = {*operation.statuses, *_STRAY_STATUSES}
        yield Route(operation.path, operation.method.upper(), statuses)
        if operation.method == "get":
            yield Route(operation.path, "HEAD", {*statuses, 405})  # an event stream has no HEAD


def make_store(settings: Settings) -> Store:
    """Make the store of live games that the settings ask for."""
    if settings.redis_url is None:
        return MemoryStore(settings.games_at_most, settings.game_bytes_at_most)
    return RedisStore(
        connect(settings.redis_url, settings.store_timeout), settings.store_timeout, settings.store_replicas
    )
