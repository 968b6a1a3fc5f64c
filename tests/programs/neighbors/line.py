"""A line with a delay, as between two machines: what is sent, and the end of it, comes some milliseconds later."""

import asyncio
from contextlib import suppress
from typing import Final, Self

DELAY: Final = 0.01
"""Seconds that each byte is under way."""


class DelayedLine:
    """Listens on a port of the loopback, and passes on to another port, both ways, what comes."""

    def __init__(self, to: int) -> None:
        self._to = to
        self._relays = set[asyncio.Task[None]]()
        self.port = 0

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", self.port, backlog=1024)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for relay in self._relays:
            relay.cancel()
        await asyncio.gather(*self._relays, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        relay = asyncio.create_task(self._relay(reader, writer))
        self._relays.add(relay)
        relay.add_done_callback(self._relays.discard)

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            answers, inner = await asyncio.open_connection("127.0.0.1", self._to)
        except OSError:
            writer.transport.abort()
            return
        try:
            await asyncio.gather(_pass_on(reader, inner), _pass_on(answers, writer))
        finally:
            writer.transport.abort()
            inner.transport.abort()


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Pass on bytes and their end, each after the delay."""
    loop, late = asyncio.get_running_loop(), asyncio.Queue[tuple[float, bytes]]()

    async def deliver() -> None:
        block = b"-"
        while block:
            due, block = await late.get()
            await asyncio.sleep(due - loop.time())
            writer.write(block)
        writer.close()

    async with asyncio.TaskGroup() as group:
        group.create_task(deliver())
        block = b"-"
        while block:
            block = b""
            with suppress(OSError):
                block = await reader.read(65536)
            late.put_nowait((loop.time() + DELAY, block))
