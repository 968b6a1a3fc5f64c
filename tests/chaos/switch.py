"""A relay before several servers, which goes over from one to another between two answers, unseen by its clients."""

import asyncio
from contextlib import suppress


class Switch:
    """Passes bytes on to one server, and, from an answer on that can be named, to another one."""

    def __init__(self, to: int) -> None:
        self.to = to
        self._next = to
        self._answers_left = 0
        self._server: asyncio.Server | None = None
        self._accepted = set[asyncio.Task[None]]()

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

    def turn_to(self, port: int, after: int = 0) -> None:
        """Turn to another server, once the present one has given so many answers."""
        self._next, self._answers_left = port, after
        if not after:
            self.to = port

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._accepted.add(asyncio.create_task(self._relay(reader, writer)))

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass on what a client asks, which asks one thing after the other, to the server whose turn it is."""
        servers: dict[int, asyncio.StreamWriter] = {}
        with suppress(OSError):
            while block := await reader.read(65536):
                if self.to not in servers:
                    inner, servers[self.to] = await asyncio.open_connection("127.0.0.1", self.to)
                    self._accepted.add(asyncio.create_task(self._answer(inner, writer)))
                servers[self.to].write(block)
        for server in servers.values():
            server.close()

    async def _answer(self, inner: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while block := await inner.read(65536):
                writer.write(block)
                self._answers_left -= 1
                if self._answers_left == 0:
                    self.to = self._next
        writer.close()
