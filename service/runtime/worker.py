"""A process that serves: its application, and its stop when it is told to."""

import asyncio
import gc
import multiprocessing
import os
import signal
from logging import getLogger
from threading import Thread
from typing import Final

from litestar.types import ASGIApp

from service.app import create_app
from service.http.readiness import Stop
from service.runtime import logging as log
from service.runtime.tracing import traced
from service.settings import Settings, read_settings

_logger: Final = getLogger(__name__)


def make_app() -> ASGIApp:
    """Make the application of this process, which stops when it is told to.

    What the start has made stays for good, so the garbage collector need not look at it again.
    """
    settings = read_settings(os.environ)
    logs = log.set_up(settings.log_format, settings.log_level, settings.workers)
    stop = Stop()
    app = traced(create_app(settings, stop=stop, log=logs.requests), os.environ)
    _Signals(stop, settings, logs).take()
    if settings.workers > 1:
        Thread(target=_end_with_parent, daemon=True).start()
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    return app


def _end_with_parent() -> None:
    """Do not stay behind where the process that started this one is killed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)


class _Signals:
    """Stops this process on a signal: first it drains, then the server stops as it does by itself.

    A second signal ends it at once.
    """

    def __init__(self, stop: Stop, settings: Settings, logs: log.Log) -> None:
        self._stop = stop
        self._settings = settings
        self._logs = logs

    def take(self) -> None:
        """Take the signals over from the server, which has taken them already."""
        self._server_stops = signal.getsignal(signal.SIGTERM)
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGTERM, self._told, signal.SIGTERM)
        if self._settings.workers > 1:
            # A terminal tells every process; the parent passes it on as SIGTERM, and once is enough.
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        else:
            loop.add_signal_handler(signal.SIGINT, self._told, signal.SIGINT)

    def _told(self, number: signal.Signals) -> None:
        if self._stop.draining:
            self._logs.lines.flush()
            os._exit(128 + number)
        _logger.info("told to stop")
        self._stop.drain()
        asyncio.get_running_loop().call_later(self._settings.drain_seconds, self._end)

    def _end(self) -> None:
        self._stop.end()
        if callable(self._server_stops):
            self._server_stops(signal.SIGTERM, None)
