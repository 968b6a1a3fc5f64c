"""A transport that writes the head of an answer together with its body: uvicorn makes two calls of the system of it."""

import asyncio
from typing import Any, Final

JOINED_BYTES: Final = 64 * 1024
"""Bytes of a body that is copied behind its head; a longer one is written by itself."""


class JoiningTransport:
    """A transport that holds a head back until the body comes, or there is none."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._held = b""
        self.is_closing = transport.is_closing  # asked several times for each request

    def __getattr__(self, name: str) -> Any:
        """Return what the transport itself does."""
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """Write, unless it is the head of a final answer: that waits for what is written next."""
        held, self._held = self._held, b""
        if not held and data.endswith(b"\r\n\r\n") and data.startswith(b"HTTP/1.1 ") and data[9:10] != b"1":
            self._held = data
        elif len(data) <= JOINED_BYTES:
            self._transport.write(held + data)
        else:
            self._transport.writelines((held, data))

    def flush(self) -> None:
        """Write a head that has no body."""
        if self._held:
            self.write(b"")

    def close(self) -> None:
        """Close the connection once all is written."""
        self.flush()
        self._transport.close()
