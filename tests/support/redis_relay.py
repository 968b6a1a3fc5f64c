"""A relay before Redis that counts round trips on the wire, whatever the client makes of them."""

import asyncio
from contextlib import suppress


class Relay:
    """Passes bytes on, and counts how often a client speaks after it was answered."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._server: asyncio.Server | None = None
        self._accepted = set[asyncio.Task[None]]()
        self.trips = 0

    async def start(self) -> int:
        """Begin to listen, and return the port."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def stop(self) -> None:
        """Listen no more; clients must have left."""
        if self._server is not None:
            self._server.close()
            if self._accepted:
                await asyncio.wait(self._accepted)
            await self._server.wait_closed()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._accepted.add(asyncio.create_task(self._relay(reader, writer)))

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        inner, outer = await asyncio.open_connection("127.0.0.1", self._to)
        answered = True

        async def ask() -> None:
            nonlocal answered
            while block := await reader.read(65536):
                self.trips += answered
                answered = False
                outer.write(block)
            outer.close()

        async def answer() -> None:
            nonlocal answered
            while block := await inner.read(65536):
                answered = True
                writer.write(block)

        with suppress(OSError):
            await asyncio.gather(ask(), answer())
        writer.close()
