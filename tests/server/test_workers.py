"""Several processes on one port: they serve, drain and end together."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Generator
from pathlib import Path
from typing import Final

import pytest

from tests.support import redis_server
from tests.support.http.server import ROOT, WAIT, Line, Server, environment, serving, stops_listening
from tests.support.processes import children
from tests.support.redis_server import free_port

QUESTION = b'{"players":2}'


@pytest.fixture(scope="module")
def store() -> Generator[str]:
    """A store that several processes can share."""
    with redis_server.running() as port:
        yield f"redis://127.0.0.1:{port}/0"


@pytest.fixture
def server(store: str) -> Generator[Server]:
    """Two processes that serve."""
    with serving(WORKERS="2", REDIS_URL=store, METRICS_PORT=str(free_port())) as server:
        yield server


def workers(server: Server) -> list[int]:
    """Return the ids of the processes that serve, which are children of the parent."""
    return [child for child, command in children(server.process.pid).items() if "spawn_main" in command]


def until_other_workers(server: Server, before: list[int]) -> list[int]:
    """Return the ids of two processes that serve, once one of them is new."""
    until = time.monotonic() + WAIT
    while time.monotonic() < until:
        now = workers(server)
        if len(now) == 2 and now != before:
            return now
        time.sleep(0.05)
    raise TimeoutError


def test_all_processes_keep_the_same_games(server: Server) -> None:
    with Line(server.port) as line:
        opened = line.ask("/v1/games", b'{"rules":"trebor","players":4}')
    assert opened.status == 201
    for _ in range(8):  # one connection each, so that several processes are asked
        with Line(server.port) as line:
            assert line.ask(opened.headers["location"], method="GET").status == 200
            assert line.ask("/v1/draws", QUESTION).status == 200


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_all(server: Server, number: signal.Signals) -> None:
    assert len(workers(server)) == 2
    server.process.send_signal(number)
    assert server.process.wait(WAIT) == 0
    assert stops_listening(server.port)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_all_drain_first_and_a_second_signal_ends_them_at_once(store: str, number: signal.Signals) -> None:
    with serving(WORKERS="2", REDIS_URL=store, METRICS_PORT=str(free_port()), DRAIN_SECONDS="600") as server:
        server.process.send_signal(number)
        assert all_drain(server)
        server.process.send_signal(number)
        assert server.process.wait(WAIT) == 0
        assert stops_listening(server.port)


def test_all_drain_when_a_terminal_interrupts_every_one_of_them(store: str) -> None:
    with serving(WORKERS="2", REDIS_URL=store, METRICS_PORT=str(free_port()), DRAIN_SECONDS="600") as server:
        for process in (server.process.pid, *workers(server)):
            os.kill(process, signal.SIGINT)
        assert all_drain(server)
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(WAIT) == 0


def all_drain(server: Server) -> bool:
    """Return True once ten connections in a row have found a process that drains, False after a timeout."""
    until = time.monotonic() + WAIT
    in_a_row = 0
    while in_a_row < 10 and time.monotonic() < until:
        with Line(server.port) as line:
            in_a_row = in_a_row + 1 if line.ask("/readyz", method="GET").status == 503 else 0
    return in_a_row == 10


def test_a_process_that_dies_is_replaced(server: Server) -> None:
    before = workers(server)
    os.kill(before[0], signal.SIGKILL)
    assert before[1] in until_other_workers(server, before)
    with Line(server.port) as line:
        assert line.ask("/v1/draws", QUESTION).status == 200


FAILING: Final = """
import socket, sys, uvicorn
from service.platform.metrics.workers import share_metrics
from service.server.server import run_workers

name, factory = sys.argv[1:]
config = uvicorn.Config(name, factory=factory == "factory", workers=2, lifespan="on", log_config=None)
with share_metrics(), socket.create_server(("127.0.0.1", 0)) as listening:
    sys.exit(run_workers(config, [listening], lambda: print("announced"), str))
"""


async def fail(*_: object) -> None:
    """An application that cannot start."""
    raise OSError


def run_failing(name: str, kind: str, **changes: str) -> subprocess.CompletedProcess[str]:
    """Run workers that cannot start to their end."""
    command = [sys.executable, "-c", FAILING, name, kind]
    return subprocess.run(
        command, cwd=ROOT, env=environment(changes), capture_output=True, text=True, timeout=WAIT, check=False
    )


def test_workers_that_cannot_start_end_it_with_the_code_of_uvicorn() -> None:
    ended = run_failing("tests.server.test_workers:fail", "application")
    assert (ended.returncode, ended.stdout) == (3, "")


def test_workers_that_cannot_make_their_application_end_it_too_and_say_why(tmp_path: Path) -> None:
    missing = str(tmp_path / "keys")
    ended = run_failing("service.server.worker:make_app", "factory", API_KEYS_FILE=missing)
    assert ended.returncode == 3
    assert "the process cannot start" in ended.stdout
    assert missing in ended.stdout
    assert "announced" not in ended.stdout
