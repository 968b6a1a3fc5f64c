"""One request and its answer through ASGI.

uvicorn's exchange sends chunks to clients of HTTP/1.0, and does not tell its connection that a stream begins.
"""

from collections.abc import Callable
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

_WITHOUT_LENGTH: Final = frozenset({204, 304})
"""Statuses of answers that have no body, and so no length. Source: RFC 9110, 8.6."""


class Exchange(RequestResponseCycle):
    """A request and its answer."""

    is_stream = False
    """True once an answer of unknown length has begun, such as an event stream."""

    def __init__(self, *, on_stream: Callable[[], None], **of_uvicorn: Any) -> None:
        super().__init__(**of_uvicorn)
        self._on_stream = on_stream
        self._is_old = self.scope["http_version"] == "1.0"

    def send(self, message: Any) -> Any:  # a coroutine of its own would cost each answer two more
        """Send the head or a part of the body."""
        if message["type"] == "http.response.start":
            self._begin(message)
        elif self.is_stream and self._is_old:
            self.expected_content_length = len(message.get("body", b""))
        return super().send(message)

    def _begin(self, message: Any) -> None:
        if message["status"] in _WITHOUT_LENGTH or b"content-length" in dict(message.get("headers", ())):
            return
        self.is_stream = True
        if self._is_old:  # HTTP/1.0 has no chunks: the body ends with the connection. Source: RFC 9112, 6.3
            self.chunked_encoding = False
        self._on_stream()
