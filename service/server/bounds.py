"""The bounds of a connection: what it reads and buffers, and what the kernel buffers for it."""

import socket
import sys
from typing import Final

READ_BYTES: Final = 64 * 1024
"""Bytes that a client must read per `Connection.read_seconds` while more are waiting for it."""
RECEIVE_BUFFER_BYTES: Final = 32 * 1024
"""Bytes of a connection that the kernel buffers before they are read; it doubles them for its overhead.

The event loop reads all of it: without a bound, megabytes per connection in one turn. The price: a long body arrives at
some 32 KiB per round trip, unless a nearby proxy buffers it first.
"""
MAX_UNSENT_BYTES: Final = 64 * 1024
"""Bytes of a connection that the kernel buffers for sending; without a bound some 4 MB.

A smaller SO_SNDBUF would bound unacknowledged bytes, too: long answers would take 3 to 11 times as long over a
connection with a round trip of 100 milliseconds.
"""
UNREAD_SECONDS: Final = 30
"""Seconds for which the kernel keeps unacknowledged bytes, even of a closed connection."""
MAX_HEAD_BYTES: Final = 32 * 1024
"""Bytes of the head of a request."""
MAX_FIELDS: Final = 100
"""Fields of a head, and of trailers: each costs a microsecond, and in a head at least 100 bytes."""
MAX_PIECES: Final = 256
"""Short pieces of a body, such as chunks.

Each costs a microsecond: a hundred connections with 4,000 each would delay others by 90 milliseconds.
"""
PIECE_BYTES: Final = 64
"""Bytes from which a piece of a body counts as long."""
MAX_EARLY_BYTES: Final = 4 * 1024
"""Bytes behind an unanswered request after which the connection stops reading until it has answered.

While it reads, it notices a disconnect.
"""


def bound_kernel_memory(listening: socket.socket) -> None:
    """Bound the kernel's buffers of accepted connections, and how long it keeps them."""
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER_BYTES)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, MAX_UNSENT_BYTES)
    if sys.platform == "linux":
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_SECONDS * 1000)
