"""A transport that sends the head of an answer together with its body: uvicorn writes them one after the other.

A write is a call of the operating system, and wakes the client: two of them are a twentieth of the time of a question.
"""

import asyncio
from typing import Any, Final

JOINED_BYTES: Final = 64 * 1024
"""Bytes of a body that is copied behind its head; a longer one is written by itself."""
_CONTINUE: Final = b"HTTP/1.1 100"


class JoiningTransport:
    """A transport that holds a head back until the body comes, or there is none."""

    __slots__ = ("_held", "_transport", "get_write_buffer_size", "is_closing")

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._held = b""
        self.is_closing = transport.is_closing
        self.get_write_buffer_size = transport.get_write_buffer_size

    def __getattr__(self, name: str) -> Any:
        """Return what the transport itself does."""
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """Write, unless it is the head of an answer: that waits for what is written next."""
        if self._held:
            if len(data) <= JOINED_BYTES:
                data = self._held + data
            else:
                self._transport.write(self._held)
            self._held = b""
        elif data.startswith(b"HTTP/1.1 ") and data.endswith(b"\r\n\r\n") and not data.startswith(_CONTINUE):
            self._held = data
            return
        self._transport.write(data)

    def flush(self) -> None:
        """Write a head that has no body."""
        if self._held:
            held, self._held = self._held, b""
            self._transport.write(held)

    def close(self) -> None:
        """Close the connection once all is written."""
        self.flush()
        self._transport.close()
