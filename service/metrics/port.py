"""A port of its own for the metrics, so that the public cannot reach them."""

import asyncio
import socket
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

import uvicorn
from litestar.types import ASGIApp

_GRACE_SECONDS: Final = 1
"""Seconds that requests under way have to finish when the port closes."""


class _Server(uvicorn.Server):
    """A server inside the process of another one, which handles the signals."""

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Leave the signals alone."""
        yield


class MetricsPort:
    """Serves an application on a port of its own, beside the one that this process serves.

    Shape: `shared` lets several processes listen on the port.
    """

    def __init__(self, app: ASGIApp, host: str, port: int, *, shared: bool) -> None:
        self._config = uvicorn.Config(
            app,
            http="httptools",
            ws="none",
            lifespan="off",
            access_log=False,
            log_config=None,
            server_header=False,
            timeout_graceful_shutdown=_GRACE_SECONDS,
        )
        self._address = (host, port)
        self._shared = shared
        self._server = _Server(self._config)
        self._serving: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Begin to serve.

        Errors: OSError, if the port is taken.
        """
        family = socket.AF_INET6 if ":" in self._address[0] else socket.AF_INET
        listening = socket.create_server(self._address, family=family, reuse_port=self._shared)
        self._serving = asyncio.create_task(self._server.serve([listening]))

    async def close(self) -> None:
        """Stop serving."""
        self._server.should_exit = True
        if self._serving is not None:
            await self._serving
