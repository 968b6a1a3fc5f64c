"""What the connection answers itself is answered as by way of ASGI, with heads, metrics and log."""

import asyncio

import pytest

from service.app import create_app
from service.http.readiness import ShutdownState
from service.platform.settings import Settings
from tests.support.effort import choose_effort
from tests.support.http.both_ways import compare_ways, note_answers
from tests.support.http.exchange import exchange
from tests.support.http.server import chunk, head

CONNECTIONS = choose_effort(daily=60, nightly=1000)
"""In each shard, for each of three settings."""
BODY = b'{"players":4,"seed":"one"}'
ASKED = head("/v1/draws", ("content-length", str(len(BODY)))) + BODY


@pytest.mark.parametrize("shard", range(3))
def test_requests_by_chance_are_answered_counted_and_logged_alike(shard: int) -> None:
    statuses, at_once = compare_ways(f"both ways {shard}", CONNECTIONS)
    assert {200, 400, 415, 422, 429} <= {*statuses}
    assert at_once > CONNECTIONS


@pytest.mark.parametrize(
    ("pieces", "at_once"),
    [
        ((ASKED,), 1),
        ((ASKED, ASKED, ASKED), 3),
        ((ASKED.replace(b"POST", b"QUERY"),), 1),
        ((ASKED[:-1], ASKED[-1:]), 0),
        ((ASKED + ASKED,), 2),
        ((head("/v1/draws", ("transfer-encoding", "chunked")) + chunk(BODY) + chunk(b""),), 1),
        ((head("/v1/draws", ("transfer-encoding", "chunked")) + chunk(BODY[:9]) + chunk(BODY[9:]) + chunk(b""),), 0),
        ((ASKED.replace(b"host:", b"connection: close\r\nhost:"),), 0),
        ((ASKED.replace(b"host:", b"expect: 100-continue\r\nhost:"),), 0),
        ((ASKED.replace(b"/draws", b"/draws?"),), 0),
        ((head("/v1/draws", ("content-length", "3000")) + BODY + b" " * (3000 - len(BODY)),), 0),
    ],
    ids=["whole", "three", "QUERY", "cut", "pipelined", "chunk", "chunks", "close", "100", "query", "heavy"],
)
def test_a_plain_request_that_came_whole_is_answered_at_once(pieces: tuple[bytes, ...], at_once: int) -> None:
    app = create_app(Settings())
    answered = note_answers(app)
    written, _ = asyncio.run(exchange(app, *pieces))
    assert b"HTTP/1.1 200" in written
    assert len(answered) == at_once


def test_while_the_process_drains_an_answer_that_is_given_at_once_ends_the_connection() -> None:
    stop = ShutdownState()
    stop.drain()
    written, closed = asyncio.run(exchange(create_app(Settings(), stop=stop), ASKED))
    assert b"\r\nconnection: close\r\n" in written
    assert closed
