"""A server shuts down although event streams have no end of their own."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator

import httpx
import pytest

from tests.support.redis_server import free_port


@pytest.fixture
def server() -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    port = free_port()
    environment = {**os.environ, "PORT": str(port)}
    with subprocess.Popen([sys.executable, "-m", "service", "serve"], env=environment, stderr=subprocess.PIPE) as made:
        try:
            address = f"http://127.0.0.1:{port}"
            wait_for(address)
            yield made, address
        finally:
            made.kill()


def wait_for(address: str) -> None:
    until = time.monotonic() + 30
    while True:
        try:
            httpx.get(f"{address}/v1/rulesets")
        except httpx.TransportError:
            assert time.monotonic() < until
            time.sleep(0.1)
        else:
            return


def test_open_streams_end_and_hold_nothing_up(server: tuple[subprocess.Popen[bytes], str]) -> None:
    process, address = server
    with httpx.Client(base_url=address, timeout=20) as client:
        game = client.post("/v1/games", json={"rules": "denexa", "players": 2}).json()["id"]
        with client.stream("GET", f"/v1/games/{game}/events") as stream:
            lines = stream.iter_lines()
            assert next(lines) == "retry: 1000"
            process.terminate()
            assert [line for line in lines if line.startswith("event")] == ["event: game"]
    assert process.wait(10) in {0, -15}
    assert process.stderr is not None
    assert b"Traceback" not in process.stderr.read()
