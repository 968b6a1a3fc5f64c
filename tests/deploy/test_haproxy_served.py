"""What a real HAProxy does, as it is configured in deploy/: HTTP/2, bodies, streams, and shares of addresses."""

import re
import socket
import ssl
from collections.abc import Generator
from contextlib import ExitStack
from pathlib import Path
from time import monotonic, sleep
from typing import Final

import httpx
import pytest
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import DataReceived, ResponseReceived, StreamEnded

from tests.programs.harness import Balancer
from tests.support.http.problems import decode_problem
from tests.support.http.samples import PATHS
from tests.support.http.server import Line, Server, chunk, head, serving
from tests.support.patience import WAIT

GAME: Final = f"/v1/games/{'A' * 22}"
STREAM: Final = f"{GAME}/events"
OTHER: Final = "127.0.0.2"
BEYOND_A_BUFFER: Final = 20_000
CALLS: Final = 250
"""Requests, event streams aside, that an address may have under way."""
CONNECTIONS_H2: Final = 100
PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\4" + b"\0" * 5
"""The beginning of a connection of HTTP/2, with settings."""
BACKENDS: Final = ("questions", "heavy", "games", "streams")


@pytest.fixture(scope="module")
def replica() -> Generator[Server]:
    with serving(TRUSTED_PROXIES="127.0.0.1", MAX_SUGGESTIONS="2") as server:
        yield server


@pytest.fixture(scope="module")
def started(replica: Server, tmp_path_factory: pytest.TempPathFactory) -> Generator[Balancer]:
    with Balancer(tmp_path_factory.mktemp("balancer") / "haproxy", [replica.port]) as balancer:
        yield balancer


@pytest.fixture
def balancer(started: Balancer) -> Balancer:
    """Return the load balancer once it has nothing more of an earlier test."""
    for backend in BACKENDS:
        wait_for_sessions(started, backend, 0)
    return started


def sessions(balancer: Balancer, backend: str, of: str = "current_sessions") -> int:
    """Return how many sessions a backend has now, or another number of it."""
    return balancer.read_metric(f'haproxy_backend_{of}{{proxy="{backend}"}}')


def wait_for_sessions(balancer: Balancer, backend: str, number: int) -> None:
    until = monotonic() + WAIT
    while (found := sessions(balancer, backend)) != number:
        assert monotonic() < until, f"{found} sessions of {backend}, not {number}"
        sleep(0.02)


