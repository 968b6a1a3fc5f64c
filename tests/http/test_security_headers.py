"""The security headers of every answer, over the wire, the server's own refusals included; and trusted proxies."""

from collections.abc import Iterator
from typing import Final

import pytest

from service import __version__
from service.app import create_app
from service.http.guards.cors import SECURITY_HEADERS
from service.platform.settings import Settings
from tests.support.http.client import Request, ask
from tests.support.http.server import Line, Server, serving

PAGES: Final = ["/", "/docs", "/problems", "/problems/not-found"]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving() as server:
        yield server


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("POST", "/v1/draws", 400),
        ("GET", "/v1/draws", 405),
        ("GET", "/v1/rulesets", 200),
        ("GET", "/v1/rulesets/bridge", 404),
        ("GET", "/nowhere", 404),
        ("POST", "/v1/games", 400),
        ("GET", f"/v1/games/{'x' * 22}", 404),
        ("GET", "/livez", 200),
        ("GET", "/metrics", 200),
        ("GET", "/openapi.json", 200),
        ("GET", "/static/docs.js", 200),
        *(("GET", page, 200) for page in PAGES),
    ],
)
def test_every_answer_says_once_what_it_may_not_be_used_for(
    method: str, path: str, status: int, server: Server
) -> None:
    with Line(server.port) as line:
        answer = line.ask(path, method=method)
    assert answer.status == status
    assert {name: answer.headers[name] for name, _ in SECURITY_HEADERS} == dict(SECURITY_HEADERS)
    assert answer.headers["api-version"] == __version__
    assert not {"server", "x-powered-by", "strict-transport-security"} & answer.headers.keys()


def test_what_is_no_http_is_refused_with_the_same_headers(server: Server) -> None:
    with Line(server.port) as line:
        line.send(b"\x16\x03\x01 no http\r\n\r\n")
        answer = line.socket.recv(65536)
    assert answer.startswith(b"HTTP/1.1 400")
    for name, value in [*SECURITY_HEADERS, ("api-version", __version__)]:
        assert f"{name}: {value}\r\n".encode() in answer


@pytest.mark.parametrize("page", PAGES)
def test_a_page_runs_nothing_of_others_and_stands_in_no_frame(page: str) -> None:
    headers = ask(Request(page, method="GET")).headers
    policy = dict(part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == "'none'"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert "camera=()" in headers["permissions-policy"]


BEHIND: Final = "10.0.0.1"
FORWARDED: Final = "x-forwarded-for"


@pytest.mark.parametrize(
    ("trusted", "client", "forwarded", "counted"),
    [
        (None, BEHIND, ["203.0.113.9"], BEHIND),
        ("10.0.0.2", BEHIND, ["203.0.113.9"], BEHIND),
        (BEHIND, BEHIND, ["203.0.113.9"], "203.0.113.9"),
        ("10.0.0.0/8", BEHIND, ["203.0.113.9"], "203.0.113.9"),
        ("192.0.2.7, 10.0.0.0/8", BEHIND, ["203.0.113.9, 192.0.2.7"], "203.0.113.9"),
        (BEHIND, BEHIND, ["198.51.100.1, 203.0.113.9"], "203.0.113.9"),
        (BEHIND, BEHIND, ["198.51.100.1", "203.0.113.9"], "203.0.113.9"),
        (BEHIND, BEHIND, [], BEHIND),
        ("2001:db8::/32", "2001:db8::1", ["[2001:db9::1]:4711"], "2001:db9::1"),
    ],
)
def test_only_a_trusted_proxy_tells_who_the_client_is_and_the_last_that_is_not_trusted_counts(
    trusted: str | None, client: str, forwarded: list[str], counted: str
) -> None:
    app = create_app(Settings(trusted_proxies=trusted, rate_limit="1/day"))
    told = Request("/v1/draws", (b"{}",), headers=tuple((FORWARDED, value) for value in forwarded), client=client)
    assert ask(told, app).status == 400
    assert ask(Request("/v1/draws", (b"{}",), client=counted), app).status == 429
