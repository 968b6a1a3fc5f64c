"""The event stream of a live game: server-sent events, one message for each version, as the bearer may see it.

A bare ASGI handler, because ten thousand idle streams are to be cheap: a task, a watcher and a seat for each.
"""

import asyncio
from contextlib import suppress
from itertools import cycle
from typing import Final

import msgspec
from cachetools import LRUCache
from litestar.types import HTTPScope, Receive, Send

from service.api.corridor import send_refusal
from service.api.keeper import Keeper
from service.api.live_calls import Call, seat_of
from service.api.live_http import PRIVATE, read_call, refusal_headers
from service.api.live_views import view_game, view_streamed
from service.api.problems import Refusal
from service.game_log import Game, Step
from service.live import Watcher
from service.rulesets import Seat

_HEADERS: Final = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"private, no-store"),
    (b"vary", b"authorization"),
    (b"x-accel-buffering", b"no"),
]
RETRY_HINT: Final = b"retry: 1000\n\n"
"""After how many milliseconds a client that lost the stream comes back."""
RETRY_SPREAD: Final = range(500, 3000, 50)
"""The same, in turn, for clients whose streams all end because the process does."""
HEARTBEAT: Final = b":\n\n"
GONE: Final = b"event: gone\ndata: {}\n\n"
HEARTBEATS_PER_LOOK: Final = 4
"""A stream without news looks at its game every so many heartbeats, for an expiry is not announced."""
MESSAGES: Final = 1000
"""Messages that a process remembers, for the many who watch one game."""
_JSON: Final = msgspec.json.Encoder()


