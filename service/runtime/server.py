"""Serving: from the settings to sockets, and on them one process that serves, or several."""

import signal
import socket
import sys
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from functools import partial
from logging import getLogger
from types import FrameType
from typing import Final

import uvicorn
from uvicorn.config import STARTUP_FAILURE
from uvicorn.supervisors import Multiprocess

from service.api.pages import curl_line
from service.app import make_guard, make_store
from service.http.middleware.cors import SECURITY_HEADERS
from service.metrics.workers import counting_together
from service.runtime import logging as log
from service.settings import BadSettings, Settings, read_settings

BACKLOG: Final = 2048
START_WITHIN: Final = 60
"""Seconds that one of several processes has to start; one that answers nothing for so long is replaced."""
_logger: Final = getLogger(__name__)


def serve(environment: Mapping[str, str]) -> int:
    """Serve until told to stop; tell the exit code: 0, 1 when it cannot start, 2 for settings that cannot be used."""
    try:
        settings, sockets = prepare(environment)
    except BadSettings as exc:
        sys.stderr.write(f"{exc}\n")
        return 2
    config = uvicorn.Config(
        "service.runtime.worker:make_app",
        factory=True,
        workers=settings.workers,
        loop="uvloop",
        http="httptools",
        ws="none",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        headers=SECURITY_HEADERS,
        date_header=False,
        backlog=BACKLOG,
        timeout_graceful_shutdown=settings.shutdown_seconds,
        timeout_worker_healthcheck=START_WITHIN,
    )
    style = log.set_up(settings.log_format, settings.log_level).style
    welcome = partial(_welcome, address(*sockets[0].getsockname()[:2]), style)
    if settings.workers == 1:
        return _Server(config, welcome).run_to_the_end(sockets)
    with counting_together():
        return run_workers(config, sockets, welcome)


def prepare(environment: Mapping[str, str]) -> tuple[Settings, list[socket.socket]]:
    """Read the settings, and listen where they say.

    Errors: BadSettings, with every fault: also with what can only be seen by trying.
    """
    faults: list[str] = []
    try:
        settings = read_settings(environment)
    except BadSettings as exc:
        settings = exc.usable
        faults += exc.faults
    faults += _wrong_parts(settings)
    if settings.metrics_port is not None:
        with _naming(faults, metrics_host=settings.metrics_host, metrics_port=settings.metrics_port):
            _close(listen(settings.metrics_host, settings.metrics_port))
    sockets: list[socket.socket] = []
    if not any(fault.startswith("PORT") for fault in faults):
        with _naming(faults, host=settings.host, port=settings.port):
            sockets = listen(settings.host, settings.port)
    if faults:
        _close(sockets)
        raise BadSettings(tuple(faults), settings)
    return settings, sockets


def _wrong_parts(settings: Settings) -> tuple[str, ...]:
    """Find what is wrong with the parts that the settings describe, by making them once."""
    try:
        make_guard(settings, make_store(settings))
    except BadSettings as exc:
        return exc.faults
    except ValueError as exc:
        return (f"REDIS_URL: {exc}",)
    return ()


@contextmanager
def _naming(faults: list[str], **settings: object) -> Generator[None]:
    """Note that these settings name no place to listen, if they do not."""
    try:
        yield
    except (OSError, UnicodeError) as exc:
        named = " ".join(f"{name.upper()}='{value}'" for name, value in settings.items())
        faults.append(f"{named}: cannot listen there: {exc}")


def listen(host: str, port: int) -> list[socket.socket]:
    """Listen on every address of a host; port 0 takes a free one, the same for each.

    Errors: OSError; UnicodeError, for what can be no name.
    """
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    sockets: list[socket.socket] = []
    try:
        for family, place in dict.fromkeys((entry[0], str(entry[4][0])) for entry in found):
            sockets.append(socket.create_server((place, port), family=family, backlog=BACKLOG))
            port = sockets[0].getsockname()[1]
    except OSError:
        _close(sockets)
        raise
    return sockets


def _close(sockets: list[socket.socket]) -> None:
    for bound in sockets:
        bound.close()


def address(host: str, port: int) -> str:
    """Write the address at which this machine reaches what is served on a host and a port."""
    if host in {"0.0.0.0", "::"}:  # noqa: S104 - compared, not bound
        host = "localhost"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _welcome(base: str, style: log.Style) -> None:
    """Say where the docs are and, to people, how to ask a first question."""
    if style == "text":
        sys.stdout.write(f"Docs:  {base}/docs\nTry:   {curl_line(base)}\n")
        sys.stdout.flush()
    else:
        _logger.info("serving", extra={"url": base, "docs": f"{base}/docs"})


class _Server(uvicorn.Server):
    """The server of a single process; it says where it is, once it can be asked."""

    def __init__(self, config: uvicorn.Config, welcome: Callable[[], None]) -> None:
        super().__init__(config)
        self._welcome = welcome

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to serve, and say so."""
        await super().startup(sockets)
        self._welcome()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 – as the server has it
        """Stop; it is as intended, so the process does not end by the signal."""
        self.should_exit = True

    def run_to_the_end(self, sockets: list[socket.socket]) -> int:
        """Serve, and tell the exit code."""
        self.run(sockets)
        return 0 if self.started else 1


def run_workers(config: uvicorn.Config, sockets: list[socket.socket], announce: Callable[[], None]) -> int:
    """Serve with several processes until a signal ends them; return the exit code.

    Shape: 0, or uvicorn's code if a worker could not start: by itself uvicorn ends with 0 then.
    """
    supervisor = _Supervisor(config, sockets, announce)
    supervisor.run()
    failed = any(process.exitcode == STARTUP_FAILURE for process in supervisor.processes)
    return STARTUP_FAILURE if failed else 0


class _Supervisor(Multiprocess):
    """uvicorn's supervisor of workers, which announces them and ends them at once on a second signal."""

    def __init__(self, config: uvicorn.Config, sockets: list[socket.socket], announce: Callable[[], None]) -> None:
        super().__init__(config, sockets)
        self._announce = announce

    def init_processes(self) -> None:
        """Start the workers, and announce them once all accept requests: uvicorn does not wait for them."""
        super().init_processes()
        if all(process.wait_until_ready(self.config.timeout_worker_healthcheck) for process in self.processes):
            self._announce()

    def terminate_all(self) -> None:
        """Send SIGTERM to the workers; from now on a signal kills them, where uvicorn would only wait for them."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._kill_all)
        super().terminate_all()

    def _kill_all(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002 – a signal handler has both
        for process in self.processes:
            process.process.kill()
