"""A log that tests can read."""

from collections.abc import Mapping
from typing import Any

from service.runtime.logging import RequestLine, line_of


class RecordedLog:
    """A log that keeps its lines."""

    def __init__(self) -> None:
        self.lines: list[RequestLine] = []

    def add(self, scope: Mapping[str, Any], status: int, seconds: float) -> None:
        """Keep the line of a request that is answered."""
        self.lines.append(line_of(scope, status, seconds))
