"""A body that trickles in is cut off; one that is there already starts no timer."""

import asyncio
from collections.abc import Callable
from typing import Any, Final

import pytest
from litestar.types import ReceiveMessage

from service.app import create_app
from service.http.body import HELD, LIGHT_BYTES
from service.platform.limits import BODIES
from service.platform.settings import Settings
from service.schemas.refusal import ProblemCode
from tests.support.http.client import Answer, Request, _answer, _scope, refused, send_request
from tests.support.http.server import Line, head, serving
from tests.support.hurried import HurriedLoop

APP: Final = create_app(Settings())
POSTS: Final = ["/v1/draws", "/v1/batches", "/v1/games"]


def slowly(
    path: str, parts: int, pause: Callable[[], Any], loop: type[asyncio.AbstractEventLoop] = HurriedLoop
) -> Answer:
    """Send a body of spaces and an empty object in parts, with a pause before each."""

    async def ask() -> Answer:
        sent: list[Any] = []
        read = 0

        async def receive() -> ReceiveMessage:
            nonlocal read
            await pause()
            read += 1
            last = read == parts
            return {"type": "http.request", "body": b"{}" if last else b" ", "more_body": not last}

        async def send(message: Any) -> None:
            sent.append(message)

        await APP(_scope(Request(path)), receive, send)
        return _answer(sent, read)

    with asyncio.Runner(loop_factory=loop) as runner:
        return runner.run(ask())


@pytest.mark.parametrize("path", POSTS)
def test_a_body_that_never_ends_is_cut_off_and_its_connection_closed(path: str) -> None:
    answer = slowly(path, 10**9, lambda: asyncio.sleep(0.1))
    assert refused(answer, "body_too_slow").detail == "The body did not arrive within 30 seconds."
    assert 290 < answer.parts_read <= 300
    assert answer.headers["connection"] == "close"


def test_heavy_bodies_have_a_bound_together_within_which_they_count_until_they_are_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heavy, light = b" " * (2 * LIGHT_BYTES), b" " * (LIGHT_BYTES // 2)

    async def ask_beside_another() -> None:
        arrived, rest = asyncio.Event(), asyncio.Event()

        async def trickle() -> ReceiveMessage:
            if not arrived.is_set():
                arrived.set()
                return {"type": "http.request", "body": heavy, "more_body": True}
            await rest.wait()
            return {"type": "http.request", "body": b"{}", "more_body": False}

        async def swallow(_: object) -> None:
            """Read the answer to the slow body."""

        async def require(body: bytes, code: ProblemCode) -> Answer:
            answer = await send_request(Request("/v1/batches", (body,)), APP)
            assert answer is not None
            refused(answer, code)
            return answer

        slow = asyncio.create_task(APP(_scope(Request("/v1/batches")), trickle, swallow))
        await arrived.wait()
        answer = await require(heavy, "too_busy")
        assert (answer.status, answer.headers["retry-after"]) == (503, "1")
        await require(light, "malformed_body")
        rest.set()
        await slow
        await require(heavy, "malformed_body")

    others = BODIES.in_all - 45_300  # room for one heavy body and its decoded form, but not for two
    monkeypatch.setattr(HELD, "taken", others)
    asyncio.run(ask_beside_another())
    assert (HELD.taken, HELD.taken_by) == (others, {})


@pytest.mark.parametrize("path", POSTS)
def test_a_body_that_never_begins_is_cut_off(path: str) -> None:
    refused(slowly(path, 1, asyncio.Event().wait), "body_too_slow")


@pytest.mark.parametrize("path", POSTS)
def test_a_body_in_many_parts_is_read_whole(path: str) -> None:
    answer = slowly(path, 500, lambda: asyncio.sleep(0))
    assert (answer.status, answer.parts_read) == (400, 500)
    refused(answer, "invalid_body")


def test_over_the_wire_a_body_that_comes_bit_by_bit_is_read() -> None:
    with serving() as server, Line(server.port) as line:
        body = b'{"players":2}'
        line.send(head("/v1/draws", ("content-length", str(len(body)))))
        for at in range(len(body)):
            line.send(body[at : at + 1])
        assert line.receive().status == 200
