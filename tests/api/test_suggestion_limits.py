"""Nobody thinks for a client that has left, and nothing of a refused request stays."""

import asyncio
import gc
from collections.abc import Awaitable, Callable, Generator
from typing import Final
from weakref import ref

import msgspec
import pytest
from litestar.types import Message, ReceiveMessage

from service.api.reasoning import suggestions
from service.app import create_app
from service.platform.settings import Settings
from service.players.player import RankedOptions
from tests.support.http.client import Request, _scope, never_disconnects, the_app
from tests.support.http.samples import STATE
from tests.support.http.tools import write_message
from tests.support.patience import WAIT

PATH: Final = "/v1/suggestions"
LINE: Final = "ctt1_trebor_02.13_1_0.0_3-Jh_3.K76hQd.4.3_3-AcTs_AQ6sK976dQ9876c.87sAhAJT8dKc"
BODY: Final = msgspec.json.encode({"state": STATE})


@pytest.fixture
def thoughts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let every player think forever, and list when one begins and ends."""
    seen = list[str]()

    def weigh(*_: object) -> Generator[None, None, RankedOptions]:
        seen.append("begun")
        try:
            while True:
                yield
        finally:
            seen.append("ended")

    monkeypatch.setattr(suggestions, "weigh_cards", weigh)
    return seen


def run(work: Callable[[], Awaitable[None]]) -> None:
    async def whole() -> None:
        async with asyncio.timeout(WAIT):
            await work()

    asyncio.run(whole())


@pytest.mark.parametrize(
    "request_",
    [
        Request(PATH, (BODY,)),
        Request(f"{PATH}/{LINE}", (b"",), "GET"),
        write_message("tools/call", {"name": "suggestions", "arguments": msgspec.json.decode(BODY)}),
    ],
    ids=["POST", "GET", "tool"],
)
def test_nobody_thinks_for_a_client_that_has_left(request_: Request, thoughts: list[str]) -> None:
    app = create_app(Settings())
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
        while not thoughts:  # noqa: ASYNC110 – the player has no event for it
            await asyncio.sleep(0)
        assert thoughts == ["begun"]
        left.set()
        await asked
        assert thoughts == ["begun", "ended"]

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
