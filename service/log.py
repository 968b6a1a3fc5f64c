"""The log: one line for each event on standard output, as JSON or as text for people, by one pipe for all.

Lines of requests wait a moment for others and go out together, for a call of the system costs as much as all the
rest of a line. Everything else goes out at once.
"""

import asyncio
import logging
import os
import select
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime
from typing import Final, Literal, TypeAlias

import msgspec
import structlog
from msgspec import Struct
from structlog.typing import Processor

Style: TypeAlias = Literal["json", "text"]

ALIKE: Final = ("request_id", "trace_id", "route", "method")
"""What the lines of faults have in common with those of requests, passed to a logger as `extra`."""
WAIT: Final = 0.1
"""Seconds that the line of a request waits for others, at most."""
_JSON: Final = msgspec.json.Encoder(enc_hook=str)


class RequestLine(Struct, frozen=True, gc=False):
    """One request and its answer: nothing of what they hold.

    Unit: `duration` in seconds.
    """

    timestamp: datetime
    route: str
    method: str
    status: int
    duration: float
    request_id: str
    trace_id: str
    client: str
    level: str = "info"
    event: str = "request"


class Lines:
    """Lines on their way out; `write` takes them to where they go.

    Several processes may share a pipe: no more goes at once than the system keeps together.
    """

    def __init__(self, write: Callable[[bytes], None]) -> None:
        self._write = write
        self._waiting: list[bytes] = []
        self._size = 0
        self._due = False

    def add(self, line: bytes) -> None:
        """Take a line, to be written soon."""
        self._size += len(line) + 1
        if self._size > select.PIPE_BUF:
            self.flush()
            self._size = len(line) + 1
        self._waiting.append(line)
        if not self._due:
            self._due = True
            asyncio.get_running_loop().call_later(WAIT, self._flush_due)

    def _flush_due(self) -> None:
        self._due = False
        self.flush()

    def write(self, line: bytes) -> None:
        """Write a line now, after those that wait."""
        self.flush()
        self._write(line + b"\n")

    def flush(self) -> None:
        """Write what waits."""
        waiting, self._waiting, self._size = self._waiting, [], 0
        if waiting:
            self._write(b"\n".join((*waiting, b"")))


class _Handler(logging.Handler):
    """Takes what is logged by way of the standard library."""

    def __init__(self, lines: Lines) -> None:
        super().__init__()
        self._lines = lines

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record."""
        try:
            self._lines.write(self.format(record).encode())
        except Exception:  # noqa: BLE001 – as every handler does: what cannot be logged must not stop a request
            self.handleError(record)


class Log:
    """The log of a process, once it is set up."""

    def __init__(self, style: Style, level: str, write: Callable[[bytes], None]) -> None:
        self.style: Style = style
        self.lines = Lines(write)
        self._level = level.upper()
        self._console = structlog.dev.ConsoleRenderer(
            colors=False, exception_formatter=structlog.dev.plain_traceback, pad_event_to=0
        )

    @property
    def requests(self) -> Callable[[RequestLine], None] | None:
        """What takes the line of a request; None where requests are not logged."""
        if logging.getLevelNamesMapping()[self._level] > logging.INFO:
            return None
        return self._request_as_json if self.style == "json" else self._request_as_text

    def _request_as_json(self, line: RequestLine) -> None:
        self.lines.add(_JSON.encode(line))

    def _request_as_text(self, line: RequestLine) -> None:
        event = msgspec.structs.asdict(line) | {"timestamp": line.timestamp.isoformat(timespec="milliseconds")}
        self.lines.add(self._console(None, "info", event).encode())

    def take_all(self) -> None:
        """Take whatever this process logs, its libraries' messages too."""
        handler = _Handler(self.lines)
        handler.setFormatter(structlog.stdlib.ProcessorFormatter(processors=[*self._shared(), *self._last()]))
        logging.basicConfig(level=self._level, handlers=[handler], force=True)

    @staticmethod
    def _shared() -> Iterable[Processor]:
        yield structlog.stdlib.add_log_level
        yield structlog.stdlib.add_logger_name
        yield structlog.stdlib.ExtraAdder(allow=[*ALIKE, "url", "docs"])
        yield structlog.processors.TimeStamper(fmt="iso", utc=True)
        yield structlog.stdlib.ProcessorFormatter.remove_processors_meta

    def _last(self) -> Iterable[Processor]:
        if self.style == "text":
            yield self._console
            return
        yield structlog.processors.format_exc_info
        yield structlog.processors.JSONRenderer(serializer=_write_json)


def _write_json(event: object, **_: object) -> str:
    return _JSON.encode(event).decode()


def set_up(style: Literal["auto", "json", "text"], level: str) -> Log:
    """Set up the log of this process, on standard output."""
    if style == "auto":
        style = "text" if sys.stdout.isatty() else "json"
    log = Log(style, level, _write_out)
    log.take_all()
    return log


def _write_out(text: bytes) -> None:
    # Where nobody reads any more, there is nobody to tell; requests go on.
    with suppress(OSError):
        while text:
            text = text[os.write(sys.stdout.fileno(), text) :]
