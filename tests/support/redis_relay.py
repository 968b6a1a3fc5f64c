"""A relay before Redis, unseen by its clients: it counts round trips, and goes over to another server when told to."""

import asyncio
from contextlib import suppress


class Relay:
    """Passes bytes on to a server, which may be named anew.

    Counts how often a client speaks after it was answered, even if the client ignores the answer.
    """

    def __init__(self, to: int) -> None:
        self.to = to
        self.trips = 0
        self._server: asyncio.Server | None = None
        self._accepted = set[asyncio.Task[None]]()
        self._clients = set[asyncio.StreamWriter]()

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

    def cut(self) -> None:
        """Close the connections of all clients."""
        for writer in self._clients:
            writer.transport.abort()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._accepted.add(asyncio.create_task(self._relay(reader, writer)))

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Forward a client's sequential commands to the current server."""
        servers: dict[int, asyncio.StreamWriter] = {}
        answered = True
        self._clients.add(writer)

        async def answer(inner: asyncio.StreamReader) -> None:
            nonlocal answered
            with suppress(OSError):
                while block := await inner.read(65536):
                    answered = True
                    writer.write(block)
            writer.close()

        with suppress(OSError):
            while block := await reader.read(65536):
                self.trips += answered
                answered = False
                if self.to not in servers:
                    inner, servers[self.to] = await asyncio.open_connection("127.0.0.1", self.to)
                    self._accepted.add(asyncio.create_task(answer(inner)))
                servers[self.to].write(block)
        self._clients.discard(writer)
        for end in (writer, *servers.values()):
            end.close()
