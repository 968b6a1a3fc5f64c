"""The log: one line for each event on standard output, as JSON or as text for people.

A thread writes the lines in batches, so a slow or stopped reader delays no request.
"""

import logging
import os
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from threading import Condition, Thread
from time import sleep
from typing import Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Raw, Struct

from service.http.context import RequestContext, game_hash
from service.http.guards.front import Observer
from service.platform.metrics.families import LOG_LINES_DROPPED

Style: TypeAlias = Literal["json", "text"]

REQUEST_FIELDS: Final = ("request_id", "trace_id", "route", "method", "game")
"""Fields of requests that lines about faults also have, passed to a logger as `extra`."""
EXTRA_FIELDS: Final = (*REQUEST_FIELDS, "url", "docs", "version", "games", "limits")
"""All fields of `extra` that are logged: libraries may pass anything in others."""
QUIET_ROUTES: Final = frozenset({"/livez", "/readyz", "/metrics"})
"""Routes that orchestrators poll: logged only as debug, unless the answer is an error."""
FLUSH_SECONDS: Final = 0.1
"""Most seconds that a line is buffered, unless the reader is slow."""
FLUSH_TIMEOUT: Final = 1.0
"""Seconds that the end of the process waits for a slow reader."""
BUFFER_BYTES: Final = 4 * 1024 * 1024
"""Most bytes of lines that are buffered for a slow reader: about a second of full load."""
REQUEST_BYTES: Final = 656
"""Bytes of a request's line before it is encoded, with the longest id."""
_WRITE_BYTES: Final = 64 * 1024
"""Most bytes per write: the size of a pipe. With fewer, the thread would wait for Python's lock more often."""
_JSON: Final = msgspec.json.Encoder(enc_hook=str)


class RequestLine(Struct, frozen=True, gc=False):
    """The line of one request and its answer, without their contents."""

    timestamp: datetime
    """When the request ended."""
    route: str
    """The template of its path."""
    method: str
    """Its method; for a call of a tool, the method of the operation."""
    status: int
    """The status of the answer."""
    duration: float
    """Seconds until the answer was sent."""
    request_id: str
    """The request id, in the answer and in other lines."""
    trace_id: str
    """The caller's trace id; empty without one."""
    client: str
    """The client's address; empty without one, or if addresses are not logged."""
    app: str
    """The app whose API key the request has; empty without a key."""
    game: str = ""
    """The hash of the request's game; empty without one."""
    level: str = "info"
    """The severity of the line."""
    event: str = "request"
    """The message of request lines, for searches."""


class Writer:
    """Writes lines to a file descriptor from a thread of its own.

    At most `buffer_bytes` are buffered. A line that does not fit or cannot be written is dropped and counted.
    """

    def __init__(self, descriptor: int, buffer_bytes: int = BUFFER_BYTES) -> None:
        self._descriptor = descriptor
        self._buffer_bytes = buffer_bytes
        self._lines: list[RequestLine | Raw] = []
        self._buffered = 0
        self._changed = Condition()
        Thread(target=self._run, name="log", daemon=True).start()

    def add_request(self, line: RequestLine) -> None:
        """Buffer the line of a request; it is encoded as JSON in a batch, when written."""
        self._add(line, REQUEST_BYTES)

    def add(self, line: bytes) -> None:
        """Buffer a line, without its end."""
        self._add(Raw(line), len(line) + 1)

    def _add(self, line: RequestLine | Raw, size: int) -> None:
        with self._changed:
            if self._buffered + size > self._buffer_bytes:
                LOG_LINES_DROPPED.inc()
                return
            self._lines.append(line)
            self._buffered += size

    def flush(self, timeout: float = FLUSH_TIMEOUT) -> None:
        """Wait until all lines are written, or the timeout is over."""
        with self._changed:
            self._changed.wait_for(lambda: not self._buffered, timeout)

    def _run(self) -> None:
        while True:
            sleep(FLUSH_SECONDS)
            with self._changed:
                text, size = memoryview(_JSON.encode_lines(self._lines)), self._buffered
                self._lines.clear()
            self._write(text)
            with self._changed:
                self._buffered -= size
                self._changed.notify_all()

    def _write(self, text: memoryview) -> None:
        try:
            while text:
                text = text[os.write(self._descriptor, text[:_WRITE_BYTES]) :]
        except OSError:  # nobody reads any more
            LOG_LINES_DROPPED.inc(bytes(text).count(b"\n"))


