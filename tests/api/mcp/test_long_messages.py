"""Long messages to a service that runs: what is not the arguments of a tool takes no memory while the tool waits."""

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import pytest

from service.api.mcp.endpoint import PATH
from service.http.body import LIGHT_BYTES
from tests.programs.attacks.attacks import long_message
from tests.support.http.server import Line, Server, serving

MESSAGES: Final = 24
"""Messages at once; when they were decoded whole, these took 300 MB."""
MOST_GROWTH: Final = 80
"""Megabytes by which the process may grow: the messages have 14, and some are there twice."""


def peak(server: Server) -> int:
    """Return the largest resident memory that a server had, in MB."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{server.process.pid}/status").read_text(encoding="ascii"))
    assert found is not None
    return int(found[1]) // 1024


@pytest.mark.parametrize("filling", [b"[],", b'{"":0},', b"1.5,"])
def test_many_long_messages_at_once_take_little_memory(filling: bytes) -> None:
    message = long_message(filling, argument_bytes=2 * LIGHT_BYTES)
    with serving() as server:

        def send(_: int) -> int:
            with Line(server.port) as line:
                return line.ask(PATH, message).status

        send(0)
        before = peak(server)
        with ThreadPoolExecutor(MESSAGES) as pool:
            statuses = {*pool.map(send, range(MESSAGES))}
        assert 200 in statuses
        assert statuses <= {200, 429}, "one caller may hold half of what all can hold"
        assert peak(server) < before + MOST_GROWTH
