"""The log: one line for each event, and never anything of what a request holds."""

import logging
import os
import re
import select
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC
from typing import Any, Final, NamedTuple

import msgspec
import pytest
from prometheus_client import REGISTRY

from service.app import create_app
from service.http.context import RequestContext
from service.http.guards.request_id import identify_request
from service.live.tokens import hash_game
from service.platform.settings import Settings
from service.schemas.ids import GameId
from service.server.logging import REQUEST_BYTES, Log, RequestLine, Writer
from tests.server.recorded_log import RecordedLog
from tests.support.http.client import Request, ask
from tests.support.http.failing import FAILING
from tests.support.http.server import Line, begin_drain, serving
from tests.support.http.tools import write_message
from tests.support.patience import WAIT

TRACE: Final = "4bf92f3577b34da6a3ce929d0e0e4736"
PARENT: Final = f"00-{TRACE}-00f067aa0ba902b7-01"
LOG: Final = RecordedLog()
APP: Final = create_app(Settings(), observers=[LOG.add])
CONTEXT: Final = RequestContext("", "", {}, "GET", "/livez")
OF_RULES: Final = RequestContext("", "", {}, "GET", "/v1/rulesets")


def seen(*headers: tuple[str, str], path: str = "/livez", method: str = "GET") -> tuple[dict[str, str], RequestLine]:
    """Send a request: the headers of its answer, and its line."""
    answer = ask(Request(path, method=method, headers=headers), APP)
    (line,) = LOG.lines
    LOG.lines.clear()
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


def test_of_two_ids_neither_is_taken_over() -> None:
    headers, line = seen(("x-request-id", "a"), ("x-request-id", "b"), ("traceparent", PARENT), ("traceparent", PARENT))
    assert line.request_id == headers["x-request-id"] not in {"a", "b", "a, b"}
    assert line.trace_id != TRACE


@pytest.mark.parametrize("given", ["", "x" * 129, "a b", 'a"b', "é", "a\r\nset-cookie: b"])
def test_what_can_be_no_id_is_not_taken_over(given: str) -> None:
    headers, line = seen(("x-request-id", given))
    assert line.request_id == headers["x-request-id"] != given


def test_every_request_has_an_id_of_its_own() -> None:
    assert len({seen()[1].request_id for _ in range(20)}) == 20


class Pipe(NamedTuple):
    """A pipe, and a writer to it."""

    reader: int
    descriptor: int
    writer: Writer

    def read(self) -> bytes:
        """Write what is buffered, and read it."""
        self.writer.flush(WAIT)
        return os.read(self.reader, 1_000_000)

    def fill(self) -> None:
        """Fill the pipe, so that the next write waits for the reader."""
        os.set_blocking(self.descriptor, False)
        with suppress(BlockingIOError):
            while True:
                os.write(self.descriptor, b"x" * select.PIPE_BUF)
        os.set_blocking(self.descriptor, True)


@pytest.fixture
def pipe(request: pytest.FixtureRequest) -> Iterator[Pipe]:
    """A pipe, and a writer to it with the options of the parameter."""
    reader, descriptor = os.pipe()
    pipe = Pipe(reader, descriptor, Writer(descriptor, **getattr(request, "param", {})))
    yield pipe
    os.set_blocking(reader, False)
    with suppress(BlockingIOError):
        while os.read(reader, 1_000_000):  # nobody is left waiting
            pipe.writer.flush(0.1)
    os.close(descriptor)
    os.close(reader)


def dropped() -> float:
    return REGISTRY.get_sample_value("catchten_log_lines_dropped_total") or 0


def test_lines_are_written_in_order(pipe: Pipe) -> None:
    for at in range(500):
        pipe.writer.add(b"%d" % at)
    assert pipe.read() == b"".join(b"%d\n" % at for at in range(500))


def test_a_line_is_written_without_being_flushed(pipe: Pipe) -> None:
    pipe.writer.add(b"a")
    assert select.select([pipe.reader], [], [], WAIT)[0]


