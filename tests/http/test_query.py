"""QUERY is a POST that is safe to repeat: the same answer, cacheable if it is always the same."""

from typing import Final

import msgspec
import pytest

from service.api.operation_list import OPERATIONS
from service.app import create_app
from service.http.guards.api_keys import draw_key
from service.platform.settings import Settings
from tests.support.http.client import Request, ask
from tests.support.http.samples import EVERY, PATHS

JSON: Final = ("content-type", "application/json")
KINDS: Final = sorted(EVERY)
RANDOM: Final = {"batches", "deals", "draws"}
"""The questions whose answer is another each time, unless they name a seed."""


def question(kind: str, *headers: tuple[str, str], method: str = "QUERY") -> Request:
    return Request(PATHS[kind], (msgspec.json.encode(EVERY[kind]),), method, headers)


@pytest.mark.parametrize("kind", sorted(set(KINDS) - RANDOM))
def test_who_has_the_answer_to_a_query_is_told_that_it_is_current(kind: str) -> None:
    etag = ask(question(kind, JSON)).headers["etag"]
    again = ask(question(kind, JSON, ("if-none-match", etag)))
    assert (again.status, again.body) == (304, b"")


@pytest.mark.parametrize("kind", KINDS)
def test_a_query_names_the_type_of_its_body(kind: str) -> None:
    answer = ask(question(kind, ("content-type", "")))
    assert (answer.status, b"Content-Type" in answer.body) == (415, True)


def test_a_query_needs_a_key_where_questions_need_one() -> None:
    key, line = draw_key("arran")
    app = create_app(Settings(api_keys=line))
    assert ask(question("verdicts", JSON), app).status == 401
    assert ask(question("verdicts", JSON, ("x-api-key", key)), app).status == 200


def test_only_what_changes_nothing_is_queried() -> None:
    assert {op.operation_id for op in OPERATIONS if op.allows_query} == {*KINDS, "suggestions", "list_my_games"}
    refused = ask(Request("/v1/games", (b"{}",), "QUERY", (JSON,)))
    assert (refused.status, refused.headers["allow"]) == (405, "GET, HEAD, OPTIONS, POST")
