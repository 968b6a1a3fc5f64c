"""A connection of a client.

uvicorn's connection waits forever for a client that does not read or write. It does not bound the head, and it parses
requests behind an unanswered one. This one has a time limit for each wait and reads one request at a time. Unread
output and open connections are bounded for the whole process. The kernel keeps little output (`MAX_UNSENT_BYTES`), and
none of a dropped connection.
"""

import asyncio
import socket
import struct
from itertools import islice
from logging import ERROR, getLogger
from typing import Any, ClassVar, Final
from urllib.parse import unquote

from httptools import HttpParserError, HttpParserUpgrade, parse_url
from prometheus_client import Counter
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from service.http.body import HELD
from service.http.guards.request_id import new_request_id
from service.http.problem_document import PROBLEM_TYPE, write_problem
from service.http.readiness import CLOSE
from service.http.request import caller_at
from service.http.response import ENCODE, WholeResponse
from service.platform.limits import Holding
from service.platform.metrics.families import CONNECTIONS_DROPPED
from service.schemas.refusal import Refusal
from service.server.bounds import MAX_EARLY_BYTES, MAX_FIELDS, MAX_HEAD_BYTES, MAX_PIECES, PIECE_BYTES, READ_BYTES
from service.server.exchange import Exchange
from service.server.parser import Parser

_EVICTED: Final = 16
"""Connections that are closed together when there are too many: finding them takes a while."""
_SLOW: Final = CONNECTIONS_DROPPED.labels("slow")
_CROWDED: Final = CONNECTIONS_DROPPED.labels("crowded")
_IDLE: Final = CONNECTIONS_DROPPED.labels("idle")
_PIECES: Final = CONNECTIONS_DROPPED.labels("pieces")
_RESET: Final = struct.pack("ii", 1, 0)
"""Closes without waiting for unsent bytes. Source: socket(7), SO_LINGER."""
_logger: Final = getLogger(__name__)
_logger.setLevel(ERROR)  # a warning for each malformed request would flood the log


class _Dropped(Exception):
    """The connection was closed inside the received bytes; this stops the parser."""


