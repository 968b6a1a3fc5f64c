"""The same over a real connection: what the server in front of the application makes of it."""

import socket
from collections.abc import Generator
from contextlib import suppress
from random import Random
from typing import Final

import msgspec
import pytest

from service.server.bounds import MAX_FIELDS, MAX_HEAD_BYTES, MAX_PIECES, PIECE_BYTES
from tests.support.http.checks import check_answer
from tests.support.http.client import LIMIT, Answer, refused
from tests.support.http.hostile import hostile_request
from tests.support.http.problems import decode_problem
from tests.support.http.server import Line, Reply, Server, chunk, head, serving
from tests.support.patience import WAIT

PATH = "/v1/draws"
BODY = b'{"players":4,"seed":"one"}'
BODIES = 300


@pytest.fixture(scope="module")
def server() -> Generator[Server]:
    with serving() as started:
        yield started


@pytest.fixture
def line(server: Server) -> Generator[Line]:
    with Line(server.port) as opened:
        yield opened


def answer(reply: Reply) -> Answer:
    """Take an answer for one that came inside the process."""
    return Answer(reply.status, reply.headers, reply.body, 0)


def still_answers(line: Line) -> None:
    """Check that the connection still serves."""
    assert line.ask(PATH, BODY).status == 200


def test_hostile_bodies_are_answered_on_one_connection(line: Line) -> None:
    chance = Random(99)
    for _ in range(BODIES):
        request = hostile_request(chance)
        check_answer(request, answer(line.ask(request.path, request.parts[0], *request.headers)))
    still_answers(line)


def test_requests_that_are_sent_together_are_answered_one_after_the_other(line: Line) -> None:
    asked = head("/livez", method="GET") + head(PATH, ("content-length", str(len(BODY)))) + BODY
    line.send(asked * 500)
    assert [line.receive(method).status for _ in range(500) for method in ("GET", "POST")] == [200] * 1000
    still_answers(line)


def test_a_request_behind_a_stream_ends_the_connection(server: Server) -> None:
    with Line(server.port) as line:
        game = msgspec.json.decode(line.ask("/v1/games", b'{"rules":"trebor","players":4}').body)["id"]
    follow = head(f"/v1/games/{game}/events", method="GET")
    for at_once, later in ((follow, head("/livez", method="GET")), (follow + b"P", b""), (follow + follow, b"")):
        with Line(server.port) as line, suppress(ConnectionError):
            line.send(at_once)
            if later:
                assert line.socket.recv(15) == b"HTTP/1.1 200 OK"
                line.send(later)
            while line.socket.recv(4096):
                pass
    with Line(server.port) as line:
        still_answers(line)


