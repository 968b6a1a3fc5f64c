"""The log: one line for each event on standard output, as JSON or as text for people, by one pipe for all.

Lines of requests wait a moment for others, are written down in one go and leave together: that costs half of what each
by itself would. Everything else goes out at once.
"""

import asyncio
import logging
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

from service.http.context import log_names

Style: TypeAlias = Literal["json", "text"]

ALIKE: Final = ("request_id", "trace_id", "route", "method")
"""What the lines of faults have in common with those of requests, passed to a logger as `extra`."""
TOLD: Final = (*ALIKE, "url", "docs")
"""What a line tells of all that is passed as `extra`; whatever else libraries pass may hold anything."""
WAIT: Final = 0.1
"""Seconds that the line of a request waits for others, at most."""
TOGETHER: Final = 64
"""Lines of requests that go out at once, at most."""
TOGETHER_OF_SEVERAL: Final = 8
"""The same where several processes share a pipe: it keeps 4096 bytes together, and a line has 500 at most."""
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


def line_of(scope: Mapping[str, Any], status: int, seconds: float) -> RequestLine:
    """Write down a request that is answered."""
    client = scope["client"]
    return RequestLine(
        datetime.now(UTC),
        **log_names(scope),
        status=status,
        duration=round(seconds, 6),
        client=client[0] if client else "",
    )


class Lines:
    """Lines on their way out; `write` takes them to where they go, `render` makes them of requests that are answered.

    Shape: `together` lines go out at once, at most.
    """

    def __init__(
        self, write: Callable[[bytes], None], render: Callable[[list[RequestLine]], bytes], together: int = TOGETHER
    ) -> None:
        self._together = together
        self._write = write
        self._render = render
        self._waiting: list[RequestLine] = []
        self._due = False

    def add(self, scope: Mapping[str, Any], status: int, seconds: float) -> None:
        """Take a request that is answered; its line is written soon."""
        # The line, not the request, is kept: what is left of that is better let go at once.
        self._waiting.append(line_of(scope, status, seconds))
        if len(self._waiting) >= self._together:
            self.flush()
        elif not self._due:
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
        waiting, self._waiting = self._waiting, []
        if waiting:
            self._write(self._render(waiting))


class _Handler(logging.Handler):
    """Takes what is logged by way of the standard library."""

    def __init__(self, lines: Lines, render: Callable[[dict[str, Any]], bytes]) -> None:
        super().__init__()
        self._lines = lines
        self._render = render

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record."""
        try:
            self._lines.write(self._render(_event_of(record)))
        except Exception:  # noqa: BLE001 – as every handler does: what cannot be logged must not stop a request
            self.handleError(record)


def _event_of(record: logging.LogRecord) -> dict[str, Any]:
    told = vars(record)
    event: dict[str, Any] = {
        "timestamp": datetime.fromtimestamp(record.created, UTC),
        "level": record.levelname.lower(),
        "event": record.getMessage(),
        "logger": record.name,
    }
    event |= {name: told[name] for name in TOLD if name in told}
    if record.exc_info:
        event["exception"] = logging.Formatter().formatException(record.exc_info)
    return event


class Log:
    """The log of a process, once it is set up."""

    def __init__(self, style: Style, level: str, write: Callable[[bytes], None], together: int = TOGETHER) -> None:
        self.style: Style = style
        self.lines = Lines(write, _JSON.encode_lines if style == "json" else _as_text, together)
        self._level = level.upper()

    @property
    def requests(self) -> Callable[[Mapping[str, Any], int, float], None] | None:
        """What takes a request that is answered; None where requests are not logged."""
        return self.lines.add if logging.getLevelNamesMapping()[self._level] <= logging.INFO else None

    def take_all(self) -> None:
        """Take whatever this process logs, its libraries' messages too."""
        handler = _Handler(self.lines, _JSON.encode if self.style == "json" else _write_text)
        logging.basicConfig(level=self._level, handlers=[handler], force=True)


def _as_text(lines: list[RequestLine]) -> bytes:
    return b"".join(_write_text(msgspec.structs.asdict(line)) + b"\n" for line in lines)


def _write_text(event: dict[str, Any]) -> bytes:
    """Write an event for people: when, how grave, what, the rest by name, and below it the traceback if it has one."""
    when, trace = event["timestamp"].isoformat(timespec="milliseconds"), event.get("exception")
    apart = {"timestamp", "level", "event", "exception"}
    named = "".join(f" {name}={_show(value)}" for name, value in event.items() if name not in apart)
    return (f"{when} [{event['level']}] {event['event']}{named}" + (f"\n{trace}" if trace else "")).encode()


def _show(value: object) -> str:
    text = str(value)
    return text if text.isprintable() and " " not in text else repr(text)


def set_up(style: Literal["auto", "json", "text"], level: str, processes: int = 1) -> Log:
    """Set up the log of this process, which shares standard output with so many in all."""
    if style == "auto":
        style = "text" if sys.stdout.isatty() else "json"
    log = Log(style, level, _write_out, TOGETHER if processes == 1 else TOGETHER_OF_SEVERAL)
    log.take_all()
    return log


def _write_out(text: bytes) -> None:
    # Where nobody reads any more, there is nobody to tell; requests go on.
    with suppress(OSError):
        while text:
            text = text[os.write(sys.stdout.fileno(), text) :]
