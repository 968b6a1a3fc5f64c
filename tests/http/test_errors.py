"""Errors outside a question have the same problem documents, which say nothing of the inside."""

import logging
from collections.abc import Callable
from typing import Final
from urllib.parse import unquote
from uuid import NAMESPACE_URL, uuid5

import pytest

from service.app import create_app
from service.http.problem_kinds import PROBLEM_KINDS, problem_type
from service.platform.settings import Settings
from service.schemas.refusal import ProblemCode
from tests.support.http.client import Answer, Request, ask, framework_of, read_problem, refused, the_app
from tests.support.http.failing import FAILING, SECRET

READS: Final = ("/", "/docs", "/problems", "/openapi.json", "/livez", "/readyz", "/metrics", "/v1/rulesets")


def get_path(path: str, *headers: tuple[str, str], method: str = "GET") -> Answer:
    """Get a path."""
    return ask(Request(path, method=method, headers=headers))


@pytest.mark.parametrize("path", READS)
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW"])
def test_what_is_read_cannot_be_written(path: str, method: str) -> None:
    answer = get_path(path, method=method)
    refused(answer, "method_not_allowed")
    assert {"GET", "HEAD"} <= {name.strip() for name in answer.headers["allow"].split(",")}


@pytest.mark.parametrize("path", READS)
def test_options_tell_the_methods(path: str) -> None:
    answer = get_path(path, method="OPTIONS")
    assert answer.status == 204
    assert {"GET", "HEAD"} <= {name.strip() for name in answer.headers["allow"].split(",")}


@pytest.mark.parametrize("path", ["/v1/draws", "/v1/rulesets", "/livez", "/nowhere"])
@pytest.mark.parametrize("host", ["a b", "a/b", "é", "a\0b", '"'])
def test_a_malformed_host_is_refused(path: str, host: str) -> None:
    assert "host" in refused(get_path(path, ("host", host)), "malformed_request").detail.lower()


@pytest.mark.parametrize("path", ["/v1/draws", "/livez", "/nowhere"])
def test_a_request_names_one_host(path: str) -> None:
    refused(ask(Request(path, method="GET", host=None)), "malformed_request")
    refused(get_path(path, ("host", "a.example"), ("host", "b.example")), "malformed_request")


SPELLINGS: Final[dict[str, Callable[[str], str]]] = {
    "empty at first": lambda path: f"/{path}",
    "empty at last": lambda path: f"{path}/",
    "empty within": lambda path: "//".join(path.rsplit("/", 1)),
    "encoded slash at last": lambda path: f"{path}%2F/",
    "encoded slash within": lambda path: "%2f".join(path.rsplit("/", 1)),
    "two slashes within": lambda path: "/%2F".join(path.rsplit("/", 1)),
    "encoded first letter": lambda path: f"/%{ord(path[1]):x}{path[2:]}",
    "encoded last letter": lambda path: f"{path[:-1]}%{ord(path[-1]):X}",
}


@pytest.mark.parametrize("path", ["/metrics", "/v1/rulesets", "/v1/rulesets/trebor", "/docs", "/livez"])
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_path_has_one_spelling_so_that_a_proxy_can_close_it(path: str, spelling: str) -> None:
    spelled = SPELLINGS[spelling](path)
    refused(ask(Request(unquote(spelled), method="GET", raw_path=spelled.encode())), "not_found")
    assert get_path(path).status == 200


def test_what_has_to_be_encoded_in_a_path_may_be() -> None:
    problem = read_problem(get_path("/v1/positions/ctt1_trebor é"))
    assert problem.code == "malformed_notation"


@pytest.mark.parametrize("host", ["", "localhost", "[::1]:8000", "a.example:99999", "x" * 5000])
def test_any_other_host_will_do(host: str) -> None:
    assert get_path("/livez", ("host", host)).status == 200


