"""A log that tests can read."""

from types import SimpleNamespace
from typing import Any

from service.server.logging import Log, RequestLine


class RecordedLog:
    """A log that keeps its lines; `add` takes the context, the status and the seconds of a request."""

    def __init__(self) -> None:
        self.lines: list[RequestLine] = []
        writer: Any = SimpleNamespace(add_request=self.lines.append)
        (self.add,) = Log("json", "debug", writer).observers