class _Handler(logging.Handler):
    """Writes the standard library's log records."""

    def __init__(self, writer: Writer, render: Callable[[dict[str, Any]], bytes]) -> None:
        super().__init__()
        self._writer = writer
        self._render = render

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record."""
        try:
            self._writer.add(self._render(_event_of(record)))
        except Exception:  # noqa: BLE001 – like every handler: a failure to log must not stop a request
            self.handleError(record)

    def flush(self) -> None:
        """Write the buffer; the standard library calls this when the process ends."""
        self._writer.flush()


def _event_of(record: logging.LogRecord) -> dict[str, Any]:
    fields = vars(record)
    event: dict[str, Any] = {
        "timestamp": datetime.fromtimestamp(record.created, UTC),
        "level": record.levelname.lower(),
        "event": record.getMessage(),
        "logger": record.name,
    }
    event |= {name: fields[name] for name in EXTRA_FIELDS if name in fields}
    if record.exc_info:
        event["exception"] = logging.Formatter().formatException(record.exc_info)
    return event


class Log:
    """The log of a process."""

    def __init__(self, style: Style, level: str, writer: Writer, *, addresses: bool = True) -> None:
        self.style: Style = style
        self.writer = writer
        self._level = level.upper()
        self._least_status = 500 if self._level == "WARNING" else 0
        self._addresses = addresses
        self._quiet_routes = frozenset[str]() if self._level == "DEBUG" else QUIET_ROUTES
        self._render: Callable[[RequestLine | dict[str, Any]], bytes] = _JSON.encode if style == "json" else _as_text

    @property
    def observers(self) -> tuple[Observer, ...]:
        """The observer that logs ended requests: none if requests are not logged."""
        return () if self._level == "ERROR" else (self._log_request,)

    def _log_request(self, context: RequestContext, status: int, seconds: float) -> None:
        if status < self._least_status or (status < 400 and context.route in self._quiet_routes):
            return
        line = RequestLine(
            datetime.now(UTC),
            context.route,
            context.method,
            status,
            round(seconds * 1e6) / 1e6,  # less than half the time of rounding to decimals
            context.request_id,
            context.trace_id,
            context.client if self._addresses else "",
            context.app,
            game_hash(context),
            "info" if status < 500 else "warning",
        )
        if self.style == "json":
            self.writer.add_request(line)
        else:
            self.writer.add(_as_text(line))

    def install(self) -> None:
        """Handle all records of the standard library's logging, including those of libraries."""
        logging.basicConfig(level=self._level, handlers=[_Handler(self.writer, self._render)], force=True)


def _as_text(line: RequestLine | dict[str, Any]) -> bytes:
    """Return a line for people: time, level, event, other fields by name, and a traceback below it if any."""
    event = line if isinstance(line, dict) else msgspec.structs.asdict(line)
    when, trace = event["timestamp"].isoformat(timespec="milliseconds"), event.get("exception")
    apart = {"timestamp", "level", "event", "exception"}
    fields = "".join(f" {name}={_quote(value)}" for name, value in event.items() if name not in apart and value != "")
    return (f"{when} [{event['level']}] {event['event']}{fields}" + (f"\n{trace}" if trace else "")).encode()


def _quote(value: object) -> str:
    text = str(value)
    return text if text.isprintable() and " " not in text else repr(text)


@cache
def set_up(style: Literal["auto", "json", "text"], level: str, addresses: Literal["on", "off"]) -> Log:
    """Return the log of this process; the first call installs it."""
    if style == "auto":
        style = "text" if sys.stdout.isatty() else "json"
    log = Log(style, level, Writer(sys.stdout.fileno()), addresses=addresses == "on")
    log.install()
    return log
