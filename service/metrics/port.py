"""A port of its own for the metrics, so that they are not where the public is."""

import asyncio
import socket
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

import uvicorn
from litestar.types import ASGIApp

_LEFT_OPEN: Final = 1
"""Seconds that an answer under way has at the end."""


class _Server(uvicorn.Server):
    """A server inside another one, which has the signals."""

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Leave the signals alone."""
        yield


class OwnPort:
    """An application served on a port of its own, beside the one that this process serves anyway.

    Shape: `shared` lets several processes serve the port together.
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
            timeout_graceful_shutdown=_LEFT_OPEN,
        )
        self._address = (host, port)
        self._shared = shared
        self._server = _Server(self._config)
        self._serving: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Begin to serve.

        Errors: OSError, where the port is taken.
        """
        family = socket.AF_INET6 if ":" in self._address[0] else socket.AF_INET
        listening = socket.create_server(self._address, family=family, reuse_port=self._shared)
        self._serving = asyncio.create_task(self._server.serve([listening]))

    async def close(self) -> None:
        """Serve no more."""
        self._server.should_exit = True
        if self._serving is not None:
            await self._serving
