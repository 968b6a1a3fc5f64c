"""The limits of suggestions: how many are asked for at once, and that nobody thinks for a client that has left."""

import asyncio
import gc
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import asynccontextmanager
from typing import Final
from weakref import ref

import msgspec
import pytest
from litestar.types import Message, ReceiveMessage

from service.api.reasoning import thinking
from service.app import create_app
from service.http.middleware.metrics import Metrics
from service.platform.settings import Settings
from service.players.player import RankedOptions
from service.schemas.refusal import ProblemCode
from tests.platform.metrics.readings import value
from tests.support.http.client import Request, _scope, never_disconnects, refused, send_request, the_app
from tests.support.http.samples import STATE
from tests.support.http.tools import write_message

PATH: Final = "/v1/suggestions"
LINE: Final = "ctt1_trebor_02.13_1_0.0_3-Jh_3.K76hQd.4.3_3-AcTs_AQ6sK976dQ9876c.87sAhAJT8dKc"
BODY: Final = msgspec.json.encode({"state": STATE})


@pytest.fixture(autouse=True)
def endless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every player think forever."""

    def weigh(*_: object) -> Generator[None, None, RankedOptions]:
        while True:
            yield

    monkeypatch.setattr(thinking, "weigh_cards", weigh)


@asynccontextmanager
async def thinking_about(app: Metrics, *clients: str) -> AsyncGenerator[None]:
    """Ask for a suggestion for each of these clients, who wait."""
    asked = [asyncio.create_task(send_request(Request(PATH, (BODY,), client=client), app)) for client in clients]
    await asyncio.sleep(0.02)
    try:
        yield
    finally:
        for task in asked:
            task.cancel()
        await asyncio.wait(asked)


async def is_refused(app: Metrics, client: str, code: ProblemCode) -> str:
    """Ask for one more suggestion, which is refused; return the detail."""
    answer = await send_request(Request(PATH, (BODY,), client=client), app)
    assert answer is not None
    assert answer.headers["retry-after"] == "5"
    return refused(answer, code).detail


async def is_admitted(app: Metrics, client: str) -> bool:
    """Ask for one more suggestion; return True if it is thought about."""
    try:
        async with asyncio.timeout(0.05):
            await send_request(Request(PATH, (BODY,), client=client), app)
    except TimeoutError:
        return True
    return False


def run(work: Callable[[], Awaitable[None]]) -> None:
    async def whole() -> None:
        async with asyncio.timeout(10):
            await work()

    asyncio.run(whole())


def test_what_waits_is_bounded() -> None:
    app = create_app(Settings(max_suggestions=1))

    async def ask_too_often() -> None:
        async with thinking_about(app, "192.0.2.1", "192.0.2.1", "192.0.2.2", "192.0.2.2", "192.0.2.3"):
            assert await is_refused(app, "192.0.2.4", "too_many_suggestions") == (
                "5 of 5 places for suggestions are taken, 0 by you."
            )
        assert await is_admitted(app, "192.0.2.4")

    run(ask_too_often)


def test_one_address_has_at_most_half_of_the_places_rounded_up() -> None:
    app = create_app(Settings(max_suggestions=1))

    async def ask_too_often() -> None:
        async with thinking_about(app, "192.0.2.1", "192.0.2.1", "192.0.2.1"):
            assert await is_refused(app, "192.0.2.1", "share_used_up") == (
                "3 of 5 places for suggestions are taken, 3 by you."
            )
            assert await is_admitted(app, "192.0.2.2")

    run(ask_too_often)


@pytest.mark.parametrize(
    "request_",
    [
        Request(PATH, (BODY,)),
        Request(f"{PATH}/{LINE}", (b"",), "GET"),
        write_message("tools/call", {"name": "suggestions", "arguments": msgspec.json.decode(BODY)}),
    ],
    ids=["POST", "GET", "tool"],
)
def test_nobody_thinks_for_a_client_that_has_left(request_: Request) -> None:
    app = create_app(Settings(max_suggestions=1))
    left, sent = asyncio.Event(), list[Message]()

    async def leave() -> None:
        body = iter(request_.parts)

        async def receive() -> ReceiveMessage:
            if (part := next(body, None)) is not None:
                return {"type": "http.request", "body": part, "more_body": False}
            await left.wait()
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            sent.append(message)

        asked = asyncio.create_task(app(_scope(request_), receive, send))
        await asyncio.sleep(0.02)
        assert value("catchten_thinking") == 1
        left.set()
        await asked
        assert value("catchten_thinking") == 0

    run(leave)
    assert sent == []


class Connection:
    """A connection as the server has it: it holds the scope of its request, which leads back to it."""

    def __init__(self, request: Request) -> None:
        self.scope = _scope(request)
        self._has_sent = False

    async def receive(self) -> ReceiveMessage:
        """Receive an empty body, and then wait for a client that stays."""
        if self._has_sent:
            return await never_disconnects()
        self._has_sent = True
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(self, message: Message) -> None:
        """Send nothing."""


@pytest.mark.parametrize("query", ["level=perfect", "a=b&" * 100])
def test_nothing_of_a_refused_request_waits_for_the_garbage_collector(query: str) -> None:
    async def ask_and_forget() -> "ref[Connection]":
        connection = Connection(Request(f"/v1/suggestions/{LINE}?{query}", (b"",), "GET"))
        await the_app()(connection.scope, connection.receive, connection.send)
        return ref(connection)

    asyncio.run(ask_and_forget())
    gc.disable()
    try:
        assert asyncio.run(ask_and_forget())() is None
    finally:
        gc.enable()