@pytest.mark.parametrize("pipe", [{"buffer_bytes": 100}], indirect=True)
def test_a_reader_that_stands_still_costs_lines_which_are_counted_but_no_time(pipe: Pipe) -> None:
    before = dropped()
    pipe.fill()
    for _ in range(30):
        pipe.writer.add(b"123456789")
    assert dropped() - before == 20
    pipe.writer.flush(0.01)
    text = b""
    while text.count(b"\n") < 10:
        text += os.read(pipe.reader, select.PIPE_BUF)
    pipe.writer.flush(WAIT)  # what was read may be counted as buffered for a moment more
    pipe.writer.add(b"again")
    assert pipe.read() == b"again\n"
    assert dropped() - before == 20


def test_lines_that_nobody_can_read_any_more_are_counted() -> None:
    reader, descriptor = os.pipe()
    before, writer = dropped(), Writer(descriptor)
    os.close(reader)
    writer.add(b"a")
    writer.add(b"b")
    writer.flush(WAIT)
    assert dropped() - before == 2
    os.close(descriptor)


@pytest.mark.parametrize(("drain", "code"), [("0", 0), ("600", 128 + signal.SIGTERM)])
def test_a_reader_that_stands_still_stops_neither_answers_nor_the_shutdown(drain: str, code: int) -> None:
    with serving(LOG_LEVEL="info", LOG_FORMAT="json", DRAIN_SECONDS=drain) as server:
        with Line(server.port) as line:
            for _ in range(500):  # whose lines are more than twice what a pipe holds
                assert line.ask("/livez", b"", ("x-request-id", "x" * 128), method="GET").status == 200
        if code:
            begin_drain(server)
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(WAIT) == code


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
def test_a_fault_is_one_line_with_its_traceback_and_names_the_request(
    root: logging.Logger, pipe: Pipe, path: str
) -> None:
    Log("json", "warning", pipe.writer).install()
    request = Request(path, (b'{"hunter2":1}',), "POST" if path == "/ask" else "GET", (("x-api-key", "hunter2"),))

    async def named(scope: Any, receive: Any, send: Any) -> None:
        identify_request(scope)
        await FAILING(scope, receive, send)

    ask(request, named)
    text = pipe.read()
    line = msgspec.json.decode(text)
    assert text.count(b"\n") == 1
    assert (line["event"], line["level"], line["method"]) == ("request failed", "error", request.method)
    assert (len(line["request_id"]), len(line["trace_id"])) == (36, 32)
    assert "Traceback" in line["exception"]
    assert b"hunter2" not in text


def test_lines_of_requests_and_others_are_written_in_order(pipe: Pipe) -> None:
    log = Log("json", "info", pipe.writer)
    (log_request,) = log.observers
    for at in range(256):
        log_request(OF_RULES, 200 + at, 0.001)
        if at % 100 == 0:
            pipe.writer.add(b'{"status":"other"}')
    asked = [msgspec.json.decode(line)["status"] for line in pipe.read().splitlines()]
    assert [status for status in asked if status != "other"] == [200 + at for at in range(256)]
    assert [at for at, status in enumerate(asked) if status == "other"] == [1, 102, 203]


@pytest.mark.parametrize("pipe", [{"buffer_bytes": 10 * REQUEST_BYTES}], indirect=True)
def test_lines_of_requests_that_do_not_fit_are_counted(pipe: Pipe) -> None:
    log, before = Log("json", "info", pipe.writer), dropped()
    (log_request,) = log.observers
    pipe.fill()
    for _ in range(30):
        log_request(OF_RULES, 200, 0.001)
    assert dropped() - before == 20


def test_the_line_of_a_request_takes_no_more_memory_than_it_counts_for() -> None:
    kept = RecordedLog()
    client = "2001:db8:1111:2222:3333:4444:5555:6666"
    kept.add(
        RequestContext("x" * 128, "f" * 32, {}, "DELETE", "/v1/rulesets", client=client, path_params=PATH), 200, 0.001
    )
    (line,) = kept.lines
    own = (line, line.timestamp, line.duration, line.request_id, line.trace_id, line.client, line.game)
    assert sum(map(sys.getsizeof, own)) + 8 <= REQUEST_BYTES  # and its place in a list


def test_text_is_for_people(root: logging.Logger, pipe: Pipe) -> None:
    log = Log("text", "debug", pipe.writer)
    log.install()
    (log_request,) = log.observers
    log_request(CONTEXT, 200, 0.001)
    logging.getLogger("service.server.logging").warning(
        "%d cards are missing", 2, extra={"url": "two\nlines", "hand": "2D"}
    )
    request, warning = pipe.read().decode().splitlines()
    assert all(word in request for word in ("+00:00", "request", "/livez", "GET", "200"))
    assert "[warning] 2 cards are missing logger=service.server.logging url='two\\nlines'" in warning
    assert "2D" not in warning


