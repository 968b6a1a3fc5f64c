"""The event stream of a live game: server-sent events, one message for each version, as the bearer may see it.

A bare ASGI handler, because ten thousand idle streams are to be cheap.
"""

import asyncio
from collections.abc import Callable
from itertools import cycle
from typing import Any, Final, NamedTuple

import msgspec
from cachetools import LRUCache
from litestar.types import HTTPScope, Receive, Send

from service.api.game_calls import Call, seat_of
from service.api.game_views import view_game, view_streamed
from service.games.log import Game, Step
from service.games.repository import Repository
from service.http.endpoint import send_refusal
from service.http.game_endpoint import PRIVATE, read_call, refusal_headers
from service.http.problems import Refusal
from service.metrics.families import IN_FLIGHT, STREAMS_DROPPED, STREAMS_OPEN, STREAMS_OPENED
from service.rulesets import Seat
from service.store.watchers import Watcher

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
_TOO_MANY: Final = STREAMS_DROPPED.labels("too_many")
_SLOW: Final = STREAMS_DROPPED.labels("slow")


class Streams:
    """An ASGI handler of event streams, `at_most` at once.

    Unit: a heartbeat comes after `heartbeat` seconds without news; a client that takes longer than `patience`
    seconds to take a message is dropped.
    """

    def __init__(self, keeper: Repository, at_most: int, heartbeat: float = 15.0, patience: float = 10.0) -> None:
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
            stream = await self._admit(scope, send)
            if stream is not None:
                await self._run(stream, receive)
        finally:
            self._open -= 1

    async def _run(self, stream: "_Stream", receive: Receive) -> None:
        if self._closed:
            stream.end(RETRY_SPREAD[0])
        self._streams.add(stream)
        try:
            await stream.run(receive)
        finally:
            self._streams.discard(stream)

    async def _admit(self, scope: HTTPScope, send: Send) -> "_Stream | None":
        """Begin a stream; None where it was refused, or the client does not read."""
        call = read_call(scope)
        try:
            game = await self._find(call, scope["method"])
            seat = seat_of(call.bearer(game))
        except Refusal as refusal:
            more = ((b"allow", b"GET"),) if refusal.code == "method_not_allowed" else refusal_headers(refusal)
            await send_refusal(refusal, scope, send, (*PRIVATE, *more))
            return None
        stream = _Stream(self._keeper, self._messages, call.game, seat, _Client(send, self._heartbeat, self._patience))
        try:
            async with asyncio.timeout(self._patience):
                await stream.begin(game, _last_seen(call.headers.get("last-event-id", "")))
        except TimeoutError:
            return None
        return stream

    async def _find(self, call: Call, method: str) -> Game:
        if method != "GET":
            raise Refusal("method_not_allowed", "Events are read with GET.")
        if self._open > self._at_most:
            _TOO_MANY.count()
            raise Refusal("too_many_streams", f"{self._at_most} streams are open.")
        return await self._keeper.load(call.game)


def _last_seen(header: str) -> int | None:
    """Read Last-Event-ID; what is no version counts as none."""
    return int(header) if header.isascii() and header.isdigit() and len(header) < 10 else None


class _Messages:
    """The messages of late, each written once for all who see the same."""

    def __init__(self) -> None:
        self._written: LRUCache[tuple[str, bytes, Seat | None], bytes] = LRUCache(MESSAGES)

    def write(self, game: str, step: Step, seat: Seat | None) -> bytes:
        """Write the message of a step as a seat may see it."""
        key = (game, step.game.line, seat)
        text = self._written.get(key)
        if text is None:
            text = self._written[key] = _message("change", step.game.version, view_streamed(step, seat))
        return text


class _Client(NamedTuple):
    """The client of a stream. Unit: of heartbeat and patience, seconds."""

    send: Send
    heartbeat: float
    patience: float

    async def begin(self) -> None:
        """Send the head."""
        await self.send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
        await self.write(RETRY_HINT)

    async def write(self, text: bytes, *, last: bool = False) -> None:
        """Send some text; it waits for a client that does not read."""
        await self.send({"type": "http.response.body", "body": text, "more_body": not last})


