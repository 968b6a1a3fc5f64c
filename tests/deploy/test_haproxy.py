"""The refusals of the balancer are problem documents of the service."""

import json
import re
from typing import Final

import pytest

from service.api.mcp.endpoint import TOOLSETS
from service.api.operation_list import OPERATIONS
from service.http.operation import BODY_BYTES
from service.http.problem_document import write_problem
from service.http.problem_kinds import PROBLEM_KINDS
from service.http.response import ENCODE
from service.schemas.refusal import Refusal
from tests.deploy.files import HAPROXY
from tests.support.http.problems import decode_problem

ID: Final = "0191d0c2-7f1e-4c5a-9a57-3f0f8a1d7c11"
LINES: Final = [
    (int(status), headers, body.replace("%[var(txn.uuid)]", ID))
    for status, headers, body in re.findall(
        r"status (\d+) content-type application/problem\+json (.*?)lf-string '(.*?)'", HAPROXY.read_text()
    )
]
"""The status, the headers and the document of each refusal."""


def test_every_refusal_that_a_caller_may_see_has_a_document() -> None:
    assert [status for status, _, _ in LINES] == [500, 502, 503, 504, 429, 503, 400]
    assert not re.search(r"about:blank", HAPROXY.read_text())


@pytest.mark.parametrize(("status", "headers", "body"), LINES, ids=map(str, range(len(LINES))))
def test_a_refusal_of_the_balancer_is_one_that_clients_know(status: int, headers: str, body: str) -> None:
    problem = decode_problem(body.encode())
    kind = PROBLEM_KINDS[problem.code]
    of_service = ENCODE["json"](write_problem(Refusal(problem.code, problem.detail), ID))
    assert json.loads(body) == json.loads(of_service) | {"status": status}
    assert status in {kind.status, 502}
    assert "X-Request-ID %[var(txn.id)]" in headers
    for name, value in kind.headers:
        assert name == b"connection" or f"{name.decode().title()} {value.decode()}" in headers


def test_what_may_take_long_is_given_its_time() -> None:
    shipped = HAPROXY.read_text()
    paths, beginnings = (set(words.split()) for words in re.findall(r"acl heavy path(?:_beg)? (.*)", shipped))
    heavy = {one.path for one in OPERATIONS if one.is_sliced or one.is_long_running} | set(TOOLSETS)
    assert {path for path in heavy if path not in paths and not path.startswith(tuple(beginnings))} == set()
    assert "timeout server 30s" in shipped.partition("\ndefaults")[2].partition("\nfrontend")[0]
    assert "timeout server" not in shipped.partition("\nbackend heavy")[2].partition("\nbackend")[0]


def test_what_asks_the_store_or_waits_for_a_game_is_no_question() -> None:
    (words,) = re.findall(r"set-var\(txn\.live\) bool\(true\) if \{ path_beg (.*) \}", HAPROXY.read_text())
    live = {one.path for one in OPERATIONS if one.tag in {"Live games", "Seats"}}
    assert {path for path in live if not path.startswith(tuple(words.split()))} == set()


def test_what_may_have_a_long_body_has_connections_of_its_own() -> None:
    long = {one.path for one in OPERATIONS if one.method == "POST" and one.max_body_bytes != BODY_BYTES}
    assert long <= set(" ".join(re.findall(r"acl heavy path (.*)", HAPROXY.read_text())).split())


def test_the_only_replica_is_not_asked_twice() -> None:
    questions = HAPROXY.read_text().partition("\nbackend questions")[2].partition("\nbackend")[0]
    assert re.search(r"set-timeout server 30s if .* \|\| \{ nbsrv lt 2 \}\n", questions)


def test_where_no_replica_answers_its_checks_all_of_them_are_asked() -> None:
    shipped = HAPROXY.read_text()
    assert "use_backend last_resort if { nbsrv(questions) eq 0 }" in shipped
    assert not re.search(r"\bcheck\b", shipped.partition("\nbackend last_resort")[2])
