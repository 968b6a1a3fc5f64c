"""A caller inside the process: it speaks ASGI itself, so that a test says every byte that it sends."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable
from functools import cache
from typing import Any, Final, TypeVar, cast
from urllib.parse import quote

import msgspec
from litestar import Litestar
from litestar.types import ASGIApp, HTTPScope, Message, ReceiveMessage
from msgspec import Struct

from service.app import create_app
from service.http.guards.front import Front
from service.http.operation import BODY_BYTES
from service.http.problem_document import Problem
from service.http.problem_kinds import PROBLEM_KINDS, problem_type
from service.platform.settings import Settings
from service.schemas.refusal import ProblemCode
from tests.support.http.problems import decode_problem

Result = TypeVar("Result")

LIMIT: Final = BODY_BYTES
JSON: Final = "application/json"
MSGPACK: Final = "application/msgpack"
PROBLEM: Final = "application/problem+json"


class Request(Struct, frozen=True):
    """A request: its body comes in these parts; with `leaves` the client disconnects instead of sending the rest."""

    path: str
    parts: tuple[bytes, ...] = (b"",)
    method: str = "POST"
    headers: tuple[tuple[str, str], ...] = ()
    leaves: bool = False
    client: str = "127.0.0.1"
    host: str | None = "localhost"
    raw_path: bytes | None = None


class Answer(Struct, frozen=True):
    """An answer, and how many parts of the body the service asked for."""

    status: int
    headers: dict[str, str]
    body: bytes
    parts_read: int

    @property
    def media(self) -> str:
        """The content type."""
        return self.headers["content-type"]

    def read(self, kind: type[Result]) -> Result:
        """Decode the body by its content type."""
        if self.media == MSGPACK:
            return msgspec.msgpack.decode(self.body, type=kind)
        return msgspec.json.decode(self.body, type=kind)


@cache
def the_app() -> Front:
    """The application with its default settings, made once."""
    return create_app(Settings())


def framework_of(app: Front) -> Litestar:
    """Return the framework inside the application, where the settings put no further layer around it."""
    paths: Any = app.app
    framework: Litestar = paths.app
    return framework


def run(work: Callable[[], Awaitable[Result]]) -> Result:
    """Run something in an event loop of its own."""
    results: list[Result] = []

    async def whole() -> None:  # at its end, the runner writes what a task returns as a text, however long it is
        results.append(await work())

    asyncio.run(whole())
    return results[0]


def call(request: Request, app: ASGIApp | None = None) -> Answer | None:
    """Send a request; None where nothing was answered."""
    return run(lambda: send_request(request, app or the_app()))


def ask(request: Request, app: ASGIApp | None = None) -> Answer:
    """Send a request that is answered."""
    answer = call(request, app)
    assert answer is not None
    return answer


def post(path: str, body: object, *headers: tuple[str, str]) -> Answer:
    """Post a body, as JSON unless the headers say MessagePack; bytes go as they are."""
    encode = msgspec.msgpack.encode if ("content-type", MSGPACK) in headers else msgspec.json.encode
    return ask(Request(path, (body if isinstance(body, bytes) else encode(body),), headers=headers))


async def send_request(request: Request, app: ASGIApp) -> Answer | None:
    """Send a request; None where nothing was answered."""
    parts = iter(_messages(request))
    sent: list[Message] = []
    read = 0

    async def receive() -> ReceiveMessage:
        nonlocal read
        read += 1
        return next(parts, None) or await never_disconnects()

    async def send(message: Message) -> None:
        sent.append(message)

    await app(_scope(request), receive, send)
    return _answer(sent, read) if sent else None


async def never_disconnects() -> ReceiveMessage:
    """Wait for a client that never leaves."""
    message: ReceiveMessage = await asyncio.get_running_loop().create_future()
    return message


def _messages(request: Request) -> Iterable[ReceiveMessage]:
    last = len(request.parts) - 1
    for at, part in enumerate(request.parts):
        yield {"type": "http.request", "body": part, "more_body": at < last or request.leaves}
    while request.leaves:
        yield {"type": "http.disconnect"}


def _answer(sent: list[Message], read: int) -> Answer:
    status, headers, body = 0, dict[str, str](), b""
    for message in sent:
        if message["type"] == "http.response.start":
            status = message["status"]
            headers = {name.decode(): value.decode("latin-1") for name, value in message["headers"]}
        elif message["type"] == "http.response.body":
            body += message["body"]
    return Answer(status, headers, body, read)


def _scope(request: Request) -> HTTPScope:
    path, _, query = request.path.partition("?")
    named = dict(request.headers)
    usual = {
        "host": request.host,
        "content-type": JSON if any(request.parts) or request.method not in {"GET", "HEAD"} else None,
    }
    added = [(name, value) for name, value in usual.items() if value is not None and name not in named]
    made = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "server": ("127.0.0.1", 80),
        "client": (request.client, 1234),
        "scheme": "http",
        "root_path": "",
        "method": request.method,
        "path": path,
        "raw_path": quote(path).encode() if request.raw_path is None else request.raw_path,
        "query_string": query.encode(),
        "headers": [(name.encode("latin-1"), value.encode("latin-1")) for name, value in (*added, *request.headers)],
        "state": {},
    }
    return cast("HTTPScope", made)  # its other fields are the framework's own, which adds them


INSTANCE: Final = re.compile("urn:uuid:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}").fullmatch


def read_problem(answer: Answer) -> Problem:
    """Read a refusal: everywhere the same kind of document, with a known code, its status and its page."""
    assert answer.media == PROBLEM, answer
    problem = decode_problem(answer.body)
    assert problem.status == answer.status == PROBLEM_KINDS[problem.code].status
    assert problem.type.endswith(problem_type(problem.code))
    assert INSTANCE(problem.instance), problem
    assert problem.title == PROBLEM_KINDS[problem.code].title
    return problem


def refused(answer: Answer, code: ProblemCode) -> Problem:
    """Read a refusal with this code."""
    problem = read_problem(answer)
    assert problem.code == code, problem
    return problem