@pytest.mark.parametrize("code", PROBLEM_KINDS)
def test_the_type_of_every_problem_is_a_page(code: ProblemCode) -> None:
    page = get_path(problem_type(code))
    assert page.status == 200
    assert page.media.startswith("text/html")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/ask"),
        ("POST", "/later"),
        ("POST", "/unwritable"),
        ("GET", "/read"),
        ("GET", "/framework"),
        ("GET", "/configured"),
    ],
)
def test_a_fault_of_the_service_is_told_to_the_log_and_not_to_the_caller(
    method: str, path: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        answer = ask(Request(path, (b"{}",), method), FAILING)
    refused(answer, "internal_error")
    for word in (SECRET, "Error", "Traceback", "service/", ".py"):
        assert word not in answer.body.decode()
    (record,) = caplog.records
    assert vars(record)["method"] == method
    assert record.exc_info


@pytest.mark.parametrize(
    ("host", "base"),
    [
        ("localhost:8000", "http://localhost:8000"),
        ("[::1]:8000", "http://[::1]:8000"),
        ("rules.example", "http://rules.example"),
        ("", ""),
        ("x" * 5000, ""),
    ],
)
def test_the_type_of_a_problem_is_the_same_at_every_host_but_the_picture_of_the_table_is_at_the_host(
    host: str, base: str
) -> None:
    assert read_problem(get_path("/v1/nothing", ("host", host))).type == "/problems/not-found"
    assert f'content="{base}/static/preview.png"' in get_path("/table", ("host", host)).body.decode()


@pytest.mark.parametrize("host", ["a b", "a/b"])
def test_a_host_that_is_none_is_refused(host: str) -> None:
    refused(get_path("/table", ("host", host)), "malformed_request")


@pytest.mark.parametrize(
    ("proxies", "scheme"), [(None, "http"), ("127.0.0.1", "https"), ("192.0.2.1", "http")], ids=str
)
def test_the_picture_of_the_table_has_the_scheme_that_a_trusted_proxy_was_asked_by(
    proxies: str | None, scheme: str
) -> None:
    app = create_app(Settings(trusted_proxies=proxies))
    headers = (("host", "rules.example"), ("x-forwarded-proto", "https"), ("x-forwarded-host", "evil.example"))
    page = ask(Request("/table", method="GET", headers=headers), app).body.decode()
    assert f'content="{scheme}://rules.example/static/preview.png"' in page


def test_the_instance_of_a_problem_is_the_id_of_the_request() -> None:
    answer = get_path("/v1/nothing")
    assert read_problem(answer).instance == f"urn:uuid:{answer.headers['x-request-id']}"
    given = "0B6F4C1E-2F57-4A83-A9D4-51C3E8F7A602"
    answer = get_path("/v1/nothing", ("x-request-id", given))
    assert (read_problem(answer).instance, answer.headers["x-request-id"]) == (f"urn:uuid:{given.lower()}", given)


def test_an_id_that_is_no_uuid_gives_the_same_instance_each_time() -> None:
    answers = [get_path("/v1/nothing", ("x-request-id", given)) for given in ("my-own-7", "my-own-7", "my-own-8")]
    first, again, other = [read_problem(answer).instance for answer in answers]
    assert first == again != other
    assert first == f"urn:uuid:{uuid5(NAMESPACE_URL, 'my-own-7')}"
    assert answers[0].headers["x-request-id"] == "my-own-7"


def test_the_framework_remembers_no_long_path() -> None:
    framework = framework_of(the_app())
    before = framework.asgi_router.handle_routing.cache_info().currsize
    for at in range(20):
        refused(get_path(f"/v1/rulesets/{at}" + "x" * 500), "not_found")
    assert framework.asgi_router.handle_routing.cache_info().currsize == before


def test_a_fault_of_a_question_does_not_stay() -> None:
    ask(Request("/ask", (b"{}",)), FAILING)
    assert ask(Request("/v1/draws", (b'{"players":2}',))).status == 200
