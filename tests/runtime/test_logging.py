"""The log: one line for each event, and never anything of what a request holds."""

import asyncio
import logging
import select
import signal
from collections.abc import Iterator, Mapping
from datetime import UTC
from typing import Any, Final

import msgspec
import pytest

from service.app import create_app
from service.http.middleware.request_id import Access
from service.http.readiness import Stop
from service.openapi.catalog import OPERATIONS
from service.runtime.logging import TOGETHER, TOGETHER_OF_SEVERAL, Lines, Log, RequestLine, line_of
from service.settings import Settings
from tests.http.test_errors import FAILING
from tests.support.http.client import Request, ask
from tests.support.http.server import WAIT, Line, serving

TRACE: Final = "4bf92f3577b34da6a3ce929d0e0e4736"
PARENT: Final = f"00-{TRACE}-00f067aa0ba902b7-01"
SCOPE: Final[dict[str, Any]] = {"path_template": "/livez", "method": "GET", "state": {}, "client": None}


class Kept:
    """A log that keeps its lines."""

    def __init__(self) -> None:
        self.lines: list[RequestLine] = []

    def add(self, scope: Mapping[str, Any], status: int, seconds: float) -> None:
        """Take a request that is answered."""
        self.lines.append(line_of(scope, status, seconds))


def seen(*headers: tuple[str, str], path: str = "/livez", method: str = "GET") -> tuple[dict[str, str], RequestLine]:
    """Send a request: the headers of its answer, and its line."""
    log = Kept()
    answer = ask(Request(path, method=method, headers=headers), create_app(Settings(), log=log.add))
    (line,) = log.lines
    return answer.headers, line


def test_a_request_is_one_line_with_what_is_known_of_it_from_outside() -> None:
    headers, line = seen(path="/v1/rulesets/trebor?secret=1")
    assert (line.route, line.method, line.status) == ("/v1/rulesets/{ruleset_id}", "GET", 200)
    assert (line.client, line.level, line.event) == ("127.0.0.1", "info", "request")
    assert line.request_id == headers["x-request-id"]
    assert 0 < line.duration < WAIT
    assert line.timestamp.tzinfo is UTC


def test_a_path_that_is_none_is_not_in_the_log() -> None:
    _, line = seen(path="/secret")
    assert (line.route, line.status) == ("none", 404)


@pytest.mark.parametrize(
    "parent", [PARENT, PARENT[:-2] + "00", f"01-{TRACE}-00f067aa0ba902b7-01", f"cc-{TRACE}-00f067aa0ba902b7-01-more"]
)
def test_a_trace_is_taken_over(parent: str) -> None:
    headers, line = seen(("traceparent", parent))
    assert line.trace_id == TRACE
    assert line.request_id == headers["x-request-id"] != TRACE


@pytest.mark.parametrize(
    "parent",
    [
        "",
        "x",
        PARENT.upper(),
        PARENT + "-more",
        f"ff-{TRACE}-00f067aa0ba902b7-01",
        f"00-{'0' * 32}-00f067aa0ba902b7-01",
        f"00-{TRACE}-{'0' * 16}-01",
        PARENT[1:],
        PARENT + "\n",
        f"01-{TRACE}-00f067aa0ba902b7-01more",
    ],
)
def test_what_is_no_trace_is_not_taken_over(parent: str) -> None:
    _, line = seen(("traceparent", parent))
    assert TRACE not in line.trace_id
    assert len(bytes.fromhex(line.trace_id)) == 16


@pytest.mark.parametrize("given", ["a", "7b7e1d4c-93a5-4f4e-8d63-50bd2a0a1b6c", "x" * 128, "a.b_c~d+e/f=g:h"])
def test_an_id_of_the_caller_is_taken_over(given: str) -> None:
    headers, line = seen(("x-request-id", given))
    assert line.request_id == headers["x-request-id"] == given


@pytest.mark.parametrize("given", ["", "x" * 129, "a b", 'a"b', "é", "a\r\nset-cookie: b"])
def test_what_can_be_no_id_is_not_taken_over(given: str) -> None:
    headers, line = seen(("x-request-id", given))
    assert line.request_id == headers["x-request-id"] != given


def test_every_request_has_an_id_of_its_own() -> None:
    assert len({seen()[1].request_id for _ in range(20)}) == 20


def test_lines_go_out_together_in_order_and_never_more_than_a_pipe_keeps_together() -> None:
    written: list[bytes] = []

    async def write() -> None:
        late = asyncio.Event()

        def take(text: bytes) -> None:
            written.append(text)
            if text == b"999\n":
                late.set()

        lines = Lines(take, lambda ended: b"".join(b"%d\n" % request.status for request in ended))
        for at in range(500):
            lines.add(SCOPE, at, 0.1)
        lines.write(b"now")
        lines.add(SCOPE, 999, 0.1)
        await late.wait()

    asyncio.run(write())
    assert b"".join(written).split() == [*(b"%d" % at for at in range(500)), b"now", b"999"]
    assert max(len(text.split()) for text in written) == TOGETHER
    assert len(written) < 500 / TOGETHER + 5


