"""Clients of event streams: they read what the wire says, by the rules of server-sent events, and nothing else."""

import asyncio
from collections.abc import Callable
from typing import NamedTuple, Protocol

import msgspec
from litestar.types import Message, ReceiveMessage

from service.live.store.watchers import Watcher
from service.schemas.live_game import Change, LiveGame
from service.schemas.revision import parse_revision
from tests.support.games.callers import Bearer, Headers, Live, Table
from tests.support.http import client
from tests.support.http.client import Answer, Request
from tests.support.patience import WAIT


class Said(NamedTuple):
    """One message of a stream."""

    event: str
    id: str
    data: bytes

    @property
    def version(self) -> int | None:
        """The version that it shows; None if it has none."""
        revision = parse_revision(self.id)
        return None if revision is None else revision.version

    @property
    def game(self) -> LiveGame:
        """The whole game that it shows."""
        assert self.event == "game"
        return msgspec.json.decode(self.data, type=LiveGame)

    @property
    def change(self) -> Change:
        """The change that it tells."""
        assert self.event == "change"
        return msgspec.json.decode(self.data, type=Change)


class Listener:
    """A client of one stream. While it `naps` it takes nothing more; what it was sent last waits."""

    def __init__(self, live: Live, path: str, headers: Headers = (), client: str = "127.0.0.1") -> None:
        self._live = live
        self._news = asyncio.Event()
        self._left = asyncio.Event()
        self._asked = False
        self.awake = asyncio.Event()
        self.awake.set()
        self.status = 0
        self.headers: dict[str, str] = {}
        self.text = b""
        self.task = live.run(self._start(Request(path, method="GET", headers=headers, client=client)))

    async def _start(self, request: Request) -> "asyncio.Task[None]":
        return asyncio.ensure_future(self._listen(request))

    async def _listen(self, request: Request) -> None:
        try:
            await self._live.app(client._scope(request), self._receive, self._send)
        finally:
            self._news.set()

    async def _receive(self) -> ReceiveMessage:
        if not self._asked:
            self._asked = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self._left.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        await self.awake.wait()
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {name.decode(): value.decode("latin-1") for name, value in message["headers"]}
        elif message["type"] == "http.response.body":
            self.text += message["body"]
        self._news.set()

    def until(self, enough: Callable[[], bool], seconds: float = WAIT) -> None:
        """Listen until it is enough."""

        async def listen() -> None:
            async with asyncio.timeout(seconds):
                while not enough():
                    self._news.clear()
                    await self._news.wait()

        self._live.run(listen())

    def hear(self, count: int) -> list[Said]:
        """Listen until there are `count` messages in all."""
        self.until(lambda: len(self.said) >= count)
        return self.said

    def hear_version(self, version: int) -> list[Said]:
        """Listen until a version is told."""
        line = b"\nid: %d-" % version
        self.until(lambda: line in self.text and self.text.endswith(b"\n\n"))
        return self.said

    def end(self) -> list[Said]:
        """Listen to the end."""
        self.until(self.task.done)
        return self.said

    def leave(self) -> None:
        """Close the connection from the client's side."""
        self._left.set()
        self.awake.set()
        self.until(self.task.done)

    @property
    def answer(self) -> Answer:
        """Return all that came as one answer."""
        return Answer(self.status, self.headers, self.text, 1)

    @property
    def said(self) -> list[Said]:
        """The messages so far that show the game."""
        return [said for said in self._messages if said.event != "presence"]

    @property
    def presence(self) -> list[list[int]]:
        """Every list of present seats so far."""
        return [msgspec.json.decode(said.data)["present"] for said in self._messages if said.event == "presence"]

    @property
    def _messages(self) -> list[Said]:
        return [said for block in self._blocks if (said := parse(block))]

    @property
    def heartbeats(self) -> int:
        """Return the number of comments that kept the stream alive."""
        return self._blocks.count(b":")

    @property
    def _blocks(self) -> list[bytes]:
        return self.text.split(b"\n\n")[:-1]


class Waiting(Watcher):
    """One who waits for the changes of a game, and does nothing about them."""

    def __init__(self) -> None:
        super().__init__()
        self._changed = asyncio.Event()

    def wake(self) -> None:
        self._changed.set()

    async def until(self, enough: Callable[[], bool]) -> None:
        """Wait for enough messages."""
        async with asyncio.timeout(WAIT):
            while not enough():
                self._changed.clear()
                await self._changed.wait()


def parse(block: bytes) -> Said | None:
    """Read a block of a stream; None for one that is no message."""
    fields = dict(line.split(b": ", 1) for line in block.split(b"\n") if not line.startswith(b":"))
    if b"data" not in fields:
        return None
    return Said(fields.get(b"event", b"message").decode(), fields.get(b"id", b"").decode(), fields[b"data"])


class Follow(Protocol):
    """Opens a stream of a game for a bearer, who has perhaps seen a version, from an address."""

    def __call__(
        self, table: Table, bearer: Bearer = None, seen: object = None, client: str = "127.0.0.1"
    ) -> Listener: ...
