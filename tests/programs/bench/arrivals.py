"""Requests that come when they come, answered or not: a client that spins on a core of its own.

wrk's clients wait for their answers and count delays in whole milliseconds; here each request has its moment, to the
microsecond, and its time is counted from that moment on, also when all connections were still waiting for answers.
"""

import gc
import select
import socket
import time
from collections import deque
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Final

_PATIENCE: Final = 30.0
"""Seconds for the last answer to come, after the last request's moment."""
_LENGTH: Final = b"content-length: "


class _Line:
    """A connection: the moment of the request under way on it, and what has come of the answer."""

    def __init__(self, address: str) -> None:
        host, _, port = address.rpartition(":")
        self.socket = socket.create_connection((host, int(port)), timeout=10)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.due = 0.0
        self._come = b""

    def send(self, request: bytes, due: float) -> None:
        self.due = due
        self.socket.sendall(request)

    def answered(self) -> bool:
        """Read what has come, and return whether that is all of the answer."""
        more = self.socket.recv(65536)
        self._come += more
        head, found, body = self._come.partition(b"\r\n\r\n")
        if not more or (found and not head.startswith(b"HTTP/1.1 200 ")):
            raise RuntimeError(f"no good answer: {self._come[:500]!r}")
        at = head.find(_LENGTH) + len(_LENGTH)
        if not found or len(body) < int(head[at:].partition(b"\r")[0]):
            return False
        self._come = b""
        return True


def write_request(path: str, body: bytes) -> bytes:
    """Write a request that is asked with POST."""
    head = f"POST {path} HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\nAccept: application/json\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


def ask_at(moments: Sequence[float], address: str, requests: Sequence[bytes], connections: int) -> list[float]:
    """Ask one request at each moment, in turn, and return how long each took from its moment on.

    Unit: moments in seconds from the start, in order; times in seconds.
    """
    with ExitStack() as stack:
        lines = [_Line(address) for _ in range(connections)]
        for line in lines:
            stack.enter_context(line.socket)
        gc.collect()
        gc.disable()
        try:
            return _ask(moments, requests, lines)
        finally:
            gc.enable()


def _ask(moments: Sequence[float], requests: Sequence[bytes], lines: Sequence[_Line]) -> list[float]:
    by_number = {line.socket.fileno(): line for line in lines}
    free, poll, times = deque(lines), select.epoll(), list[float]()
    for number in by_number:
        poll.register(number, select.EPOLLIN)
    start, at, count = time.perf_counter(), 0, len(moments)
    with poll:
        while len(times) < count:
            now = time.perf_counter() - start
            while at < count and free and moments[at] <= now:
                free.popleft().send(requests[at % len(requests)], moments[at])
                at += 1
            for number, _ in poll.poll(0):
                line = by_number[number]
                if line.answered():
                    times.append(time.perf_counter() - start - line.due)
                    free.append(line)
            if now > moments[-1] + _PATIENCE:
                raise RuntimeError(f"{count - len(times)} requests were not answered")
    return times