def test_a_body_may_come_in_many_chunks_but_not_in_very_many_small_ones(server: Server) -> None:
    start = head("/v1/batches", ("transfer-encoding", "chunked"))
    end = chunk(b'{"questions":[]}') + chunk(b"")
    for size, number in ((1, MAX_PIECES // 2), (PIECE_BYTES + 1, MAX_PIECES * 2)):
        with Line(server.port) as line:
            line.send(start + chunk(b" " * size) * number + end)
            assert line.receive().status == 400  # the batch is empty
            still_answers(line)
    with Line(server.port) as line, suppress(ConnectionError):
        line.send(start + chunk(b" ") * 1000 + end)
        assert line.closed()
    with Line(server.port) as line:
        line.send((start + chunk(b" ") * (MAX_PIECES // 2) + end) * 3)
        assert [line.receive().status for _ in range(3)] == [400] * 3
        counted = line.ask("/metrics", method="GET").body
    assert b'catchten_connections_dropped_total{reason="pieces"} 1.0\n' in counted


@pytest.mark.parametrize("pieces", [1, 2, 3, 1000])
@pytest.mark.parametrize("name", ["x-many", None])
@pytest.mark.parametrize("times", [1, 4])
def test_a_head_that_is_too_long_is_refused_however_it_comes(
    server: Server, pieces: int, name: str | None, times: int
) -> None:
    fields = [(name or f"x-{number}", "a" * 100) for number in range(MAX_HEAD_BYTES * times // 100)]
    raw = head("/livez", *fields, method="GET")
    size = len(raw) // pieces + 1
    with Line(server.port) as line:
        with suppress(ConnectionError):
            for start in range(0, len(raw), size):
                line.send(raw[start : start + size])
        with suppress(ConnectionError):  # what was sent after the refusal may have taken it away
            assert line.receive("GET").status == 400
            assert line.closed()


def test_a_head_that_is_too_long_is_refused_also_where_it_comes_with_the_request_before_it(server: Server) -> None:
    many = [(f"x-{number}", "a" * 100) for number in range(MAX_HEAD_BYTES * 4 // 100)]
    raw = head("/livez", method="GET") + head("/livez", *many, method="GET")
    with Line(server.port) as line:
        line.send(raw)
        answers = list[int]()
        with suppress(ConnectionError, IndexError):  # what was not read of the head may have taken the refusal away
            while not answers or answers[-1] == 200:
                answers.append(line.receive("GET").status)
        assert answers in ([], [200], [400], [200, 400])  # the refusal does not wait for the answer


@pytest.mark.parametrize(
    ("begun", "has", "status"),
    [
        (head("/livez", method="GET"), 2, 200),
        (head("/livez", ("connection", "upgrade"), ("upgrade", "h2c"), method="GET"), 4, 200),
        (head(PATH, ("transfer-encoding", "chunked")) + chunk(BODY) + b"0\r\n\r\n", 0, 200),
        (head("/nowhere", ("transfer-encoding", "chunked")) + b"0\r\n\r\n", 0, 404),
    ],
    ids=["head", "head with an offer", "trailers", "trailers alone"],
)
def test_a_head_and_trailers_have_many_fields_but_not_very_many(
    line: Line, begun: bytes, has: int, status: int
) -> None:
    for _ in range(2):
        line.send(begun[:-2] + b"a:\r\n" * (MAX_FIELDS - has) + b"\r\n")
        assert line.receive("GET").status == status
    line.send(begun[:-2] + b"a:\r\n" * (MAX_FIELDS - has + 1) + b"\r\n")
    refused(answer(line.receive("GET")), "malformed_request")
    assert line.closed()


@pytest.mark.parametrize("field", [b"a:\r\n", b"x: " + b"a" * MAX_HEAD_BYTES], ids=["many", "one"])
@pytest.mark.parametrize(
    ("refused_first", "begun"),
    [
        (b"", head("/livez", ("transfer-encoding", "chunked"), method="GET") + b"0\r\n"),
        (b"", head(PATH, ("transfer-encoding", "chunked")) + b"1\r\n{\r\n0\r\n"),
        (head("/nowhere", ("content-length", "1")) + b"{", head("/", method="GET")[:-2]),
        (head("/nowhere", ("content-length", "1")), b"{" + head("/", method="GET")[:-2]),
    ],
    ids=["trailers alone", "trailers", "head", "head behind a body refused"],
)
def test_fields_without_end_are_refused_wherever_they_come(
    server: Server, refused_first: bytes, begun: bytes, field: bytes
) -> None:
    with Line(server.port) as line:
        if refused_first:
            line.send(refused_first)
            assert line.receive().status == 404
        line.send(begun)
        with pytest.raises(ConnectionError):
            line.send(field * (500 * MAX_HEAD_BYTES // len(field)))


def test_trailers_are_no_headers(line: Line) -> None:
    name, body = "4d5c4d0e-8f5e-4a5c-8a53-0a3b6a1c7d11", msgspec.json.encode({})
    chunks = b"%x\r\n%b\r\n0\r\nX-Request-ID: %b\r\n\r\n" % (len(body), body, name.encode())
    line.send(head(PATH, ("transfer-encoding", "chunked")) + chunks)
    reply = line.receive()
    assert reply.status == 400
    assert name.encode() not in reply.body
    still_answers(line)


def test_a_chunk_may_come_apart_from_its_length(line: Line) -> None:
    line.send(head(PATH, ("transfer-encoding", "chunked")) + b"%x\r" % LIMIT)
    for piece in (b"\n", b" " * LIMIT, b"\r\n0\r\n\r\n"):
        line.send(piece)
    refused(answer(line.receive()), "malformed_body")
    still_answers(line)


def test_long_bodies_and_many_heads_in_pieces_are_no_long_head(line: Line) -> None:
    raw = head("/livez", ("x-long", "a" * (MAX_HEAD_BYTES // 2)), method="GET")
    for _ in range(5):
        line.send(raw[:-3])
        line.send(raw[-3:])
        assert line.receive("GET").status == 200
    line.send(head(PATH, ("content-length", str(LIMIT + 1))))
    refused(answer(line.receive()), "body_too_large")
    line.send(b"x" * (LIMIT + 1))
    still_answers(line)


def test_a_body_announced_as_too_long_is_refused_before_it_comes_and_passed_over_when_it_does(line: Line) -> None:
    line.send(head(PATH, ("content-length", str(LIMIT + 1))))
    refused(answer(line.receive()), "body_too_large")
    line.send(b" " * (LIMIT + 1))
    still_answers(line)


def test_a_body_in_chunks_is_refused_as_soon_as_it_is_too_long_and_passed_over_to_its_end(line: Line) -> None:
    line.send(head(PATH, ("transfer-encoding", "chunked")) + chunk(b" " * (LIMIT + 1)))
    refused(answer(line.receive()), "body_too_large")
    line.send(chunk(b" " * LIMIT) + chunk(b""))
    still_answers(line)


def test_a_body_that_was_not_asked_for_is_passed_over(line: Line) -> None:
    line.send(head("/nowhere", ("content-length", str(LIMIT))))
    refused(answer(line.receive()), "not_found")
    line.send(b" " * LIMIT)
    still_answers(line)


def test_a_client_that_asks_first_whether_to_send_is_told(line: Line) -> None:
    expect = ("expect", "100-continue")
    line.send(head(PATH, ("content-length", str(len(BODY))), expect))
    assert line.receive().status == 100
    line.send(BODY)
    assert line.receive().status == 200
    line.send(head(PATH, ("content-length", str(LIMIT + 1)), expect))
    refused(answer(line.receive()), "body_too_large")


def test_requests_sent_together_are_answered_in_order(line: Line) -> None:
    requests = [head(PATH, ("content-length", str(len(BODY)))) + BODY, head(PATH, ("content-length", "0")), BODY]
    line.send(requests[0] * 2 + requests[1] + requests[0])
    assert [line.receive().status for _ in range(4)] == [200, 200, 400, 200]


def test_a_body_in_many_small_pieces_is_read(line: Line) -> None:
    line.send(head(PATH, ("transfer-encoding", "chunked")))
    for byte in BODY:
        line.send(chunk(bytes([byte])))
    line.send(chunk(b""))
    assert line.receive().status == 200


@pytest.mark.parametrize("announced", [("content-length", "1"), ("transfer-encoding", "chunked")])
def test_an_event_stream_with_a_body_is_refused_before_the_body_has_come(
    line: Line, announced: tuple[str, str]
) -> None:
    line.send(head(f"/v1/games/{'A' * 22}/events", announced, method="GET"))
    refused(answer(line.receive()), "malformed_request")


def test_an_event_stream_may_announce_that_it_has_no_body(line: Line) -> None:
    reply = line.ask(f"/v1/games/{'A' * 22}/events", method="GET")
    refused(answer(reply), "no_such_game")


def test_a_client_that_leaves_harms_no_other(server: Server, line: Line) -> None:
    for sent in (b"POST", head(PATH, ("content-length", "99")), head(PATH, ("content-length", "99")) + BODY):
        with Line(server.port) as leaving:
            leaving.send(sent)
    still_answers(line)


NO_HTTP: Final = (
    b"\x00\x01\x02\r\n\r\n",
    b"GET / HTTP/9.9\r\n\r\n",
    head(PATH, ("content-length", "abc")),
    head(PATH, ("content-length", "-1")),
    head(PATH, ("content-length", "5"), ("content-length", "6")),
    head(PATH, ("content-length", "5"), ("transfer-encoding", "chunked")),
    b"GET " + b"/" * 70_000 + b" HTTP/1.1\r\n\r\n",
)


@pytest.mark.parametrize("raw", NO_HTTP)
def test_what_is_no_http_is_refused_and_the_connection_closed(line: Line, raw: bytes) -> None:
    line.send(raw)
    reply = line.receive()
    problem = decode_problem(reply.body)
    assert (reply.status, problem.status, problem.code) == (400, 400, "malformed_request")
    assert reply.headers["content-type"] == "application/problem+json"
    assert line.closed()


def test_what_is_no_http_leaves_no_line_in_the_log() -> None:
    with serving(LOG_LEVEL="info", LOG_FORMAT="json") as server:
        for raw in NO_HTTP:
            with Line(server.port) as line:
                line.send(raw)
                assert line.receive().status == 400
        with Line(server.port) as line:
            assert line.ask("/v1/rulesets", method="GET").status == 200
        server.process.terminate()
        told, _ = server.process.communicate(timeout=WAIT)
    lines = [msgspec.json.decode(text) for text in told.splitlines()]
    assert [line["event"] for line in lines[:2]] == ["request", "received SIGTERM, draining"]


@pytest.mark.parametrize("path", ["/v1/rulesets", "/livez", "/metrics", "/", "/openapi.json", "/docs"])
def test_head_has_no_body(line: Line, path: str) -> None:
    request_id = ("x-request-id", "the-same")
    shown, told = (line.ask(path, b"", request_id, method=method) for method in ("GET", "HEAD"))
    assert (told.status, told.body) == (200, b"")
    assert shown.body
    if path != "/metrics":
        assert told.headers == {**shown.headers, "date": told.headers["date"]}


def test_nothing_comes_with_304(line: Line) -> None:
    etag = line.ask("/v1/rulesets", method="GET").headers["etag"]
    told = line.ask("/v1/rulesets", b"", ("if-none-match", etag), method="GET")
    assert (told.status, told.body) == (304, b"")
    still_answers(line)


@pytest.mark.parametrize("path", ["/v1/draws?x=%zz", "/v1/draws?//%2f", "http://localhost/v1/draws"])
def test_a_path_may_be_written_in_other_ways(line: Line, path: str) -> None:
    assert line.ask(path, BODY).status == 200


@pytest.mark.parametrize(
    "path", ["/v1%2Fdraws%00", "/v1/draws%0a", "/v1/%ff", "/v1/%", "/%2e%2e/v1/draws", "/v1/%64raws", "/v1/draws/"]
)
def test_any_other_path_is_refused(line: Line, path: str) -> None:
    refused(answer(line.ask(path, BODY)), "not_found")


def test_long_headers_do_no_harm(line: Line) -> None:
    refused(answer(line.ask(PATH, BODY, ("accept", "*/*," * 7_500))), "not_acceptable")
    still_answers(line)


def test_a_client_of_http_1_0_gets_a_stream_without_chunks_that_ends_with_the_connection(server: Server) -> None:
    with Line(server.port) as line:
        made = msgspec.json.decode(line.ask("/v1/games", b'{"rules":"trebor","players":4}').body)
    game, host = made["id"], ("authorization", f"Bearer {made['host_token']}")
    with socket.create_connection(("127.0.0.1", server.port)) as stream, Line(server.port) as line:
        stream.settimeout(WAIT)
        stream.sendall(head(f"/v1/games/{game}/events", method="GET").replace(b"HTTP/1.1", b"HTTP/1.0"))
        came = stream.recv(15)
        line.ask(f"/v1/games/{game}", b"", host, ("if-match", "*"), method="DELETE")
        while part := stream.recv(4096):
            came += part
    start, _, body = came.partition(b"\r\n\r\n")
    assert b"transfer-encoding" not in start
    assert b"connection: close" in start
    assert body.startswith(b"retry: 1000\n")
    assert body.endswith(b"\n\n")
    assert b"event: gone" in body


def test_an_idle_connection_is_closed_after_its_time_and_so_is_one_whose_head_never_ends() -> None:
    with serving(KEEP_ALIVE_SECONDS="1") as server:
        for sent in (b"", head("/livez", method="GET")[:-2], b"POST"):
            with Line(server.port) as line:
                line.send(sent)
                assert line.closed()
        with Line(server.port) as line:
            still_answers(line)
            assert line.closed()
