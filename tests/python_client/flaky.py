"""A proxy that drops requests, loses answers, delays both, and cuts, holds back or refuses event streams."""

import asyncio
from collections import Counter
from contextlib import suppress
from random import Random
from threading import Thread
from time import monotonic, sleep
from typing import Final, NamedTuple, Self

from tests.support.patience import WAIT

_HEAD_END: Final = b"\r\n\r\n"
_LONGEST_DELAY: Final = 0.02
_REFUSAL: Final = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/problem+json\r\ncontent-length: 96\r\n\r\n"
    b'{"type":"/","title":"No","status":503,"detail":"Full.","instance":"/","code":"too_many_streams"}'
)
_RETRY: Final = (b"retry: 1000", b"retry: 0010")
"""The pause before the next stream as the service says it, and as the proxy changes it."""


class Faults(NamedTuple):
    """How often each fault happens: 11 is to every 11th request of a kind, or piece of a stream; 0 is never."""

    dropped: int = 0
    lost: int = 0
    delayed: int = 0
    cut: int = 0
    silent: int = 0
    held: int = 0
    refused: int = 0


class FlakyProxy:
    """Passes requests on to a service on this machine, in a thread of its own, and counts what it does to them."""

    def __init__(self, port: int, faults: Faults, seed: int = 1) -> None:
        self.faults = faults
        self.counts = Counter[str]()
        self._chances = Counter[str]()
        self.url = ""
        self._port = port
        self._random = Random(seed)
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, daemon=True)
        self._connections = set[asyncio.Task[None]]()

    def __enter__(self) -> Self:
        self._thread.start()
        port = asyncio.run_coroutine_threadsafe(self._listen(), self._loop).result()
        self.url = f"http://127.0.0.1:{port}"
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._stop(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def wait_for(self, fault: str) -> None:
        """Wait until a fault has happened."""
        until = monotonic() + WAIT
        while not self.counts[fault]:
            assert monotonic() < until, self.counts
            sleep(0.01)

    async def _listen(self) -> int:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def _stop(self) -> None:
        # A server that is closed would leave a connection open that it is just accepting.
        for listening in self._server.sockets:
            self._loop.remove_reader(listening)
        while others := asyncio.all_tasks() - {asyncio.current_task()}:
            for connection in self._connections:
                connection.cancel()
            await asyncio.wait(others)
        self._server.close()
        await self._server.wait_closed()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = self._loop.create_task(self._serve(reader, writer))
        self._connections.add(task)
        task.add_done_callback(self._connections.discard)
        task.add_done_callback(lambda _: writer.transport.abort())  # also if it was canceled before it began

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass on the requests of one connection, until one of them meets a fault."""
        with suppress(OSError, asyncio.IncompleteReadError):
            inner, outer = await asyncio.open_connection("127.0.0.1", self._port)
            try:
                while await self._pass_on(reader, writer, inner, outer):
                    pass
            finally:
                outer.transport.abort()

    async def _pass_on(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        inner: asyncio.StreamReader,
        outer: asyncio.StreamWriter,
    ) -> bool:
        """Pass on one request and its answer. Return False if the connection ends with it."""
        request = await _read_message(reader)
        kind = _kind_of(request)
        self.counts[kind] += 1
        if self._happens("delayed"):
            await asyncio.sleep(self._random.uniform(0, _LONGEST_DELAY))
        if self._happens("dropped", kind):
            return False
        if kind == "streams" and self._happens("refused", kind):
            writer.write(_REFUSAL)
            await writer.drain()
            return False
        outer.write(request)
        if kind == "streams":
            await self._stream(inner, writer)
            return False
        answer = await _read_message(inner)
        if self._happens("lost", kind):
            return False
        writer.write(answer)
        await writer.drain()
        return True

    async def _stream(self, inner: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass on a stream, piece by piece."""
        if self._happens("held", "streams"):
            writer.write(await inner.readuntil(_HEAD_END))
            await asyncio.sleep(3600)
        while piece := (await inner.read(65536)).replace(*_RETRY):
            if self._happens("silent", "streams"):
                await asyncio.sleep(3600)
            if self._happens("cut", "streams"):
                writer.write(piece[: self._random.randrange(len(piece))])
                await writer.drain()
                return
            writer.write(piece)
            await writer.drain()

    def _happens(self, fault: str, kind: str = "") -> bool:
        every: int = getattr(self.faults, fault)
        name = f"{fault} {kind}".strip()
        self._chances[name] += 1
        happens = every > 0 and self._chances[name] % every == 0
        self.counts[name] += happens
        return happens


async def _read_message(reader: asyncio.StreamReader) -> bytes:
    """Read one request or answer whose length is announced, as it came."""
    head = await reader.readuntil(_HEAD_END)
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            return head + await reader.readexactly(int(value))
    return head


def _kind_of(request: bytes) -> str:
    path = request.split(b" ", 2)[1].partition(b"?")[0]
    kinds = {b"plays": "plays", b"events": "streams", b"changes": "polls"}
    return kinds.get(path.rpartition(b"/")[2], "others")