def test_lines_that_go_out_together_are_kept_together_by_a_pipe() -> None:
    long = max((op.path for op in OPERATIONS), key=len)
    client = ("ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255%interface0", 65535)
    state = {"request_id": "x" * 128, "trace_id": TRACE}
    scope = {"path_template": long, "method": "OPTIONS", "state": state, "client": client}
    assert (len(msgspec.json.encode(line_of(scope, 200, 1e5 / 3))) + 1) * TOGETHER_OF_SEVERAL <= select.PIPE_BUF


@pytest.fixture
def root() -> Iterator[logging.Logger]:
    """The logger of all, as it was before."""
    root = logging.getLogger()
    level, handlers = root.level, root.handlers[:]
    root.handlers = []
    yield root
    root.handlers = handlers
    root.setLevel(level)


@pytest.mark.parametrize("path", ["/ask", "/read", "/framework"])
def test_a_fault_is_one_line_with_its_traceback_and_names_the_request(root: logging.Logger, path: str) -> None:
    written: list[bytes] = []
    Log("json", "warning", written.append).take_all()
    app = Access(Stop(), None)
    request = Request(path, (b'{"hunter2":1}',), "POST" if path == "/ask" else "GET", (("x-api-key", "hunter2"),))

    async def named(scope: Any, receive: Any, send: Any) -> None:
        app.begin(scope)
        await FAILING(scope, receive, send)

    ask(request, named)
    (text,) = written
    line = msgspec.json.decode(text)
    assert text.count(b"\n") == 1
    assert (line["event"], line["level"], line["method"]) == ("request failed", "error", request.method)
    assert len(line["request_id"]) == len(line["trace_id"]) == 32
    assert "Traceback" in line["exception"]
    assert b"hunter2" not in text


def test_text_is_for_people(root: logging.Logger) -> None:
    written: list[bytes] = []

    async def write() -> None:
        log = Log("text", "info", written.append)
        log.take_all()
        assert log.requests is not None
        log.requests(SCOPE, 200, 0.001)
        logging.getLogger("service.runtime.logging").warning(
            "%d cards are missing", 2, extra={"url": "two\nlines", "hand": "2D"}
        )

    asyncio.run(write())
    request, warning = (text.decode() for text in written)
    assert all(word in request for word in ("+00:00", "request", "/livez", "GET", "200"))
    assert "[warning] 2 cards are missing logger=service.runtime.logging url='two\\nlines'\n" in warning
    assert "2D" not in warning


@pytest.mark.parametrize(("level", "logged"), [("debug", True), ("info", True), ("warning", False), ("error", False)])
def test_requests_are_logged_as_info(level: str, logged: bool) -> None:
    assert (Log("json", level, print).requests is not None) == logged


SECRETS: Final = ("hunter2", "swordfish", "xyzzy", "plugh", "joshua", "mellon", "sesame")


def test_nothing_of_what_a_request_holds_is_ever_logged() -> None:
    headers = (
        ("authorization", "Bearer hunter2"),
        ("x-api-key", "swordfish"),
        ("cookie", "session=xyzzy"),
        ("user-agent", "plugh"),
    )
    with serving(LOG_LEVEL="debug", LOG_FORMAT="json") as server:
        with Line(server.port) as line:
            opened = line.ask("/v1/games", b'{"rules":"trebor","players":4}', *headers)
            game = msgspec.json.decode(opened.body)
            bodies = (
                b'{"players":2,"seed":"joshua"}',
                b'{"joshua":1}',
                b"joshua",
                b'{"players":"joshua"}',
                b'"\xff joshua',
            )
            asked = [line.ask("/v1/draws?mellon=mellon", body, *headers) for body in bodies]
            known = f"/v1/games/{game['id']}"
            paths = (known, f"{known}/sesame", "/sesame", "/v1/rulesets/sesame?mellon")
            asked += [line.ask(path, b"", *headers, method="GET") for path in paths]
            with Line(server.port) as other:
                other.send(b"GET /sesame HTTP/1.1\r\nx-api-key: swordfish\r\nbro ken\r\n\r\n")
                assert other.receive().status == 400
        server.process.send_signal(signal.SIGTERM)
        assert server.process.stdout is not None
        said = server.process.stdout.read()
    assert server.process.returncode == 0
    for secret in (*SECRETS, game["id"], *game["tokens"], game["host_token"]):
        assert secret not in said
    lines = [msgspec.json.decode(text) for text in said.splitlines()]
    requests = [entry for entry in lines if entry["event"] == "request"]
    assert [entry["request_id"] for entry in requests] == [
        answer.headers["x-request-id"] for answer in (opened, *asked)
    ]
    loggers = {entry["logger"] for entry in lines if entry not in requests}
    assert loggers >= {"uvicorn.error", "service.runtime.shutdown"}
