"""The stop of a process: it drains, finishes requests, ends streams, and exits with 0."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Generator
from contextlib import ExitStack
from typing import Final

import msgspec
import pytest

from tests.support.claims import claim
from tests.support.http.server import (
    ROOT,
    Line,
    Server,
    begin_drain,
    chunk,
    environment,
    head,
    serving,
    stops_listening,
)
from tests.support.patience import WAIT

QUESTION = b'{"players":2}'


@contextlib.contextmanager
def serving_drain() -> Generator[Server]:
    """Run a server that drains for as long as tests may take."""
    with serving(DRAIN_SECONDS="600") as server:
        begin_drain(server)
        yield server
        server.process.kill()


@pytest.fixture(scope="module")
def draining() -> Generator[Server]:
    """The server that drains for all tests that only ask."""
    with serving_drain() as server:
        yield server


def test_a_process_that_drains_says_so_and_serves_as_ever(draining: Server) -> None:
    with Line(draining.port) as line:
        answer = line.ask("/readyz", method="GET")
    assert (answer.status, answer.headers["retry-after"]) == (503, "1")
    assert answer.body.startswith(b"[-]serving failed: the process is stopping\n[+]store ok\n")
    with Line(draining.port) as line:
        assert line.ask("/readyz?exclude=store", method="GET").status == 503
    with Line(draining.port) as line:
        assert line.ask("/livez", method="GET").status == 200
    with Line(draining.port) as line:
        assert line.ask("/v1/draws", QUESTION).status == 200
    with Line(draining.port) as line:
        shown = line.ask("/metrics", method="GET").body
    assert b"\ncatchten_draining 1.0\n" in shown
    assert b"\ncatchten_ready 0.0\n" in shown


@pytest.mark.parametrize("path", ["/v1/draws", "/livez", "/v1/games/nowhere", "/nowhere"])
def test_a_process_that_drains_gives_up_its_connections_with_their_next_answer(draining: Server, path: str) -> None:
    with Line(draining.port) as line:
        assert line.ask(path, QUESTION).headers["connection"] == "close"
        assert line.closed()


def test_a_connection_from_before_is_given_up_with_an_answer_too() -> None:
    with serving(DRAIN_SECONDS="600") as server:
        with Line(server.port) as line:
            assert "connection" not in line.ask("/v1/draws", QUESTION).headers
            begin_drain(server)
            answer = line.ask("/v1/draws", QUESTION)
            assert (answer.status, answer.headers["connection"]) == (200, "close")
        server.process.kill()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_second_signal_ends_it_at_once(number: signal.Signals) -> None:
    with serving_drain() as server:
        server.process.send_signal(number)
        assert server.process.wait(WAIT) == 128 + number


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_after_the_drain_it_ends_by_itself(number: signal.Signals) -> None:
    with serving(DRAIN_SECONDS="0.5") as server:
        server.process.send_signal(number)
        assert server.process.wait(WAIT) == 0


def test_what_runs_is_finished() -> None:
    with serving() as server, Line(server.port) as line:
        line.send(head("/v1/draws", ("content-length", str(len(QUESTION)))) + QUESTION[:5])
        with Line(server.port) as other:  # by then the server has seen the head as well
            other.ask("/livez", method="GET")
        server.process.send_signal(signal.SIGTERM)
        assert stops_listening(server.port)
        line.send(QUESTION[5:])
        assert line.receive().status == 200
        assert line.closed()
        assert server.process.wait(WAIT) == 0


GAME: Final = "A" * 22
DEAL: Final = claim(
    "denexa",
    ((0,), (1,)),
    dealer=1,
    hands=(
        "JC 9C 7C 6C AD KD QD JD AS KS TS 8S 6S AH JH TH 7H 6H",
        "AC KC QC TC 8C TD 9D 8D 7D 6D QS JS 9S 7S KH QH 9H 8H",
    ),
    turn_up="8C",
)
LONG_WORK: Final = msgspec.json.encode({"questions": [{"kind": "analyses", "state": DEAL}] * 20})
UNFINISHED: Final[dict[str, bytes]] = {
    "a body that does not come": head("/v1/draws", ("content-length", "5")),
    "a body in chunks": head("/v1/batches", ("transfer-encoding", "chunked")) + chunk(b"{"),
    "a body of a tool": head("/mcp", ("content-length", "5")) + b"{",
    "long work": head("/v1/batches", ("content-length", str(len(LONG_WORK)))) + LONG_WORK,
    "a game": head(f"/v1/games/{GAME}", method="GET"),
    "a stream": head(f"/v1/games/{GAME}/events", method="GET"),
    "a new game": head("/v1/games", ("content-length", "31")) + b'{"rules":"trebor", "players":4}',
}
"""Requests that a process cannot answer before it stops; those about games wait for a Redis that hangs."""


def test_what_does_not_finish_is_answered_with_a_problem_that_clients_retry() -> None:
    with ExitStack() as stack:
        hanging = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        redis = f"redis://127.0.0.1:{hanging.getsockname()[1]}"
        server = stack.enter_context(serving(SHUTDOWN_SECONDS="1", STORE_TIMEOUT="60", REDIS_URL=redis))
        lines = {name: stack.enter_context(Line(server.port)) for name in UNFINISHED}
        for name, line in lines.items():
            line.send(UNFINISHED[name])
        with Line(server.port) as other:  # by then the server has seen them all
            other.ask("/livez", method="GET")
        server.process.send_signal(signal.SIGTERM)
        replies = {name: line.receive() for name, line in lines.items()}
        assert all(line.closed() for line in lines.values())
    for name, reply in replies.items():
        problem = msgspec.json.decode(reply.body)
        assert (name, reply.status, problem.get("code")) == (name, 503, "stopping")
        assert reply.headers["content-type"] == "application/problem+json"
        assert reply.headers["retry-after"] == "1"
        assert reply.headers["x-request-id"] in problem["instance"]


def test_streams_end_as_they_should_and_say_when_to_come_back() -> None:
    with serving(SHUTDOWN_SECONDS="600") as server, Line(server.port) as line:
        opened = line.ask("/v1/games", b'{"rules":"trebor","players":4}')
        game = msgspec.json.decode(opened.body)["id"]
        with contextlib.ExitStack() as stack:
            streams = [stack.enter_context(socket.create_connection(("127.0.0.1", server.port))) for _ in range(3)]
            for stream in streams:
                stream.settimeout(WAIT)
                stream.sendall(head(f"/v1/games/{game}/events", method="GET"))
                assert stream.recv(10_000)
            server.process.send_signal(signal.SIGTERM)
            said = [_to_the_end(stream) for stream in streams]
        assert server.process.wait(WAIT) == 0
    ends = {text.rpartition(b"retry: ")[2] for text in said}
    assert {end.partition(b"\n")[0] for end in ends} == {b"500", b"550", b"600"}
    assert all(end.endswith(b"\n\n\r\n0\r\n\r\n") for end in ends)


def _to_the_end(stream: socket.socket) -> bytes:
    text = b""
    while part := stream.recv(10_000):
        text += part
    return text


def test_nothing_is_left_of_a_process_that_was_told_to_stop_before_anybody_asked() -> None:
    with serving() as server:
        os.kill(server.process.pid, signal.SIGTERM)
        assert server.process.wait(WAIT) == 0
        assert stops_listening(server.port)


STOPPED_EARLY: Final = """
import os, signal, sys
from types import SimpleNamespace

def stop(name, *_):
    if name == "service.server.cli":
        os.kill(os.getpid(), signal.SIGTERM)

signal.signal(signal.SIGTERM, signal.SIG_IGN)  # as for the first process of a container, until it has a handler
sys.meta_path.insert(0, SimpleNamespace(find_spec=stop))
sys.argv = ["service", "serve"]
from service.__main__ import main
sys.exit(main())
"""
"""A start that gets the signal before anything large is imported."""


def test_a_signal_during_the_start_is_obeyed_also_by_the_first_process_of_a_container() -> None:
    command = [sys.executable, "-c", STOPPED_EARLY]
    ended = subprocess.run(command, cwd=ROOT, env=environment({}), capture_output=True, timeout=WAIT, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (128 + signal.SIGTERM, b"", b"")
