"""Serving: listen, and run the application on the sockets."""

import socket
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from functools import partial
from logging import getLogger
from typing import Final
from urllib.parse import urlsplit

import uvicorn
from prometheus_client import start_http_server

from service import __version__
from service.api.pages.front import write_command
from service.app import make_auth, make_store
from service.http.guards.cors import SECURITY_HEADERS
from service.platform.build import ABOUT
from service.platform.settings import BadSettings, Settings
from service.server import logging as log
from service.server.bounds import bound_kernel_memory
from service.server.connection import Connection

BACKLOG: Final = 2048
ACCEPTED_AT_ONCE: Final = 8
"""Connections that are accepted per turn of the event loop: one per socket."""
_logger: Final = getLogger(__name__)


def serve(settings: Settings) -> None:
    """Serve until a signal.

    Errors: BadSettings, if they cannot be used; SystemExit, with uvicorn's 3, if the start fails.
    """
    make_auth(settings, make_store(settings))  # reports faults that show only when they are made
    with _naming(host=settings.host, port=settings.port):
        sockets = listen(settings.host, settings.port)
    logs = log.set_up(settings.log_format, settings.log_level, settings.log_addresses)
    if settings.metrics_port is not None:
        with _naming(metrics_host=settings.metrics_host, metrics_port=settings.metrics_port):
            start_http_server(settings.metrics_port, settings.metrics_host)
    announce = partial(_announce, format_url(*sockets[0].getsockname()[:2]), settings, logs)
    _Server(_configure(settings), announce).run(sockets)


@contextmanager
def _naming(**settings: object) -> Generator[None]:
    """Name the settings of an unusable address.

    Errors: BadSettings.
    """
    try:
        yield
    except (OSError, UnicodeError) as exc:
        named = " ".join(f"{name.upper()}='{value}'" for name, value in settings.items())
        raise BadSettings((f"{named}: cannot listen there: {exc}",)) from exc


def _configure(settings: Settings) -> uvicorn.Config:
    return uvicorn.Config(
        "service.server.startup:make_app",
        factory=True,
        loop="uvloop",
        http=Connection,
        ws="none",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        headers=[*SECURITY_HEADERS, ("api-version", __version__)],
        backlog=BACKLOG,
        timeout_keep_alive=settings.keep_alive_seconds,
        timeout_graceful_shutdown=settings.shutdown_seconds,
    )


def listen(host: str, port: int) -> list[socket.socket]:
    """Listen on every address of a host.

    Shape: each address has several sockets; `::` takes IPv4 as well; port 0 takes a free port, the same one for all.
    Errors: OSError; UnicodeError, for an impossible host name.
    """
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    with ExitStack() as closing:
        sockets: list[socket.socket] = []
        for family, address in dict.fromkeys((entry[0], str(entry[4][0])) for entry in found):
            every_family = address == "::" and socket.has_dualstack_ipv6()
            bound = socket.create_server((address, port), family=family, backlog=BACKLOG, dualstack_ipv6=every_family)
            bound_kernel_memory(bound)
            sockets.append(closing.enter_context(bound))
            sockets += (closing.enter_context(bound.dup()) for _ in range(ACCEPTED_AT_ONCE - 1))
            port = bound.getsockname()[1]
        closing.pop_all()
    return sockets


def format_url(host: str, port: int) -> str:
    """Return the URL at which this machine reaches a listener on a host and a port."""
    if host in {"0.0.0.0", "::"}:  # noqa: S104 - compared, not bound
        host = "localhost"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _announce(url: str, settings: Settings, logs: log.Log) -> None:
    """Log the version, the URL of the docs and, for people, a first question."""
    about = {"version": ABOUT, "games": name_store(settings.redis_url), "limits": _describe_limits(settings)}
    if logs.style == "text":
        lines = (f"Docs:  {url}/docs", f"Try:   {write_command(url)}", *(f"{name}: {it}" for name, it in about.items()))
        logs.writer.add("\n".join(lines).encode())
    else:
        _logger.info("serving", extra={"url": url, "docs": f"{url}/docs", **about})


def name_store(url: str | None) -> str:
    """Return where live games are kept, without the user, the password and the options of a URL."""
    if url is None:
        return "in the memory of this process, gone when it ends; REDIS_URL names a Redis that keeps them"
    parts = urlsplit(url)
    return f"in {parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def _describe_limits(settings: Settings) -> str:
    keys, offered = "asked for" if settings.asks_keys else "not asked for", "on" if settings.max_suggestions else "off"
    return (
        f"API keys {keys}, RATE_LIMIT {settings.rate_limit or 'unset'}, {settings.max_streams} streams at once, "
        f"suggestions {offered}, games end {settings.max_ttl} s after their last change"
    )


class _Server(uvicorn.Server):
    """A server that announces its URL once it accepts requests."""

    def __init__(self, config: uvicorn.Config, announce: Callable[[], None]) -> None:
        super().__init__(config)
        self._announce = announce

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to serve, then announce it."""
        await super().startup(sockets)
        self._announce()
