"""The event streams of live games: server-sent events, a message for each version, as the bearer may see it.

Ten thousand idle streams must be cheap, so each is one waiting coroutine without a framework around it.
"""

from itertools import cycle
from typing import Final

from litestar.types import ASGIApp, Receive, Scope, Send

from service.api.games.event_messages import MessageCache
from service.api.games.event_stream import Client, EventStream, StreamServices
from service.api.games.game_request import GameRequest
from service.api.games.games import GAMES_PATH, MISSING
from service.http.operation import Operation
from service.http.parameters import LAST_EVENT_ID
from service.live.computers import Computers
from service.live.presence import Presence, list_present_seats
from service.live.repository import Repository
from service.live.tokens import require_role
from service.platform.limits import STREAMS, Account
from service.platform.metrics.families import STREAMS_DROPPED
from service.schemas.ids import Caller
from service.schemas.refusal import Refusal

RETRY_SPREAD: Final = range(500, 3000, 50)
"""Milliseconds over which clients reconnect, spread out, when the process stops."""
_TOO_MANY: Final = STREAMS_DROPPED.labels("too_many")


class Streams:
    """The open event streams of this process, `at_most` of them.

    Unit: seconds. `heartbeat` is the time between heartbeats; a client is dropped after `timeout` without reading.
    """

    def __init__(
        self,
        repository: Repository,
        presence: Presence,
        computers: Computers,
        at_most: int,
        heartbeat: float,
        timeout: float,
    ) -> None:
        self._services = StreamServices(repository, computers, presence, MessageCache())
        self._places = Account(STREAMS, at_most)
        self._heartbeat = heartbeat
        self._timeout = timeout
        self._streams = set[EventStream]()
        self._closed = False

    def close(self) -> None:
        """End every stream, and ask the clients to reconnect to another process, spread out in time."""
        self._closed = True
        for retry, stream in zip(cycle(RETRY_SPREAD), tuple(self._streams), strict=False):
            stream.end(retry)

    async def open(self, request: GameRequest) -> ASGIApp:
        """Return the stream of a game, as an ASGI application, for a bearer who may see it.

        Errors: Refusal.
        """
        self._take_place(request.caller)
        try:
            game, leases = await self._services.repository.look(request.game_id)
            role = require_role(game, request.token)
        except BaseException:
            self._places.give_back(request.caller)
            raise

        async def stream_events(_: Scope, receive: Receive, send: Send) -> None:
            client = Client(send, self._heartbeat, self._timeout)
            stream = EventStream(self._services, request, role, list_present_seats(leases), client)
            self._streams.add(stream)
            try:
                await stream.enter(game)
                if await stream.begin(game, request.last_seen):
                    if self._closed:
                        stream.end(RETRY_SPREAD[0])
                    await stream.run(receive)
            finally:
                self._places.give_back(request.caller)
                self._streams.discard(stream)
                await stream.leave()

        return stream_events

    def _take_place(self, caller: Caller) -> None:
        """Take a place for a stream.

        Errors: Refusal, if all are taken or the caller has used its share.
        """
        try:
            self._places.take(caller)
        except Refusal:
            _TOO_MANY.inc()
            raise


@Operation(
    GAMES_PATH + "/{game_id}/events",
    tag="Live games",
    operation_id="follow_events",
    summary="Follow the events of a game",
    description="Server-sent events, in place of a WebSocket, as the bearer of the token may see them. The stream "
    "begins with an event `game`, which has the whole game (`LiveGame`), unless `Last-Event-ID` names a version of it "
    "to go on from. For each version after that comes an event `change` (`GameChange`). The id of an event is the "
    "version, as the `ETag` names it, without quotes. If players change seats, or the store has lost versions that "
    "were shown, another event `game` replaces everything shown before. An event `presence`, without an id, says which "
    "seats are present where that is news: a seat is present while a stream with its token is open. At the end comes "
    "`gone`, if the game was deleted or has expired. Comments at intervals show that the stream is alive. It ends when "
    "the game is gone, when the client does not read, and when the process stops, which says in `retry` when to "
    "connect again.",
    response_description="The stream.",
    is_stream=True,
    private=True,
    bearer="optional",
    optional_parameters=(LAST_EVENT_ID,),
    problems=("malformed_request", "unknown_token", *MISSING, "store_down", "too_many_streams", "share_used_up"),
)
async def follow_events(request: GameRequest, *, streams: Streams) -> ASGIApp:
    """Stream the events of one game to one client."""
    return await streams.open(request)


HANDLERS: Final[tuple[Operation, ...]] = (follow_events,)