class Streams:
    """An ASGI handler of event streams, `at_most` at once.

    Unit: a heartbeat comes after `heartbeat` seconds without news; a client that takes longer than `patience`
    seconds to take a message is dropped.
    """

    def __init__(self, keeper: Keeper, at_most: int, heartbeat: float = 15.0, patience: float = 10.0) -> None:
        self._keeper = keeper
        self._at_most = at_most
        self._heartbeat = heartbeat
        self._patience = patience
        self._open = 0
        self._streams = set[_Stream]()
        self._closed = False
        self._messages = _Messages()

    def close(self) -> None:
        """End every stream; its client is told when to come back, to another process, not all at once."""
        self._closed = True
        for retry, stream in zip(cycle(RETRY_SPREAD), tuple(self._streams), strict=False):
            stream.end(retry)

    async def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        """Stream the events of one game to one client."""
        self._open += 1
        try:
            await self._answer(scope, receive, send)
        finally:
            self._open -= 1

    async def _answer(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        call = read_call(scope)
        try:
            game = await self._admit(call, scope["method"])
            seat = seat_of(call.bearer(game))
        except Refusal as refusal:
            more = ((b"allow", b"GET"),) if refusal.code == "method_not_allowed" else refusal_headers(refusal)
            await send_refusal(refusal, scope, send, (*PRIVATE, *more))
            return
        stream = _Stream(self._keeper, self._messages, call.game, seat, _Patient(send, self._patience))
        if self._closed:
            stream.end(RETRY_SPREAD[0])
        self._streams.add(stream)
        try:
            await stream.run(receive, game, _last_seen(call.headers.get("last-event-id", "")), self._heartbeat)
        finally:
            self._streams.discard(stream)

    async def _admit(self, call: Call, method: str) -> Game:
        if method != "GET":
            raise Refusal("method_not_allowed", "Events are read with GET.")
        if self._open > self._at_most:
            raise Refusal("too_many_streams", f"{self._at_most} streams are open.")
        return await self._keeper.latest(call.game)


def _last_seen(header: str) -> int | None:
    """Read Last-Event-ID; what is no version counts as none."""
    return int(header) if header.isascii() and header.isdigit() and len(header) < 10 else None


class _Messages:
    """The messages of late, each written once for all who see the same."""

    def __init__(self) -> None:
        self._written: LRUCache[tuple[str, int, Seat | None], bytes] = LRUCache(MESSAGES)

    def write(self, game: str, step: Step, seat: Seat | None) -> bytes:
        """Write the message of a step as a seat may see it."""
        key = (game, step.game.version, seat)
        text = self._written.get(key)
        if text is None:
            text = self._written[key] = _message("change", step.game.version, view_streamed(step, seat))
        return text


class _Patient:
    """The sending side of a stream, with bounded patience.

    Errors: TimeoutError, when the client does not take what is sent in time.
    """

    __slots__ = ("_patience", "_send")

    def __init__(self, send: Send, patience: float) -> None:
        self._send = send
        self._patience = patience

    async def begin(self) -> None:
        """Send the head."""
        await self._send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
        await self.write(RETRY_HINT)

    async def write(self, text: bytes, *, last: bool = False) -> None:
        """Send some text."""
        async with asyncio.timeout(self._patience):
            await self._send({"type": "http.response.body", "body": text, "more_body": not last})


class _Stream:
    """One stream: what was sent last, and what wakes it."""

    __slots__ = ("_client", "_game", "_keeper", "_messages", "_retry", "_seat", "_version", "_watcher")

    def __init__(self, keeper: Keeper, messages: _Messages, game: str, seat: Seat | None, client: _Patient) -> None:
        self._keeper = keeper
        self._messages = messages
        self._game = game
        self._seat = seat
        self._client = client
        self._retry: int | None = None
        self._version = 0
        self._watcher = Watcher()

    def end(self, retry: int) -> None:
        """Come to an end, and ask the client to come back after so many milliseconds."""
        self._retry = retry
        self._watcher.tell_to_look()

    async def run(self, receive: Receive, game: Game, seen: int | None, heartbeat: float) -> None:
        """Stream until the client leaves, is too slow, or the game is gone."""
        watcher, store = self._watcher, self._keeper.store
        store.watch(self._game, watcher)
        gone = asyncio.ensure_future(_until_gone(receive))
        gone.add_done_callback(lambda _: watcher.tell_to_look())
        try:
            with suppress(TimeoutError):
                await self._begin(game, seen)
                while not gone.done() and self._retry is None and await self._news():
                    await self._wait(heartbeat)
                if self._retry is not None:
                    await self._client.write(b"retry: %d\n\n" % self._retry, last=True)
        except asyncio.CancelledError:
            # The server stops at once: the stream ends as it should all the same.
            await self._client.write(b"", last=True)
        finally:
            gone.cancel()
            store.unwatch(self._game, watcher)

    async def _begin(self, game: Game, seen: int | None) -> None:
        """Send the whole game to a client that knows nothing of it, else go on from what it knows."""
        await self._client.begin()
        if seen is not None and 0 < seen <= game.version:
            self._version = seen
        else:
            self._version = game.version
            await self._client.write(_message("game", game.version, view_game(self._game, game, self._seat)))
        self._watcher.look = True

    async def _news(self) -> bool:
        """Send what is new; False when the game is gone."""
        watcher = self._watcher
        watcher.changed.clear()
        look, watcher.look = watcher.look, False
        if not look and watcher.version <= self._version:
            return True
        try:
            steps = await self._keeper.steps_after(self._game, self._version, None if look else watcher.version)
        except Refusal as refusal:
            if refusal.code == "not_found":
                await self._client.write(GONE, last=True)
                return False
            watcher.look = True
            return True
        for step in steps:
            await self._client.write(self._messages.write(self._game, step, self._seat))
            self._version = step.game.version
        return True

    async def _wait(self, heartbeat: float) -> None:
        """Wait for news, with a sign of life now and then; where the store was away, not for long."""
        for _ in range(1 if self._watcher.look else HEARTBEATS_PER_LOOK):
            try:
                async with asyncio.timeout(heartbeat):
                    await self._watcher.changed.wait()
            except TimeoutError:
                await self._client.write(HEARTBEAT)
            else:
                return
        self._watcher.look = True


def _message(event: str, version: int, content: object) -> bytes:
    return b"event: %b\nid: %d\ndata: %b\n\n" % (event.encode(), version, _JSON.encode(content))


async def _until_gone(receive: Receive) -> None:
    """Wait until the client has closed its side."""
    while (await receive())["type"] != "http.disconnect":
        pass
