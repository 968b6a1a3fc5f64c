"""One event stream of a live game, from its head to its end."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from litestar.types import Receive, Send

from service.api.games.event_messages import GONE, HEARTBEAT, MessageCache, write_game, write_presence, write_retry
from service.api.games.game_request import GameRequest
from service.api.games.games import MISSING
from service.game.generators import Sliced, run_to_end
from service.game.rulesets import Seat
from service.live.computers import Computers
from service.live.log import Game, Step, moves_seats
from service.live.presence import Presence, list_present_seats
from service.live.repository import RECENT, Repository
from service.live.store.watchers import Watcher
from service.live.tokens import Role, find_seat, hash_forms, is_held, seat_of
from service.platform.metrics.families import IN_FLIGHT, STREAMS_DROPPED, STREAMS_OPEN, STREAMS_OPENED
from service.platform.time_slices import TimeSlice
from service.schemas.ids import Token
from service.schemas.refusal import Refusal
from service.schemas.revision import NO_REVISION, Revision

_HEADERS: Final = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"private, no-store"),
    (b"vary", b"authorization"),
    (b"x-accel-buffering", b"no"),
]
RETRY: Final = 1000
"""Milliseconds before a client that lost the stream reconnects."""
HEARTBEATS_PER_CHECK: Final = 4
"""Heartbeats without changes after which a stream checks its game in the store: an expiry is not announced."""
_SLOW: Final = STREAMS_DROPPED.labels("slow")


class Client(NamedTuple):
    """The client of a stream.

    Unit: seconds. `heartbeat` is the time between heartbeats, `timeout` bounds a write.
    """

    send: Send
    heartbeat: float
    timeout: float

    async def begin(self) -> None:
        """Send the head."""
        await self.send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
        await self.write(write_retry(RETRY))

    async def write(self, text: bytes, *, last: bool = False) -> None:
        """Send some text; while the client does not read, this waits."""
        await self.send({"type": "http.response.body", "body": text, "more_body": not last})


class StreamServices(NamedTuple):
    """The services that all streams of a process share."""

    repository: Repository
    computers: Computers
    presence: Presence
    messages: MessageCache


class EventStream(Watcher):
    """One event stream.

    It has one timer, either for the next heartbeat or for the timeout of a write. Between two changes it is only a
    coroutine that waits for a disconnect; a separate task writes.
    """

    def __init__(
        self, services: StreamServices, request: GameRequest, role: Role, present: tuple[Seat, ...], client: Client
    ) -> None:
        super().__init__()
        self._repository, self._computers, self._presence, self._messages = services
        seat = seat_of(role)
        self._lease = None if seat is None else self._presence.lease(request.game_id, seat)
        self._present = tuple(sorted({*present, *(() if seat is None else (seat,))}))
        self._caller = request.caller
        self._game = request.game_id
        self._role: Role = role
        self._hashed = hash_forms(request.token or Token(""))
        self._client = client
        self._sent = NO_REVISION
        self._replayed: Game | None = None
        self._heartbeats = 0
        self._retry = 0
        self._timer: asyncio.TimerHandle | None = None
        self._writing: asyncio.Task[None] | None = None
        self._main: asyncio.Task[Any] | None = None

    async def enter(self, game: Game) -> None:
        """Mark the seat of the stream as present."""
        if self._lease is not None:
            await self._lease.enter(game)

    async def leave(self) -> None:
        """Mark the seat of the stream as absent, unless it has another stream."""
        if self._lease is not None:
            await self._lease.leave()

    async def begin(self, game: Game, last_seen: Revision | None) -> bool:
        """Send the head, and the whole game unless the client names a revision; `run` checks that the game has it.

        Return False if the client does not read.
        """
        try:
            async with asyncio.timeout(self._client.timeout):
                await self._client.begin()
                if last_seen is None:
                    await self._write_game(game)
                else:
                    self._sent = last_seen
                    await self._client.write(write_presence(self._present))
        except TimeoutError:
            return False
        return True

    async def run(self, receive: Receive) -> None:
        """Stream until the client disconnects or does not read, or the game is gone."""
        self._main = asyncio.current_task()
        self._repository.store.watch(self._game, self)
        self.notify_resync()  # for changes made since the game was loaded
        STREAMS_OPENED.inc()
        _count_open(1)
        try:
            while not self._retry:
                if (await receive())["type"] == "http.disconnect":
                    return
        except asyncio.CancelledError:
            if self._main is None:
                return
        finally:
            _count_open(-1)
            self._repository.store.unwatch(self._game, self)
            self._set_timer(None)
            if self._writing is not None:
                self._writing.cancel()
        # The process stops: after a complete end, the client reconnects to another process.
        await self._client.write(write_retry(self._retry) if self._retry else b"", last=True)

    def end(self, retry: int) -> None:
        """End the stream, and ask the client to reconnect after `retry` milliseconds."""
        self._retry = retry
        if self._main is not None:
            self._main.cancel()

    def wake(self) -> None:
        """Begin to write what is pending."""
        if self._is_pending():
            self._start_writing(b"")

    def _send_heartbeat(self) -> None:
        """Write a heartbeat, and sometimes check the game in the store, because an expiry is not announced."""
        self._heartbeats += 1
        self.resync = self.resync or self._heartbeats % HEARTBEATS_PER_CHECK == 0
        self._start_writing(HEARTBEAT)

    def _start_writing(self, first: bytes) -> None:
        if self._writing is None:
            self._writing = asyncio.create_task(self._write(first))

    def _set_timer(self, seconds: float | None, callback: Callable[[], None] | None = None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(seconds, callback) if seconds and callback else None

    def _drop_slow(self) -> None:
        """Drop a client that has not read within the timeout."""
        _SLOW.inc()
        self._stop()

    def _stop(self) -> None:
        """Leave `run` without another write."""
        if self._main is not None:
            main, self._main = self._main, None
            main.cancel()

    async def _send(self, text: bytes, *, last: bool = False) -> None:
        """Send some text; a client that does not take it within the timeout is dropped."""
        self._set_timer(self._client.timeout, self._drop_slow)
        await self._client.write(text, last=last)

    async def _write(self, first: bytes) -> None:
        if first:
            await self._send(first)
        while self._is_pending():
            if not await self._write_pending():
                break
        if self._lease is not None:
            await self._lease.renew()
        self._writing = None
        self._set_timer(self._client.heartbeat, self._send_heartbeat)

    def _is_pending(self) -> bool:
        return (
            self.resync
            or self.presence_leases is not None
            or self._replayed is not None
            or self.notified not in (None, self._sent)
        )

    async def _write_pending(self) -> bool:
        """Write the pending changes. Return False if the stream ends, or the store cannot be read now."""
        if self.presence_leases is not None:
            leases, self.presence_leases = self.presence_leases, None
            await self._write_presence(list_present_seats(leases))
            return True
        resync, until = self.resync, None if self.resync else self.notified
        seen, self._replayed = self._replayed, None
        self._set_timer(None)  # while the client waits for the stream
        self.resync, self.notified = False, None
        try:
            if resync:
                _, leases = await self._repository.look(self._game)
                await self._write_presence(list_present_seats(leases))
            now, steps = await self._repository.steps_after(self._game, self._sent, until, seen)
        except Refusal as refusal:
            if refusal.code in MISSING:
                await self._send(GONE, last=True)
                self._stop()
            self.resync = True
            return False
        self._computers.start_after_timeout(self._game, now, self._caller)
        if steps is None or moves_seats(steps):
            # The store lost the client's version, the client never had it, or it changed seats: send the whole game.
            return await self._write_game(now)
        if not steps:
            return True
        if steps[-1].game.version < now.version:  # the next page follows once the client has read this one
            self._replayed = steps[-1].game
        return await self._write_steps(steps, now)

    async def _write_steps(self, steps: Sequence[Step], now: Game) -> bool:
        """Write a page of changes; a long one in time slices."""
        work = self._write_changes(steps, now)
        if len(steps) <= RECENT:
            text, game, last = run_to_end(work)
        else:
            async with TimeSlice(self._caller) as time_slice:
                text, game, last = await time_slice.run(work)
        return await self._write_version(text, game, last=last)

    def _write_changes(self, steps: Sequence[Step], now: Game) -> Sliced[tuple[bytes, Game, bool]]:
        """Return changes as text, the game after them, and True if the client may see no more of it than these."""
        texts, game, role = list[bytes](), steps[0].game, self._role
        for step in steps:
            yield
            game = step.game
            role = self._role_in(game, now)
            texts.append(self._messages.write_change(self._game, step, seat_of(role)))
            if role != self._role:
                break
        return b"".join(texts), game, role != self._role

    async def _write_presence(self, present: tuple[Seat, ...]) -> None:
        """Write the seats that are present, unless the client was told so."""
        if present != self._present:
            self._present = present
            await self._send(write_presence(present))

    async def _write_game(self, game: Game) -> bool:
        await self._change_seat(game)
        role = self._role_in(game, game)
        text = write_game(self._game, game, role, self._present)
        return await self._write_version(text, game, last=role != self._role)

    async def _change_seat(self, game: Game) -> None:
        """Follow the token to another seat, and mark that as present instead of the old one."""
        seat, lease = find_seat(game, self._hashed), self._lease
        if lease is None or seat is None or seat == self._role:
            return
        self._role, self._lease = seat, None
        await lease.leave()
        self._lease = self._presence.lease(self._game, seat)
        await self._lease.enter(game)

    def _role_in(self, game: Game, now: Game) -> Role:
        """Return the role in which the client sees a game: a spectator, once its token is void.

        In a replayed game from before the token existed, it is the seat if the token is valid now.
        """
        seat = seat_of(self._role)
        is_valid = seat is None or is_held(game, seat, self._hashed) or is_held(now, seat, self._hashed)
        return self._role if is_valid else "spectator"

    async def _write_version(self, text: bytes, game: Game, *, last: bool) -> bool:
        """Write a version. Return False if it is the last that the client may see, so the stream ends."""
        await self._send(text, last=last)
        self._sent = game.revision
        if self._lease is not None:
            self._lease.see(game)
        if last:
            self._stop()
        return not last


def _count_open(more: int) -> None:
    """Count an open stream, and no longer a request in flight: nobody waits for the end of a stream."""
    STREAMS_OPEN.inc(more)
    IN_FLIGHT.dec(more)