class _Stream(Watcher):
    """One stream: what was sent last, and the one timer that runs, for the next heartbeat or for the client's patience.

    While nothing happens it is a coroutine that waits for the client to leave, and nothing more; what is to be
    written is written by a task that ends with it.
    """

    __slots__ = (
        "_beats",
        "_client",
        "_game",
        "_keeper",
        "_losses",
        "_main",
        "_messages",
        "_retry",
        "_seat",
        "_sent",
        "_timer",
        "_writing",
    )

    def __init__(self, keeper: Repository, messages: _Messages, game: str, seat: Seat | None, client: _Client) -> None:
        super().__init__()
        self._keeper = keeper
        self._messages = messages
        self._game = game
        self._seat = seat
        self._client = client
        self._sent = 0
        self._losses = 0
        self._beats = 0
        self._retry = 0
        self._timer: asyncio.TimerHandle | None = None
        self._writing: asyncio.Task[None] | None = None
        self._main: asyncio.Task[Any] | None = None

    async def begin(self, game: Game, seen: int | None) -> None:
        """Send the whole game to a client that knows nothing of it, else go on from what it knows."""
        await self._client.begin()
        self._losses = self._keeper.losses
        if seen is not None and 0 < seen <= game.version:
            self._sent = seen
        else:
            await self._write_whole(game)

    async def run(self, receive: Receive) -> None:
        """Stream until the client leaves, is too slow, or the game is gone."""
        self._main = asyncio.current_task()
        self._keeper.store.watch(self._game, self)
        self.notify_resync()  # for what has come since the game was read
        STREAMS_OPENED.count()
        _show_open(1)
        try:
            while not self._retry:
                if (await receive())["type"] == "http.disconnect":
                    return
        except asyncio.CancelledError:
            if self._main is None:
                return
        finally:
            _show_open(-1)
            self._keeper.store.unwatch(self._game, self)
            self._set_timer(None)
            if self._writing is not None:
                self._writing.cancel()
        # The server stops: the stream ends as it should, and the client comes back to another process.
        await self._client.write(b"retry: %d\n\n" % self._retry if self._retry else b"", last=True)

    def end(self, retry: int) -> None:
        """Come to an end, and ask the client to come back after so many milliseconds."""
        self._retry = retry
        if self._main is not None:
            self._main.cancel()

    def wake(self) -> None:
        """Write what is new."""
        self._start(b"")

    def _beat(self) -> None:
        """Give a sign of life, and look now and then, for an expiry is not announced."""
        self._beats += 1
        self.resync = self.resync or self._beats % HEARTBEATS_PER_LOOK == 0
        self._start(HEARTBEAT)

    def _start(self, first: bytes) -> None:
        if self._writing is None:
            self._set_timer(self._client.patience, self._drop)
            self._writing = asyncio.create_task(self._write(first))

    def _set_timer(self, seconds: float | None, then: Callable[[], None] | None = None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(seconds, then) if seconds and then else None

    def _drop(self) -> None:
        """End the stream of a client that has not taken in time what it was sent."""
        _SLOW.count()
        self._end()

    def _end(self) -> None:
        """End the stream, to which nothing more is written."""
        if self._main is not None:
            main, self._main = self._main, None
            main.cancel()

    async def _write(self, first: bytes) -> None:
        if first:
            await self._client.write(first)
        while self.resync or self.version > self._sent:
            if not await self._write_news():
                break
        self._writing = None
        self._set_timer(self._client.heartbeat, self._beat)

    async def _write_news(self) -> bool:
        """Write what is new; False where that cannot be told now."""
        look, told = self.resync, self.version
        self.resync, self.version = False, 0
        try:
            steps = await self._keeper.steps_after(self._game, self._sent, None if look else told)
        except Refusal as refusal:
            if refusal.code == "not_found":
                await self._client.write(GONE, last=True)
                self._end()
            self.resync = True
            return False
        latest = self._keeper.remembered(self._game)
        if latest is not None and (latest.version < self._sent or self._losses != self._keeper.losses):
            # The store has lost changes that were told already, of this game or of another: what holds is told anew.
            self._losses = self._keeper.losses
            await self._write_whole(latest)
            return True
        for step in steps:
            await self._client.write(self._messages.write(self._game, step, self._seat))
            self._sent = step.game.version
        return True

    async def _write_whole(self, game: Game) -> None:
        await self._client.write(_message("game", game.version, view_game(self._game, game, self._seat)))
        self._sent = game.version


def _show_open(more: int) -> None:
    """Show that so many more streams are open: while it is, a stream is not a request that somebody waits for."""
    STREAMS_OPEN.level += more
    IN_FLIGHT.level -= more


def _message(event: str, version: int, content: object) -> bytes:
    return b"event: %b\nid: %d\ndata: %b\n\n" % (event.encode(), version, _JSON.encode(content))
