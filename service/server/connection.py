"""A connection of a client.

The one of uvicorn waits forever for a client that does not read or write, and bounds neither the head nor the requests
that come before the first is answered; this one does. What is written and not yet read by the client is kept in memory,
and each connection takes a file descriptor; both have a bound for the whole process. The kernel keeps little of what is
written (`MAX_UNSENT_BYTES`), and nothing of a connection that is dropped.
"""

import asyncio
import socket
import struct
import sys
from itertools import islice
from logging import ERROR, getLogger
from typing import Any, ClassVar, Final

from prometheus_client import Counter
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from service.http.middleware.request_id import new_request_id
from service.http.problems import PROBLEM_TYPE, write_problem
from service.http.readiness import CLOSE
from service.http.response import ENCODE, WholeResponse
from service.platform.metrics.families import CONNECTIONS_DROPPED
from service.schemas.refusal import Refusal
from service.server.parser import Parser
from service.server.transport import JoiningTransport

READ_BYTES: Final = 64 * 1024
"""Bytes that a client for whom more are waiting has to read in `Connection.read_seconds`, unless it reads all."""
RECEIVE_BUFFER_BYTES: Final = 32 * 1024
"""Bytes of a connection that the kernel takes before they are read; it doubles them for what it adds itself.

The event loop reads all that is there: without a bound, up to megabytes of each connection in one turn. Price: of a
long body some 32 KiB come in each round trip, unless a proxy that is near takes it first.
"""
MAX_UNSENT_BYTES: Final = 64 * 1024
"""Bytes of a connection that the kernel takes before it can send them; without a bound it takes some 4 MB.

A smaller buffer (SO_SNDBUF) would bound what is on its way, too: long answers would take 3 to 11 times as long over a
connection with a round trip of 100 milliseconds.
"""
UNREAD_SECONDS: Final = 30
"""Seconds for which the kernel keeps what a client does not take, also of a connection that is closed."""
MAX_HEAD_BYTES: Final = 32 * 1024
"""Bytes of the head of a request."""
MAX_FIELDS: Final = 100
"""Fields of a head, and of trailers: each takes a microsecond, and of a head 100 bytes and more."""
MAX_PIPELINED: Final = 32
"""Requests that wait on a connection while the one before them is answered: each takes some 3 KB."""
MAX_WAITING_FIELDS: Final = 20 * MAX_PIPELINED
"""Fields of the heads of all requests that wait."""
MAX_PIECES: Final = 256
"""Pieces in which a body may come, such as chunks, with all bodies that come at once, unless they are long.

Each takes a microsecond: a hundred connections, each with 4,000, would keep others waiting for 90 milliseconds.
"""
PIECE_BYTES: Final = 64
"""Bytes of a piece of a body that is long."""
_EVICTED: Final = 16
"""Connections that are closed at once where one is too many: looking for them takes a while."""
_SLOW: Final = CONNECTIONS_DROPPED.labels("slow")
_RESET: Final = struct.pack("ii", 1, 0)
"""To close without waiting for what is not yet sent. Source: socket(7), SO_LINGER."""
_CROWDED: Final = CONNECTIONS_DROPPED.labels("crowded")
_IDLE: Final = CONNECTIONS_DROPPED.labels("idle")
_PIPELINED: Final = CONNECTIONS_DROPPED.labels("pipelined")
_PIECES: Final = CONNECTIONS_DROPPED.labels("pieces")


def bound_kernel_memory(listening: socket.socket) -> None:
    """Bound what the kernel keeps of each connection that will be accepted, and for how long."""
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER_BYTES)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, MAX_UNSENT_BYTES)
    if sys.platform == "linux":
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_SECONDS * 1000)


_logger: Final = getLogger(__name__)
_logger.setLevel(ERROR)  # a warning for each request that cannot be read would fill the log


class _Dropped(Exception):
    """The connection is closed in the middle of what came; the parser stops at it."""


