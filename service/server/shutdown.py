"""The shutdown of a process: on a signal it drains; then uvicorn finishes running requests and ends."""

import asyncio
import os
import signal
from logging import getLogger
from typing import Final

import uvicorn

from service.http.readiness import ShutdownState
from service.server.logging import Log

_logger: Final = getLogger(__name__)


class SignalHandler:
    """Shuts the process down on SIGTERM or SIGINT; a second signal ends it at once."""

    def __init__(self, stop: ShutdownState, drain_seconds: float, logs: Log) -> None:
        self._stop = stop
        self._drain_seconds = drain_seconds
        self._logs = logs

    def install(self) -> None:
        """Replace uvicorn's signal handlers, which stop listening at once."""
        self._server = _find_server()
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGTERM, self._handle, signal.SIGTERM)
        loop.add_signal_handler(signal.SIGINT, self._handle, signal.SIGINT)

    def _handle(self, number: signal.Signals) -> None:
        if self._stop.draining:
            self._logs.writer.flush()
            os._exit(128 + number)
        _logger.info("received %s, draining", number.name)
        self._stop.drain()
        asyncio.get_running_loop().call_later(self._drain_seconds, self._end)

    def _end(self) -> None:
        self._stop.end()
        self._server.should_exit = True


def _find_server() -> uvicorn.Server:
    """Return uvicorn's server of this process.

    uvicorn gives it to no application, but its signal handler is a method of it.
    """
    server = getattr(signal.getsignal(signal.SIGTERM), "__self__", None)
    if not isinstance(server, uvicorn.Server):
        raise TypeError(server)
    return server
