"""One caller takes its whole share, and all requests of others are still answered."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Final

import msgspec
import pytest
from litestar.types import Message, ReceiveMessage

from service.app import create_app
from service.http.body import HELD
from service.http.guards.front import Front
from service.platform.settings import Settings
from service.schemas.refusal import ProblemCode
from tests.support.http.client import Answer, Request, _answer, _scope, read_problem, run, send_request
from tests.support.http.samples import STATE
from tests.support.patience import WAIT

HOG: Final = "192.0.2.1"
LARGE: Final = b'{"questions":[' + b" " * (2 * 1024 * 1024 - 20)
BATCH: Final = msgspec.json.encode({"questions": [{"kind": "legal_moves", "state": STATE}] * 100})
DEAL: Final = "ctt1_trebor_02.13_1_0.0_2-Ts_J96s98h976dTc.KQsAThKQJT8d.AT8sQ7hAK87c.7sKJ6hAdQJ96c_3_0.0"
"""A deal before its first card: its analysis takes about half a second."""
ANALYSIS: Final = msgspec.json.encode({"state": DEAL})
HEAVY: Final = msgspec.json.encode({"questions": [{"kind": "analyses", "state": DEAL}] * 20})
NEWCOMERS: Final = tuple(f"198.51.100.{number}" for number in range(5))


class Client:
    """A client whose last byte never comes, or who waits for the answer, until it leaves."""

    def __init__(self, app: Front, request: Request, *, ends: bool) -> None:
        self.sent: list[Message] = []
        self._app, self._request, self._ends = app, request, ends
        self._left = asyncio.Event()
        self._parts = iter(request.parts)
        self.task = asyncio.create_task(app(_scope(request), self._receive, self._send))

    async def _receive(self) -> ReceiveMessage:
        for part in self._parts:
            return {"type": "http.request", "body": part, "more_body": not self._ends}
        await self._left.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        self.sent.append(message)

    def leave(self) -> None:
        """Close the connection."""
        self._left.set()

    @property
    def answer(self) -> Answer:
        """The answer, which has come."""
        return _answer(self.sent, 0)


@asynccontextmanager
async def hogging(app: Front, requests: list[Request], *, ends: bool) -> AsyncGenerator[list[Client]]:
    """Send requests at once whose clients stay, and let all of them leave at the end."""
    clients = [Client(app, request, ends=ends) for request in requests]
    await asyncio.sleep(0.05)
    try:
        yield clients
    finally:
        for client in clients:
            client.leave()
        async with asyncio.timeout(WAIT):
            await asyncio.gather(*[client.task for client in clients])


async def ask(app: Front, path: str, body: bytes, client: str) -> Answer:
    answer = await send_request(Request(path, (body,), client=client), app)
    assert answer is not None
    return answer


def refusals(clients: list[Client]) -> set[ProblemCode]:
    """Return the codes of all who were refused, each with the time after which to ask again."""
    answers = [client.answer for client in clients if client.sent]
    assert all(answer.headers["retry-after"] == "5" for answer in answers)
    return {read_problem(answer).code for answer in answers}


@pytest.mark.parametrize(
    ("requests", "ends"),
    [
        ([Request("/v1/batches", (LARGE,), client=HOG)] * 40, False),
        ([Request("/v1/analyses", (ANALYSIS,), client=HOG)] * 64, True),
        ([Request("/v1/batches", (HEAVY,), client=client) for client in (HOG, "192.0.2.2")] * 20, True),
    ],
    ids=["bodies that lack one byte", "analyses", "heavy batches of two"],
)
def test_beside_a_hog_every_batch_of_another_address_is_answered_and_all_is_given_back_when_it_leaves(
    requests: list[Request], *, ends: bool
) -> None:
    app = create_app(Settings())

    async def whole() -> None:
        async with asyncio.timeout(WAIT), hogging(app, requests, ends=ends) as clients:
            for client in NEWCOMERS:
                answer = await ask(app, "/v1/batches", BATCH, client)
                assert answer.status == 200, answer
            assert refusals(clients) <= {"share_used_up"}
            assert any(not client.sent for client in clients)
        assert (HELD.taken, HELD.taken_by) == (0, {})

    run(whole)
