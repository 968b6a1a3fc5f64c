"""GET with a notation in the path: the same answers as to POST, which caches can keep."""

import re
from typing import Final

import pytest

from service.api.operation_list import OPERATIONS
from service.http.operation import Operation
from tests.support.http.client import JSON, MSGPACK, Answer, Request, ask, read_problem

LINE: Final = "ctt1_trebor_02.13_1_0.0_3-Ad_JhK97d86c.AQ9hQ8dAc.J6dQ97c.AQsATdJc_2-7hTc_KJT9876sKT86hKc.0"
PATHS: Final = ("/v1/positions", "/v1/legal-moves", "/v1/scores")
KEPT: Final = ("etag", "cache-control", "vary")


def get(path: str, line: str, *headers: tuple[str, str], method: str = "GET") -> Answer:
    return ask(Request(f"{path}/{line}", (b"",), method, headers))


@pytest.mark.parametrize("path", PATHS)
def test_an_answer_says_how_long_it_may_be_kept_and_is_not_sent_again(path: str) -> None:
    first = get(path, LINE)
    assert (first.headers["cache-control"], first.headers["vary"]) == ("public, max-age=3600", "accept")
    for known in (first.headers["etag"], f'"x", W/{first.headers["etag"]}', "*"):
        again = get(path, LINE, ("if-none-match", known))
        assert (again.status, again.body) == (304, b"")
        assert [again.headers[name] for name in KEPT] == [first.headers[name] for name in KEPT]
    other = get(path, LINE, ("if-none-match", '"another"'))
    assert (other.status, other.body) == (200, first.body)


def test_each_format_and_each_question_has_an_etag_of_its_own() -> None:
    etags = {get(path, LINE, ("accept", media)).headers["etag"] for path in PATHS for media in (JSON, MSGPACK)}
    assert len(etags) == len(PATHS) * 2


@pytest.mark.parametrize("path", PATHS)
def test_head_has_the_headers_of_get(path: str) -> None:
    request_id = ("x-request-id", "the-same")
    assert get(path, LINE, request_id, method="HEAD").headers == get(path, LINE, request_id).headers


REFUSED: Final = [
    (LINE[:-1], "malformed_notation", 90),
    ("ctt1", "malformed_notation", 5),
    (LINE.replace("J6d", "J7d"), "impossible_state", 50),
    (LINE.replace("trebor", "house"), "unknown_ruleset", 6),
    (LINE.replace("02.13", "0123"), "partnership_not_in_ruleset", 13),
    ("%F0%9F%98%80", "malformed_notation", 1),
    ("x" * 301, "malformed_notation", 1),
]


@pytest.mark.parametrize(("line", "code", "column"), REFUSED, ids=range(len(REFUSED)))
@pytest.mark.parametrize("path", PATHS)
def test_a_refusal_points_to_the_column_in_the_path_and_is_not_kept(
    path: str, line: str, code: str, column: int
) -> None:
    answer = get(path, line)
    problem = read_problem(answer)
    [error] = list(problem.errors)
    assert (error.pointer, error.column) == ("/notation", column)
    assert error.code == ("card_twice" if code == "impossible_state" else code)
    assert not set(KEPT) & set(answer.headers)


def test_a_hidden_hand_is_named_by_its_column() -> None:
    problem = read_problem(get("/v1/legal-moves", LINE.replace("JhK97d86c.AQ9hQ8dAc", "6.6")))
    [error] = list(problem.errors)
    assert (problem.code, error.pointer, error.column) == ("hand_not_seen", "/notation", 30)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        (f"/v1/verdicts/{LINE}", 404),
        (f"/v1/positions/{LINE}/legal-moves", 404),
        ("/v1/positions/" + "x" * 500, 404),
        ("/v1/positions/", 404),
    ],
)
def test_other_paths_are_not_found(path: str, status: int) -> None:
    answer = ask(Request(path, (b"",), "GET"))
    assert read_problem(answer).status == status


@pytest.mark.parametrize("op", [op for op in OPERATIONS if not op.is_stream], ids=lambda op: op.operation_id)
def test_a_parameter_of_the_query_that_an_operation_does_not_have_is_ignored(op: Operation) -> None:
    """Without a body and with an id that is made up, most are refused: with the same code, and never for the query."""
    path = re.sub(r"{(\w+)}", lambda found: PARAMETERS[found[1]], op.path)
    plain, more = (ask(Request(path + query, method=op.method)) for query in ("", "?colour=red&colour=blue"))
    assert (more.status, read_code(more)) == (plain.status, read_code(plain))
    assert read_code(more) != "invalid_query"


PARAMETERS: Final = {
    "notation": LINE,
    "ruleset_id": "trebor",
    "game_id": "HybaVEduloQ2CRUKMB7JoQ",
    "seat": "1",
}


def read_code(answer: Answer) -> str:
    """Read the code of a problem; "" of any other answer."""
    return read_problem(answer).code if answer.status >= 400 else ""
