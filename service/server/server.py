"""Serving: read the settings, listen, and run one process or several on the sockets."""

import os
import signal
import socket
import sys
from collections.abc import Callable, Generator, Mapping
from contextlib import ExitStack, contextmanager, nullcontext
from functools import partial
from logging import getLogger
from typing import Final
from urllib.parse import urlsplit

import uvicorn
from prometheus_client import REGISTRY, CollectorRegistry, start_http_server
from uvicorn.config import STARTUP_FAILURE
from uvicorn.supervisors import Multiprocess

from service import __version__
from service.api.pages.front import write_command
from service.app import make_auth, make_store
from service.http.middleware.cors import SECURITY_HEADERS
from service.platform.metrics.workers import forget_process, share_metrics, shared_registry
from service.platform.settings import BadSettings, Settings, read_settings
from service.server import logging as log
from service.server.connection import Connection, bound_kernel_memory

BACKLOG: Final = 2048
WORKER_TIMEOUT: Final = 60
"""Seconds that a worker may take to start; one that answers no health check for as long is replaced."""
_logger: Final = getLogger(__name__)


def serve(environment: Mapping[str, str]) -> int:
    """Serve until a signal ends it; return the exit code.

    Shape: 0, 2 for settings that cannot be used, or uvicorn's 3 if the start fails.
    """
    try:
        settings = read_settings(environment)
        make_auth(settings, make_store(settings))  # so that what only making them can find is said once
        return _serve(settings)
    except BadSettings as exc:
        sys.stderr.write(f"{exc}\n")
        return 2


def _serve(settings: Settings) -> int:
    with _naming(host=settings.host, port=settings.port):
        sockets = listen(settings.host, settings.port)
    with share_metrics() if settings.workers > 1 else nullcontext():
        logs = log.set_up(settings.log_format, settings.log_level, settings.log_addresses)
        announce = partial(_announce, format_url(*sockets[0].getsockname()[:2]), settings, logs)
        if settings.workers > 1:
            return run_workers(_configure(settings), sockets, announce, partial(_serve_metrics, settings))
        _serve_metrics(settings, REGISTRY)
        _Server(_configure(settings), announce).run(sockets)
        return 0


def _serve_metrics(settings: Settings, registry: CollectorRegistry) -> None:
    """Serve metrics on the port of their own, if they have one, in a thread until the process ends."""
    if settings.metrics_port is not None:
        with _naming(metrics_host=settings.metrics_host, metrics_port=settings.metrics_port):
            start_http_server(settings.metrics_port, settings.metrics_host, registry)


@contextmanager
def _naming(**settings: object) -> Generator[None]:
    """Name the settings of an address that cannot be listened on.

    Errors: BadSettings.
    """
    try:
        yield
    except (OSError, UnicodeError) as exc:
        named = " ".join(f"{name.upper()}='{value}'" for name, value in settings.items())
        raise BadSettings((f"{named}: cannot listen there: {exc}",)) from exc


def _configure(settings: Settings) -> uvicorn.Config:
    return uvicorn.Config(
        "service.server.worker:make_app",
        factory=True,
        workers=settings.workers,
        loop="uvloop",
        http=Connection,
        ws="none",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        headers=SECURITY_HEADERS,
        date_header=False,
        backlog=BACKLOG,
        timeout_graceful_shutdown=settings.shutdown_seconds,
        timeout_worker_healthcheck=WORKER_TIMEOUT,
    )


def listen(host: str, port: int) -> list[socket.socket]:
    """Listen on every address of a host.

    Shape: port 0 takes a free port, the same one for every address.
    Errors: OSError; UnicodeError, for what can be no host name.
    """
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    with ExitStack() as closing:
        sockets: list[socket.socket] = []
        for family, address in dict.fromkeys((entry[0], str(entry[4][0])) for entry in found):
            bound = socket.create_server((address, port), family=family, backlog=BACKLOG)
            bound_kernel_memory(bound)
            sockets.append(closing.enter_context(bound))
            port = bound.getsockname()[1]
        closing.pop_all()
    return sockets


def format_url(host: str, port: int) -> str:
    """Return the URL at which this machine reaches what listens on a host and a port."""
    if host in {"0.0.0.0", "::"}:  # noqa: S104 - compared, not bound
        host = "localhost"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _announce(url: str, settings: Settings, logs: log.Log) -> None:
    """Log what serves, where the docs are and, for people, a first question to ask."""
    about = {"version": __version__, "games": name_store(settings.redis_url), "limits": _describe_limits(settings)}
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
    keys = "asked for" if settings.api_keys or settings.api_keys_file else "not asked for"
    return (
        f"API keys {keys}, RATE_LIMIT {settings.rate_limit or 'unset'}, {settings.max_suggestions} suggestions and "
        f"{settings.max_streams} streams at once, games end {settings.max_ttl} s after their last change"
    )


class _Server(uvicorn.Server):
    """A server that announces itself once it accepts requests."""

    def __init__(self, config: uvicorn.Config, announce: Callable[[], None]) -> None:
        super().__init__(config)
        self._announce = announce

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to serve, then announce it."""
        await super().startup(sockets)
        self._announce()


def run_workers(
    config: uvicorn.Config,
    sockets: list[socket.socket],
    announce: Callable[[], None],
    serve_metrics: Callable[[CollectorRegistry], None],
) -> int:
    """Serve with several processes until a signal ends them; return the exit code.

    Shape: 0, or uvicorn's code if a worker could not start: by itself uvicorn ends with 0 then.
    """
    supervisor = _Supervisor(config, sockets, announce)
    serve_metrics(shared_registry(supervisor.list_processes))
    supervisor.run()
    failed = any(process.exitcode == STARTUP_FAILURE for process in supervisor.processes)
    return STARTUP_FAILURE if failed else 0


class _Supervisor(Multiprocess):
    """uvicorn's supervisor of workers, which announces them and knows their metrics."""

    def __init__(self, config: uvicorn.Config, sockets: list[socket.socket], announce: Callable[[], None]) -> None:
        super().__init__(config, sockets)
        self._announce = announce
        self._alive = set[int]()

    def init_processes(self) -> None:
        """Start the workers, and announce them once all accept requests: uvicorn does not wait for them."""
        super().init_processes()
        self._leave_ends()
        if all(process.wait_until_ready(self.config.timeout_worker_healthcheck) for process in self.processes):
            self._announce()

    def _leave_ends(self) -> None:
        """Close the workers' ends of their pipes, which are theirs alone.

        While the supervisor holds them, too, a worker that is killed as it is asked for its health never answers, and
        nobody is replaced, or told to stop, until WORKER_TIMEOUT is over.
        """
        for process in self.processes:
            process.child_conn.close()

    def terminate_all(self) -> None:
        """Send SIGTERM to the workers; from now on a signal kills them, where uvicorn would only wait for them."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._kill_all)
        super().terminate_all()

    def _kill_all(self, *_: object) -> None:
        for process in self.processes:
            process.process.kill()

    def list_processes(self) -> dict[str, int]:
        """Return the id of every process by its name; a worker has the name of the one whose place it took."""
        workers = {f"worker-{at}": process.pid for at, process in enumerate(self.processes, 1)}
        return {"supervisor": os.getpid()} | {name: pid for name, pid in workers.items() if pid is not None}

    def keep_subprocess_alive(self) -> None:
        """Replace the workers that have ended, and forget the gauges of all that are gone."""
        super().keep_subprocess_alive()
        self._leave_ends()
        alive = set(self.list_processes().values())
        for gone in self._alive - alive:
            forget_process(gone)
        self._alive = alive