class Connection(HttpToolsProtocol):
    """A connection that is dropped, with what is buffered for it, if its client does not read.

    A plain request that has come whole is answered here, by the application's function; all others by way of ASGI.
    Where there are too many connections, the oldest without a whole request are closed, so that a new one is served:
    a health check is always new.
    """

    max_connections: ClassVar[int] = 2**31
    """Connections of this process, at most."""
    read_seconds: ClassVar[float] = 10.0
    """Seconds in which a client for whom more than 64 KiB are waiting has to read some of them."""
    max_unread_bytes: ClassVar[int] = 64 * 1024 * 1024
    """Bytes that wait to be read, of all connections together."""
    unread: ClassVar[dict["Connection", int]] = {}
    """The bytes that wait, by connection; the one that has waited longest comes first."""
    _open: ClassVar[dict["Connection", None]] = {}
    """Every connection, the oldest first."""
    _read_timer: asyncio.TimerHandle | None = None
    app: Any
    cycle: Any  # the exchange with the application that began last; None before the first
    pipeline: Any  # the exchanges that wait, each with the application
    _held: bytes | None = None
    """The body of a plain request, as far as it has come; None once the application knows the request."""
    _is_whole = False
    _in_body = False
    """True from the end of a head to the end of its body, with the trailers behind it."""
    _head_bytes = 0
    _pieces = 0
    _body_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection in."""
        joining: Any = JoiningTransport(transport)
        super().connection_made(joining)
        self._flush = joining.flush
        self._plain = getattr(self.app, "plain", ())
        self.logger = _logger
        self.parser = Parser(self)
        self._open[self] = None
        if len(self._open) > self.max_connections:
            self._make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        """Let a connection go."""
        self._open.pop(self, None)
        self._end_watch()
        super().connection_lost(exc)
        # After a reset uvicorn lets the timer run on. Each request that was read calls its connection back: a circle
        # that keeps all its bytes until garbage is collected.
        self._unset_keepalive_if_required()
        self.pipeline.clear()
        self.cycle = None

    def data_received(self, data: bytes) -> None:
        """Read what has come, in pieces no longer than a head may be, unless the head of a request gets too long."""
        if len(data) > MAX_HEAD_BYTES:
            for start in range(0, len(data), MAX_HEAD_BYTES):
                if not self.transport.is_closing():
                    self.data_received(data[start : start + MAX_HEAD_BYTES])
            return
        end = -1 if self._in_body else data.find(b"\r\n\r\n")
        self._head_bytes += len(data) if end < 0 else end
        if self._head_bytes > MAX_HEAD_BYTES and not self._in_body:
            self._refuse_long_head()
            return
        if not self._in_body:
            self._pieces = self._body_bytes = 0
        super().data_received(data)
        if self._held is not None and not (self._is_whole and self._answer_held()):
            self._hand_over()
        if self._in_body:
            self._bound_body()

    def _refuse_long_head(self) -> None:
        bound = f"{MAX_HEAD_BYTES} bytes and {MAX_FIELDS} fields at most"
        self.send_400_response(f"The head of a request has {bound}, and so have its trailers.")

    def _bound_body(self) -> None:
        """Bound the trailers of a body, and the wait for the rest of a body that was refused."""
        if self._head_bytes > MAX_HEAD_BYTES:
            self._refuse_long_head()
        elif self._is_answered_early() and not self.transport.is_closing():
            wait = self.timeout_keep_alive
            self.timeout_keep_alive_task = self.loop.call_later(wait, self.timeout_keep_alive_handler)

    def on_message_begin(self) -> None:
        """Begin to read a request, unless too many wait already."""
        if self._held is not None:
            self._hand_over()
        self._in_body = False
        if self.pipeline and self._has_many_waiting():
            self.drop(_PIPELINED)
            raise _Dropped
        super().on_message_begin()

    def _has_many_waiting(self) -> bool:
        fields = sum(len(cycle.scope["headers"]) for cycle, _ in self.pipeline)
        return len(self.pipeline) >= MAX_PIPELINED or fields > MAX_WAITING_FIELDS

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a field of a head, or a trailer, unless there were too many."""
        if len(self.headers) == MAX_FIELDS:
            self._refuse_long_head()
            raise _Dropped
        lowered = name.lower()
        if lowered == b"expect":
            super().on_header(name, value)
        else:
            self.headers.append((lowered, value))

    def on_headers_complete(self) -> None:
        """Hold a plain request, which may be answered here once it has come whole; begin any other."""
        self._head_bytes, self._in_body = 0, True
        # The fields behind a body in chunks are no headers, and nothing reads them. Source: RFC 9110, 6.5.1.
        self.headers = []
        parser, asked = self.parser, (self.parser.get_method(), self.url)
        keeps_alive = asked in self._plain and parser.should_keep_alive() and parser.get_http_version() == "1.1"
        if keeps_alive and not (self.expect_100_continue or parser.should_upgrade()):
            self._held, self._is_whole = b"", False
        else:
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Take a piece of a body, unless there were too many small ones."""
        self._pieces += 1
        self._body_bytes += len(body)
        self._head_bytes = 0
        if self._pieces > MAX_PIECES and self._body_bytes < self._pieces * PIECE_BYTES:
            self.drop(_PIECES)
            raise _Dropped
        if self._held == b"":
            self._held = body
            return
        if self._held is not None:
            self._hand_over()
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Hold a plain request that has come whole until it is known that no other follows."""
        if not (self.parser.should_keep_alive() or self.parser.should_upgrade()):
            self._end_with_answer()
        self._in_body, self._head_bytes, self.headers = False, 0, []
        if self._held is None:
            super().on_message_complete()
        else:
            self._is_whole = True

    def _end_with_answer(self) -> None:
        """Close the connection with this answer: also behind a trailer that says so the parser drops what follows."""
        if self._held is not None:
            self._hand_over()
        self.cycle.keep_alive = False
        if self.cycle.response_complete:
            self.transport.close()

    def _hand_over(self) -> None:
        """Hand the request that is held over to the application, as far as it has come."""
        body, self._held = self._held, None
        super().on_headers_complete()
        if body:
            super().on_body(body)
        if self._is_whole:
            super().on_message_complete()

    def _answer_held(self) -> bool:
        """Answer the request that is held at once, and return True. Return False, with nothing done, if it waits."""
        is_free = self.cycle is None or self.cycle.response_complete
        if not is_free or self.flow.write_paused or self.transport.is_closing():
            return False
        asked, client = (self.parser.get_method(), self.url), self.client[0] if self.client else ""
        response: WholeResponse | None = self.app.answer(asked, self.scope["headers"], client, self.scheme, self._held)
        if response is None:
            return False
        self._held = None
        self._write(response)
        self.on_response_complete()
        return True

    def _write(self, response: WholeResponse) -> None:
        """Write a response, and close the connection if its headers say so."""
        headers = response.list_headers()
        lines = [b"%b: %b\r\n" % header for header in (*self.server_state.default_headers, *headers)]
        self.transport.write(b"".join((STATUS_LINE[response.status], *lines, b"\r\n", response.body)))
        if CLOSE in headers:
            self.transport.close()

    def _should_upgrade(self) -> bool:
        """Return True, so that no request begins with this head: the parser reads it again without the offer."""
        return True

    def handle_websocket_upgrade(self) -> None:
        """Refuse CONNECT, the one upgrade that the parser does not ignore."""
        self.send_400_response("CONNECT is not supported.")

    def send_400_response(self, msg: str) -> None:
        """Refuse what cannot be read with a problem, unless the connection is closed already."""
        if self.transport.is_closing():
            return
        request_id = new_request_id()
        body = ENCODE["json"](write_problem(Refusal("malformed_request", msg), request_id))
        response = WholeResponse(400, PROBLEM_TYPE.encode(), body, ((b"x-request-id", request_id.encode()), CLOSE))
        self._write(response)

    def pause_writing(self) -> None:
        """Begin to watch a client for whom much is waiting."""
        super().pause_writing()
        self._watch()
        while sum(self.unread.values()) > self.max_unread_bytes:
            next(iter(self.unread)).drop(_CROWDED)

    def resume_writing(self) -> None:
        """End the watch: the client has read nearly all."""
        self._end_watch()
        super().resume_writing()

    def on_response_complete(self) -> None:
        """Do not wait longer for the end of a connection than for a client that reads."""
        self._flush()
        if self._is_answered_early():
            self.cycle.body = bytearray()  # what has come of it is of no use
        super().on_response_complete()
        if self.transport.is_closing() and self in self._open:
            self.loop.call_later(self.read_seconds, self.drop, _SLOW)

    def timeout_keep_alive_handler(self) -> None:
        """Close an idle connection, with what its client has not read."""
        if self.transport.get_write_buffer_size():
            self.drop(_SLOW)
        else:
            super().timeout_keep_alive_handler()

    def _watch(self) -> None:
        waiting = self.unread[self] = self.transport.get_write_buffer_size()
        self._read_timer = self.loop.call_later(self.read_seconds, self._check, waiting)

    def _check(self, waited: int) -> None:
        if waited - self.transport.get_write_buffer_size() < READ_BYTES:
            self.drop(_SLOW)
        else:
            self._watch()

    def _end_watch(self) -> None:
        self.unread.pop(self, None)
        if self._read_timer is not None:
            self._read_timer.cancel()
            self._read_timer = None

    def drop(self, reason: Counter) -> None:
        """Close it at once, without what is buffered here and in the kernel, unless it is closed already."""
        if self in self._open:
            del self._open[self]
            reason.inc()
            self._end_watch()
            self.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
            self.transport.abort()

    def _is_answered_early(self) -> bool:
        return self._in_body and self.cycle is not None and self.cycle.response_complete

    def _make_room(self) -> None:
        idle = (each for each in self._open if each is not self and each.has_no_request())
        for each in tuple(islice(idle, _EVICTED)):
            each.drop(_IDLE)

    def has_no_request(self) -> bool:
        """Return True if the client has read the answer to every request that has arrived whole."""
        if self.transport.get_write_buffer_size():
            return False
        return self.cycle is None or self.cycle.response_complete or self.cycle.more_body