def connect_h2(stack: ExitStack, balancer: Balancer) -> ssl.SSLSocket:
    """Open a connection of HTTP/2 over TLS, without a word said."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.set_alpn_protocols(["h2"])
    plain = stack.enter_context(socket.create_connection(("127.0.0.1", balancer.tls_port), timeout=WAIT))
    return stack.enter_context(context.wrap_socket(plain))


def ask_h2(balancer: Balancer, method: str, path: str, body: bytes = b"") -> tuple[int, bytes, int]:
    """Ask by HTTP/2 over TLS. Return the status, the answer, and the most requests that a connection may have."""
    connection = H2Connection(H2Configuration(client_side=True))
    names = {":method": method, ":path": path, ":scheme": "https", ":authority": "localhost"}
    status, read = 0, b""
    with ExitStack() as stack:
        line = connect_h2(stack, balancer)
        connection.initiate_connection()
        connection.send_headers(1, [*names.items(), ("content-type", "application/json")], end_stream=not body)
        if body:
            connection.send_data(1, body, end_stream=True)
        while True:
            line.sendall(connection.data_to_send())
            for event in connection.receive_data(line.recv(65536)):
                if isinstance(event, ResponseReceived):
                    status = int(dict(event.headers)[b":status"])
                elif isinstance(event, DataReceived):
                    read += event.data
                elif isinstance(event, StreamEnded):
                    return status, read, connection.remote_settings.max_concurrent_streams


def test_http_2_by_prior_knowledge_is_not_spoken_on_a_plain_port(balancer: Balancer) -> None:
    for port in (balancer.port, balancer.metrics_port):
        with Line(port) as line:
            line.send(PREFACE)
            assert line.receive("HEAD").status == 400


def test_over_tls_http_2_is_spoken_with_few_requests_on_a_connection(balancer: Balancer) -> None:
    assert ask_h2(balancer, "GET", "/v1/rulesets")[::2] == (200, 20)


@pytest.mark.parametrize("body", [chunk(b"x") + chunk(b""), chunk(b"x" * BEYOND_A_BUFFER)], ids=["whole", "unended"])
def test_an_event_stream_with_a_body_is_refused_at_once(balancer: Balancer, body: bytes) -> None:
    before = sessions(balancer, "heavy", "sessions_total")
    with Line(balancer.port) as line:
        line.send(head(STREAM, ("transfer-encoding", "chunked"), method="GET") + body)
        reply = line.receive("GET")
    assert (reply.status, decode_problem(reply.body).code) == (400, "malformed_request")
    assert sessions(balancer, "heavy", "sessions_total") == before


def test_an_event_stream_with_a_body_is_refused_over_http_2_too(balancer: Balancer) -> None:
    before = sessions(balancer, "heavy", "sessions_total")
    status, body, _ = ask_h2(balancer, "GET", STREAM, b"x")
    assert (status, decode_problem(body).code) == (400, "malformed_request")
    assert sessions(balancer, "heavy", "sessions_total") == before


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST"])
@pytest.mark.parametrize("path", [STREAM, f"{GAME}/x/events", "/v1/events", f"{GAME}/%65vents", f"/{GAME}/events"])
def test_what_is_like_an_event_stream_is_answered_and_keeps_no_place(
    balancer: Balancer, method: str, path: str
) -> None:
    with Line(balancer.port) as line:
        line.send(head(path, ("content-length", "0"), method=method))
        assert line.receive(method).status in {404, 405}
    for backend in BACKENDS:
        wait_for_sessions(balancer, backend, 0)


UUID: Final = "0B6F4C1E-2f57-4a83-a9d4-51c3e8f7a602"
TOKEN: Final = "s0_" + "T" * 43


def until_logged(balancer: Balancer, text: str) -> None:
    """Wait until the log of the balancer has a text."""
    balancer.until(lambda: text in balancer.log.read_text(), f"not in the log: {text}")


@pytest.mark.parametrize(
    ("given", "kept"),
    [([UUID], True), (["my-own-7"], True), ([], False), (["a", "b"], False), (["a b"], False), (["x" * 129], False)],
)
def test_a_request_has_one_id_in_its_answer_and_in_the_log(balancer: Balancer, given: list[str], kept: bool) -> None:
    with Line(balancer.port) as line:
        line.send(head("/v1/rulesets", *(("x-request-id", one) for one in given), method="GET"))
        request_id = line.receive("GET").headers["x-request-id"]
    assert (request_id in given) == kept
    assert request_id
    until_logged(balancer, f'"GET /v1/rulesets" {request_id}')


def test_the_log_of_the_service_has_the_id_that_is_in_the_log_of_the_balancer(tmp_path: Path) -> None:
    with (
        serving(TRUSTED_PROXIES="127.0.0.1", LOG_LEVEL="info", LOG_FORMAT="json") as replica,
        Balancer(tmp_path / "haproxy", [replica.port]) as balancer,
        Line(balancer.port) as line,
    ):
        request_id = line.ask("/v1/rulesets", b"", method="GET").headers["x-request-id"]
        until_logged(balancer, f'"GET /v1/rulesets" {request_id}')
        replica.process.terminate()
        assert replica.process.stdout is not None
        assert f'"request_id":"{request_id}"' in replica.process.stdout.read()


@pytest.mark.parametrize("given", [UUID, "my-own-7", None])
def test_a_refusal_of_the_balancer_has_the_id_of_the_request(balancer: Balancer, given: str | None) -> None:
    with Line(balancer.port) as line:
        named = [("x-request-id", given)] if given else []
        line.send(head(STREAM, ("transfer-encoding", "chunked"), *named, method="GET") + chunk(b"x") + chunk(b""))
        reply = line.receive("GET")
    request_id = reply.headers["x-request-id"]
    assert given in {request_id, None}
    instance = decode_problem(reply.body).instance
    assert re.fullmatch("urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", instance)
    assert (instance == f"urn:uuid:{request_id.lower()}") == (given != "my-own-7")


def test_the_log_of_the_balancer_names_no_game_no_token_and_no_card(balancer: Balancer) -> None:
    notation = "ctt1_trebor_02.13_1_0.0_3-Ad_JhK97d86c.AQ9hQ8dAc"
    paths = (f"{GAME}/plays", f"/v1/{TOKEN}", f"/v1/legal-moves/{notation}", f"/v1/rulesets?{TOKEN}")
    with Line(balancer.port) as line:
        for at, path in enumerate(paths):
            line.send(head(path, ("x-request-id", f"no-secret-{at}"), method="GET"))
            line.receive("GET")
    for at, shown in enumerate(("/v1/games/-/plays", "/v1/-", "/v1/legal-moves/-", "/v1/rulesets")):
        until_logged(balancer, f'"GET {shown}" no-secret-{at}')
    for secret in ("A" * 22, TOKEN, "ctt1_"):
        assert secret not in balancer.log.read_text()


SLOW: Final = {
    "a question": ("POST", PATHS["verdicts"]),
    "a look at a page": ("GET", "/v1/rulesets"),
    "a play": ("POST", f"{GAME}/plays"),
    "a batch": ("POST", PATHS["batches"]),
    "no operation": ("POST", "/nothing"),
    "a POST to a stream": ("POST", STREAM),
}


@pytest.mark.parametrize(("method", "path"), SLOW.values(), ids=SLOW)
@pytest.mark.parametrize("announced", [("content-length", "60000"), ("transfer-encoding", "chunked")], ids=str)
def test_a_body_that_has_not_come_whole_keeps_no_place_but_of_heavy_work(
    balancer: Balancer, method: str, path: str, announced: tuple[str, str]
) -> None:
    raw, before = b" " * BEYOND_A_BUFFER, sessions(balancer, "heavy", "sessions_total")
    with Line(balancer.port) as line:
        line.send(head(path, announced, method=method) + (chunk(raw) if "chunked" in announced else raw))
        until = monotonic() + WAIT
        while sessions(balancer, "heavy", "sessions_total") == before:
            assert monotonic() < until
            sleep(0.02)
        assert [sessions(balancer, name) for name in ("questions", "games", "streams")] == [0, 0, 0]


def test_a_body_that_is_waited_for_is_asked_for_where_the_client_expects_that(balancer: Balancer) -> None:
    body = b'{"rules":"trebor","players":4}'
    with Line(balancer.port) as line:
        line.send(head(PATHS["deals"], ("content-length", str(len(body))), ("expect", "100-continue")))
        assert line.receive().status == 100
        line.send(body)
        assert line.receive().status == 200


def slow_batches(stack: ExitStack, balancer: Balancer, number: int) -> None:
    """Begin batches whose bodies do not come to their end."""
    for _ in range(number):
        line = stack.enter_context(Line(balancer.port))
        line.send(head(PATHS["batches"], ("content-length", "500000")) + b" " * BEYOND_A_BUFFER)


def test_an_address_has_no_more_than_its_share_of_requests_and_another_is_answered(balancer: Balancer) -> None:
    with ExitStack() as stack:
        slow_batches(stack, balancer, CALLS)
        wait_for_sessions(balancer, "heavy", CALLS)
        with Line(balancer.port) as line:
            reply = line.ask(PATHS["batches"], b"{}")
            assert reply.headers["retry-after"] == "5"
            problem = decode_problem(reply.body)
            assert (reply.status, problem.status, problem.code) == (429, 429, "share_used_up")
        with Line(balancer.port, OTHER) as line:
            assert line.ask(PATHS["batches"], b'{"questions":[]}').status in {200, 400}
            assert line.ask(PATHS["deals"], b'{"rules":"trebor","players":4}').status == 200
    wait_for_sessions(balancer, "heavy", 0)
    with Line(balancer.port) as line:
        assert line.ask(PATHS["deals"], b'{"rules":"trebor","players":4}').status == 200


def test_event_streams_have_a_share_of_their_own(balancer: Balancer) -> None:
    with ExitStack() as stack:
        slow_batches(stack, balancer, CALLS)
        wait_for_sessions(balancer, "heavy", CALLS)
        with Line(balancer.port) as line:
            assert line.ask(STREAM, method="GET").status == 404


def test_an_address_has_few_connections_of_http_2(balancer: Balancer) -> None:
    with ExitStack() as stack:
        for _ in range(CONNECTIONS_H2):
            line = connect_h2(stack, balancer)
            line.sendall(PREFACE)
            assert line.recv(9)
        assert connect_h2(stack, balancer).recv(9) == b""


def test_without_a_replica_every_call_is_answered_with_a_problem_of_the_service(tmp_path: Path) -> None:
    with (
        Balancer(tmp_path / "haproxy", [1]) as balancer,
        httpx.Client(base_url=f"http://127.0.0.1:{balancer.port}") as client,
    ):
        for path in ("/v1/rulesets", STREAM):
            answer = client.get(path)
            problem = decode_problem(answer.content)
            assert (answer.status_code, problem.status, problem.code) == (503, 503, "too_busy")
            assert answer.headers["content-type"] == "application/problem+json"
