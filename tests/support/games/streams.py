"""A client of event streams."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import msgspec


class Event(NamedTuple):
    name: str
    id: str
    content: Any

    @property
    def version(self) -> int:
        """The version that it shows; 0 if it shows none."""
        return int(self.id.partition("-")[0] or 0)


class NotServed(Exception):
    """The service did not open a stream; `head` is the head of its answer."""

    def __init__(self, head: bytes) -> None:
        super().__init__(head)
        self.head = head


class Stream:
    """An event stream that was opened."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        self._reader = reader

    async def next(self) -> Event:
        """Wait for the next event that shows the game; what else comes is passed over.

        Errors: EOFError, when the stream ends.
        """
        fields: dict[str, str] = {}
        while "data" not in fields:
            line = await self._reader.readline()
            if line in {b"", b"0\r\n"}:  # the connection has ended, or the last chunk has come
                raise EOFError
            name, colon, rest = line.decode().rstrip("\r\n").partition(": ")
            if colon:
                fields[name] = rest
            if fields.get("event") == "presence" and "data" in fields:
                fields.clear()
        return Event(fields["event"], fields.get("id", ""), msgspec.json.decode(fields["data"]))

    async def until(self, version: int) -> list[Event]:
        """Wait for all events up to a version."""
        events = [await self.next()]
        while events[-1].version < version:
            events.append(await self.next())
        return events


@asynccontextmanager
async def stream(
    port: int, path: str, token: str = "", last: str = "", address: str = "127.0.0.1"
) -> AsyncGenerator[Stream, None]:
    """Open the event stream of a game from an address, from its start or on from an event that was seen.

    Errors: NotServed.
    """
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**20, local_addr=(address, 0))
    try:
        lines = [f"GET {path}/events HTTP/1.1", "host: test"]
        lines += [f"authorization: Bearer {token}"] if token else []
        lines += [f"last-event-id: {last}"] if last else []
        writer.write("\r\n".join([*lines, "", ""]).encode())
        head = await reader.readuntil(b"\r\n\r\n")
        if b" 200 " not in head.partition(b"\r\n")[0]:
            raise NotServed(head)
        yield Stream(reader)
    finally:
        writer.transport.abort()
