"""A process that serves: its application, log, traces and signals."""

import gc
import os
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from logging import getLogger
from typing import Final

from uvicorn.config import STARTUP_FAILURE

from service.app import create_app
from service.http.guards.front import Front, Observer
from service.http.readiness import ShutdownState
from service.platform.settings import Settings, read_settings
from service.server import logging as log
from service.server.connection import Connection
from service.server.descriptors import connections_at_most, limit_streams, raise_limit
from service.server.shutdown import SignalHandler

OTLP_ENDPOINTS: Final = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
"""The environment variables that turn traces on. Source: OpenTelemetry, OTLP exporter configuration."""
_logger: Final = getLogger(__name__)


def make_app() -> Front:
    """Return the application of this process, once its log is set up and its signals are handled.

    Called by uvicorn within the event loop.
    Errors: SystemExit; the log says why.
    """
    settings = read_settings(os.environ)
    logs = log.set_up(settings.log_format, settings.log_level, settings.log_addresses)
    try:
        return _make_app(settings, logs)
    except Exception as exc:
        _logger.exception("the process cannot start")
        raise SystemExit(STARTUP_FAILURE) from exc


def _make_app(settings: Settings, logs: log.Log) -> Front:
    Connection.max_connections = connections_at_most(raise_limit())
    settings = limit_streams(settings, Connection.max_connections)
    stop = ShutdownState()
    app = create_app(settings, stop=stop, observers=[*logs.observers, *list_traces(os.environ)])
    SignalHandler(stop, settings.drain_seconds, logs).install()
    gc.collect()  # objects that exist by now are never freed
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    return app


def list_traces(environment: Mapping[str, str]) -> Iterator[Observer]:
    """List the observer that makes spans: none if no collector is named or the extra is not installed."""
    disabled = environment.get("OTEL_SDK_DISABLED", "").lower() == "true"
    if disabled or not any(environment.get(name) for name in OTLP_ENDPOINTS):
        return
    if find_spec("opentelemetry") is None:
        _logger.warning("no traces: install catch-the-ten[otel] for them")
        return
    from service.server.tracing import trace_over_otlp  # noqa: PLC0415 – an extra

    yield trace_over_otlp().add
