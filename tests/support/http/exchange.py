"""An exchange with a server connection inside the process; its transport keeps the output."""

import asyncio
from typing import Any

import uvicorn
from uvicorn.server import ServerState

from service.server.connection import Connection


class Transport(asyncio.Transport):
    """A transport that keeps what is written."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.closed = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Keep it, unless closed."""
        self.written += b"" if self.closed else data

    def close(self) -> None:
        """Note it."""
        self.closed = True

    abort = close

    def is_closing(self) -> bool:
        """Return True once closed."""
        return self.closed

    def get_write_buffer_size(self) -> int:
        """Return 0: all is written."""
        return 0

    def pause_reading(self) -> None:
        """Read on: all pieces are there."""

    resume_reading = pause_reading


async def exchange(app: Any, *pieces: bytes, client: str = "127.0.0.1") -> tuple[bytes, bool]:
    """Send these pieces, one after the other, and return the answers, and True if the connection is closed."""
    config = uvicorn.Config(app, interface="asgi3", log_config=None, access_log=False, proxy_headers=False)
    config.load()
    made, transport = Connection(config, ServerState(), {}), Transport()
    made.connection_made(transport)
    made.client = (client, 1234)
    for piece in pieces:
        if not transport.closed:
            made.data_received(piece)
        await asyncio.sleep(0)
    while (made.tasks or made._unparsed) and not transport.closed:  # noqa: ASYNC110 – the server has no event for it
        await asyncio.sleep(0)
    closed = transport.closed
    made.connection_lost(None)
    return transport.written, closed
