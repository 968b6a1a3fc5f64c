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
from contextlib import closing
from itertools import cycle
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


class _Load:
    """The connections on which questions are asked at their moments, and those that always have other work to ask."""

    def __init__(self, address: str, connections: int, others: Sequence[bytes], beside: int) -> None:
        self.lines = [_Line(address) for _ in range(connections)]
        self.busy = [_Line(address) for _ in range(beside)]
        self._others = cycle(others)
        self.free = deque(self.lines)
        self.times: list[float] = []
        self.done = 0

    def take(self, line: _Line, now: float) -> None:
        """Read what has come on a connection; once an answer is whole, count it."""
        if not line.answered():
            return
        if line in self.busy:
            self.done += 1
            line.send(next(self._others), now)
        else:
            self.times.append(now - line.due)
            self.free.append(line)

    def begin(self) -> None:
        """Begin the other work."""
        for line in self.busy:
            line.send(next(self._others), 0.0)

    def close(self) -> None:
        for line in (*self.lines, *self.busy):
            line.socket.close()


def ask_at(
    moments: Sequence[float],
    address: str,
    requests: Sequence[bytes],
    connections: int,
    others: Sequence[bytes] = (),
    beside: int = 0,
) -> tuple[list[float], int]:
    """Ask one request at each moment, in turn; return how long each took from its moment on.

    Meanwhile, `beside` of the other requests are under way; return how many of them were answered, too.
    Unit: moments in seconds from the start, in order; times in seconds.
    """
    with closing(_Load(address, connections, others, beside)) as load:
        gc.collect()
        gc.disable()
        try:
            _ask(moments, requests, load)
        finally:
            gc.enable()
    return load.times, load.done


def _ask(moments: Sequence[float], requests: Sequence[bytes], load: _Load) -> None:
    by_number = {line.socket.fileno(): line for line in (*load.lines, *load.busy)}
    poll, at, count = select.epoll(), 0, len(moments)
    for number in by_number:
        poll.register(number, select.EPOLLIN)
    load.begin()
    start = time.perf_counter()
    with poll:
        while len(load.times) < count:
            now = time.perf_counter() - start
            while at < count and load.free and moments[at] <= now:
                load.free.popleft().send(requests[at % len(requests)], moments[at])
                at += 1
            for number, _ in poll.poll(0):
                load.take(by_number[number], time.perf_counter() - start)
            if now > moments[-1] + _PATIENCE:
                raise RuntimeError(f"{count - len(load.times)} requests were not answered")
