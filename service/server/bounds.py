"""The bounds of a connection: of what it reads, what it keeps, and what the kernel keeps for it."""

import socket
import sys
from typing import Final

READ_BYTES: Final = 64 * 1024
"""Bytes that a client for whom more are waiting has to read in `Connection.read_seconds`, unless it reads all."""
RECEIVE_BUFFER_BYTES: Final = 32 * 1024
"""Bytes of a connection that the kernel takes before they are read; it doubles them for what it adds itself.

The event loop reads all that is there: without a bound, up to megabytes of each connection in one turn. Price: of a
long body some 32 KiB come in each round trip, unless a proxy that is near takes it first.
"""
MAX_UNSENT_BYTES: Final = 64 * 1024
"""Bytes of a connection that the kernel takes before it can send them; without a bound it takes some 4 MB.

A smaller buffer (SO_SNDBUF) would bound what is on its way, too: long answers would take 3 to 11 times as long over a
connection with a round trip of 100 milliseconds.
"""
UNREAD_SECONDS: Final = 30
"""Seconds for which the kernel keeps what a client does not take, also of a connection that is closed."""
MAX_HEAD_BYTES: Final = 32 * 1024
"""Bytes of the head of a request."""
MAX_FIELDS: Final = 100
"""Fields of a head, and of trailers: each takes a microsecond, and of a head 100 bytes and more."""
MAX_PIECES: Final = 256
"""Pieces of a body, such as chunks, if they are short.

Each takes a microsecond: a hundred connections, each with 4,000, would keep others waiting for 90 milliseconds.
"""
PIECE_BYTES: Final = 64
"""Bytes of a piece of a body that is long."""
MAX_EARLY_BYTES: Final = 4 * 1024
"""Bytes behind an unanswered request, after which the connection stops reading until it has answered.

While it reads, it notices that the client leaves.
"""


def bound_kernel_memory(listening: socket.socket) -> None:
    """Bound what the kernel keeps of each connection that will be accepted, and for how long."""
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER_BYTES)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, MAX_UNSENT_BYTES)
    if sys.platform == "linux":
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_SECONDS * 1000)