class Connection(HttpToolsProtocol):
    """A connection that serves one request at a time, and is dropped with its buffers if the client does not read.

    The application's function answers plain requests; all others go through ASGI. At `max_connections`, the oldest
    connections without a whole request are closed to serve new ones, because a health check is always new.
    """

    max_connections: ClassVar[int] = 2**31
    """Most connections of this process."""
    read_seconds: ClassVar[float] = 10.0
    """Seconds in which a client with more than 64 KiB waiting must read some of them."""
    max_unread_bytes: ClassVar[int] = 64 * 1024 * 1024
    """Unread output of all connections together, in bytes."""
    unread: ClassVar[dict["Connection", int]] = {}
    """Unread output by connection, in bytes; the longest wait comes first."""
    _open: ClassVar[dict["Connection", None]] = {}
    """Every connection, the oldest first."""
    _read_timer: asyncio.TimerHandle | None = None
    """The timer for a client that does not read."""
    app: Any
    """The application."""
    cycle: Any
    """The latest exchange with the application; None before the first."""
    _unparsed = b""
    """Received bytes that are not parsed yet: they wait while a request is unanswered."""
    _ahead: Holding | None = None
    """The reserved memory of bytes behind an unanswered request."""
    _held: bytes | None = None
    """The received body of a plain request; None once the application has the request."""
    _is_whole = False
    """True from the end of a request to the end of its answer."""
    _in_body = False
    """True from the end of a head to the end of its body, with the trailers behind it."""
    _body_left = 0
    """Missing bytes of the body, if the head announced a length."""
    _line_ends = b""
    """The last parsed bytes: they may begin the empty line that ends a head or a chunked body."""
    _head_bytes = 0
    _pieces = 0
    _body_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection in."""
        super().connection_made(transport)
        if self.client is not None:  # an IPv4 address on a socket for both families
            self.client = self.client[0].removeprefix("::ffff:"), self.client[1]
        self._plain = getattr(self.app, "plain", ())
        self.parser = Parser(self)
        self._start_idle_timer()
        self._open[self] = None
        if len(self._open) > self.max_connections:
            self._make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        """Let a connection go."""
        self._open.pop(self, None)
        self._end_watch()
        self._unparsed = b""
        self._forget_early()
        super().connection_lost(exc)
        # After a reset, uvicorn leaves the timer running. A half-read request refers to its connection: a cycle that
        # keeps all its bytes until the garbage collector runs.
        self._unset_keepalive_if_required()
        self.cycle = None

    def data_received(self, data: bytes) -> None:
        """Parse received bytes up to the end of a request; the rest waits until the request is answered."""
        self._unparsed += data
        self._read()

    def _read(self) -> None:
        while self._unparsed and not (self._is_whole or self.transport.is_closing()):
            end = self._find_end()
            piece, self._unparsed = self._unparsed[:end], self._unparsed[end:]
            self._parse(piece)
        if self._held is not None and not (self._is_whole and self._answer_held()):
            self._hand_over()
        if self._is_whole and self._unparsed:
            self._keep_early()

    def _find_end(self) -> int:
        """Return how many bytes to parse next, so that no request ends inside them.

        A request ends with its announced length or with an empty line. Source: RFC 9112, 6.3 and 7.1.
        """
        if self._body_left:
            size = min(self._body_left, len(self._unparsed))
            self._body_left -= size
            return size
        known, came = len(self._line_ends), self._line_ends + self._unparsed
        end = came.find(b"\r\n\r\n")
        self._line_ends = came[-3:] if end < 0 else b""
        return (len(came) if end < 0 else end + 4) - known

    def _parse(self, piece: bytes) -> None:
        """Parse a piece of a request, within the bounds of its head and trailers."""
        self._head_bytes += len(piece)
        if self._head_bytes > MAX_HEAD_BYTES and not self._in_body:
            self._refuse_long_head()
            return
        try:
            self.parser.feed_data(piece)
        except HttpParserError:
            self.send_400_response("Invalid HTTP request received.")
        except HttpParserUpgrade:  # CONNECT, the one upgrade that the parser does not ignore
            self.send_400_response("CONNECT is not supported.")
        if self._in_body and self._held is None:
            self._bound_body()

    def _keep_early(self) -> None:
        """Keep the bytes behind an unanswered request; behind a stream, which never ends, drop the connection."""
        if self.cycle.is_stream:
            self._reset()
            return
        if self._ahead is None:
            self._ahead = Holding(HELD, caller_at(self.client[0] if self.client else ""))
        try:
            self._ahead.hold(len(self._unparsed))
        except Refusal:
            self.drop(_CROWDED)
        if len(self._unparsed) > MAX_EARLY_BYTES:
            self.flow.pause_reading()

    def _begin_stream(self) -> None:
        if self._unparsed:
            self._reset()

    def _forget_early(self) -> None:
        if self._ahead is not None:
            self._ahead.hold(0)

    def _refuse_long_head(self) -> None:
        bound = f"{MAX_HEAD_BYTES} bytes and {MAX_FIELDS} fields at most"
        self.send_400_response(f"The head of a request has {bound}, and so have its trailers.")

    def _bound_body(self) -> None:
        """Bound the trailers of a body, and the wait for the rest of a refused body."""
        if self._head_bytes > MAX_HEAD_BYTES:
            self._refuse_long_head()
        elif self._is_answered_early() and not self.transport.is_closing():
            self._start_idle_timer()

    def _start_idle_timer(self) -> None:
        """Limit the wait for the whole next head, or for the rest of a refused body."""
        self._unset_keepalive_if_required()
        wait, close = self.timeout_keep_alive, self.timeout_keep_alive_handler
        self.timeout_keep_alive_task = self.loop.call_later(wait, close)

    def on_message_begin(self) -> None:
        """Begin to read a request."""
        if self._is_whole:  # the parser found an end of a request that `_find_end` missed
            raise _Dropped
        self._in_body, self._pieces, self._body_bytes = False, 0, 0
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header field or a trailer, unless there were too many."""
        if len(self.headers) == MAX_FIELDS:
            self._refuse_long_head()
            raise _Dropped
        lowered = name.lower()
        if lowered == b"expect":
            super().on_header(name, value)
            return
        if lowered == b"content-length" and not self._in_body:
            self._body_left = int(value)  # the parser refused anything but a number
        self.headers.append((lowered, value))

    def on_headers_complete(self) -> None:
        """Hold a plain request, to be answered here once it is complete; begin any other."""
        self._unset_keepalive_if_required()
        self._head_bytes, self._in_body = 0, True
        # Trailers are no headers, and nothing reads them. Source: RFC 9110, 6.5.1.
        self.headers = []
        parser, asked = self.parser, (self.parser.get_method(), self.url)
        if parser.should_upgrade():  # the parser reads this head again without the offer
            return
        keeps_alive = asked in self._plain and parser.should_keep_alive() and parser.get_http_version() == "1.1"
        if keeps_alive and not self.expect_100_continue:
            self._held = b""
        else:
            self._begin()

    def _begin(self) -> None:
        """Begin the exchange of this request with the application."""
        url, version = parse_url(self.url), self.parser.get_http_version()
        self.scope["method"] = self.parser.get_method().decode("ascii")
        self.scope["http_version"] = version
        self.scope["path"] = unquote(url.path.decode("ascii"))
        self.scope["raw_path"], self.scope["query_string"] = url.path, url.query or b""
        self.cycle = Exchange(
            scope=self.scope,
            transport=self.transport,
            flow=self.flow,
            logger=_logger,
            access_logger=_logger,
            access_log=False,
            default_headers=self.server_state.default_headers,
            message_event=asyncio.Event(),
            expect_100_continue=self.expect_100_continue,
            keep_alive=version != "1.0" and self.parser.should_keep_alive(),
            on_response=self.on_response_complete,
            on_stream=self._begin_stream,
        )
        self._start_asgi_task(self.cycle, self.app)

    def on_body(self, body: bytes) -> None:
        """Take a piece of a body, unless there were too many short ones."""
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
        """Answer a complete request before the next one is read."""
        if self.parser.should_upgrade():
            return
        if not self.parser.should_keep_alive():
            self._end_with_answer()
        self._in_body, self._head_bytes = False, 0
        self._is_whole = self._held is not None or not self.cycle.response_complete
        if self._held is None:
            super().on_message_complete()

    def _end_with_answer(self) -> None:
        """Close the connection with this answer: after such a trailer, the parser drops all further bytes."""
        if self._held is not None:
            self._hand_over()
        self.cycle.keep_alive = False
        if self.cycle.response_complete:
            self.transport.close()

    def _hand_over(self) -> None:
        """Hand the held request, as far as it has arrived, to the application."""
        body, self._held = self._held, None
        self._begin()
        if body:
            super().on_body(body)
        if self._is_whole:
            super().on_message_complete()

    def _answer_held(self) -> bool:
        """Answer the held request at once, and return True. Return False, with nothing done, if it must wait."""
        if self.flow.write_paused or self.transport.is_closing():
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

    def send_400_response(self, msg: str) -> None:
        """Refuse a malformed request with a problem, unless the connection is closed already."""
        if self.transport.is_closing():
            return
        request_id = new_request_id()
        body = ENCODE["json"](write_problem(Refusal("malformed_request", msg), request_id))
        response = WholeResponse(400, PROBLEM_TYPE.encode(), body, ((b"x-request-id", request_id.encode()), CLOSE))
        self._write(response)

    def pause_writing(self) -> None:
        """Begin to watch a client with much unread output."""
        super().pause_writing()
        self._watch()
        while sum(self.unread.values()) > self.max_unread_bytes:
            next(iter(self.unread)).drop(_CROWDED)

    def resume_writing(self) -> None:
        """End the watch: the client has read nearly all."""
        self._end_watch()
        super().resume_writing()

    def on_response_complete(self) -> None:
        """Read the next request in a later turn of the event loop, or give the client time to read a last answer."""
        if self._is_answered_early():
            self.cycle.body = bytearray()  # a part of a request is of no use
        self._is_whole = False
        if self.transport.is_closing():
            if self in self._open:
                self.loop.call_later(self.read_seconds, self.drop, _SLOW)
            return
        self.flow.resume_reading()
        self._start_idle_timer()
        if self._unparsed:
            self._forget_early()
            self.loop.call_soon(self._read)

    def timeout_keep_alive_handler(self) -> None:
        """Close an idle connection, with its unread output."""
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
        """Close it at once, and drop the buffers here and in the kernel, unless it is closed already."""
        if self in self._open:
            reason.inc()
            self._reset()

    def _reset(self) -> None:
        self._open.pop(self, None)
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