@pytest.mark.parametrize(
    ("level", "logged"), [("debug", [200, 404, 500]), ("info", [200, 404, 500]), ("warning", [500]), ("error", [])]
)
def test_requests_are_logged_as_info_and_failures_of_the_service_as_warnings(
    pipe: Pipe, level: str, logged: list[int]
) -> None:
    for log_request in Log("json", level, pipe.writer).observers:
        for status in (200, 404, 500):
            log_request(OF_RULES, status, 0.001)
    pipe.writer.add(b"{}")
    *lines, _ = [msgspec.json.decode(line) for line in pipe.read().splitlines()]
    assert [line["status"] for line in lines] == logged
    assert [line["level"] for line in lines] == ["info" if status < 500 else "warning" for status in logged]


GAME: Final = "HybaVEduloQ2CRUKMB7JoQ"
PATH: Final = {"game_id": GAME}


@pytest.mark.parametrize(
    "sent",
    [
        Request(f"/v1/games/{GAME}", method="GET"),
        Request(f"/v1/games/{GAME}/plays", (b'{"card":"TH"}',)),
        Request(f"/v1/games/{GAME}/events", method="GET"),
        write_message("tools/call", {"name": "get_game", "arguments": {"game_id": GAME}}),
    ],
    ids=["look", "play", "stream", "tool"],
)
def test_a_request_on_a_game_is_logged_with_its_hash(sent: Request) -> None:
    ask(sent, APP)
    line = LOG.lines[0]
    LOG.lines.clear()
    assert line.route.startswith("/v1/games/{game_id}")
    assert line.game == hash_game(GameId(GAME))
    assert GAME not in str(line)


@pytest.mark.parametrize(
    "sent",
    [
        Request("/v1/games", (b'{"rules":"trebor","players":4}',)),
        write_message("tools/call", {"name": "open_game", "arguments": {"rules": "trebor", "players": 4}}),
    ],
    ids=["call", "tool"],
)
def test_an_opening_is_logged_with_the_hash_of_the_new_game(sent: Request) -> None:
    answer = ask(sent, APP)
    line = LOG.lines[0]
    LOG.lines.clear()
    (game,) = set(re.findall(r'"id":"([\w-]{22})"', answer.body.decode()))
    assert line.game == hash_game(GameId(game))


def test_other_requests_have_no_game() -> None:
    assert seen(path="/v1/rulesets/trebor")[1].game == ""


@pytest.mark.parametrize(
    ("level", "route", "status", "logged"),
    [
        ("info", "/readyz", 200, False),
        ("info", "/readyz", 503, True),
        ("debug", "/readyz", 200, True),
        ("info", "/v1/verdicts", 200, True),
    ],
)
def test_health_checks_that_pass_are_logged_as_debug(
    pipe: Pipe, level: str, route: str, status: int, logged: bool
) -> None:
    log = Log("json", level, pipe.writer)
    (log_request,) = log.observers
    log_request(RequestContext("", "", {}, "GET", route), status, 0.001)
    pipe.writer.add(b"the end")
    assert (pipe.read() != b"the end\n") == logged


@pytest.mark.parametrize(("addresses", "client"), [(True, "192.0.2.1"), (False, "")])
def test_the_address_of_a_client_can_be_left_out(pipe: Pipe, addresses: bool, client: str) -> None:
    log = Log("json", "debug", pipe.writer, addresses=addresses)
    (log_request,) = log.observers
    log_request(RequestContext("", "", {}, "GET", "/livez", client="192.0.2.1"), 200, 0.001)
    assert msgspec.json.decode(pipe.read())["client"] == client


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
    for secret in (*SECRETS, game["id"], *(seat["token"] for seat in game["seats"]), game["host_token"]):
        assert secret not in said
    lines = [msgspec.json.decode(text) for text in said.splitlines()]
    requests = [entry for entry in lines if entry["event"] == "request"]
    assert [entry["request_id"] for entry in requests] == [
        answer.headers["x-request-id"] for answer in (opened, *asked)
    ]
    loggers = {entry["logger"] for entry in lines if entry not in requests}
    assert loggers >= {"uvicorn.error", "service.server.shutdown"}
