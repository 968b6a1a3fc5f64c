"""The metrics: every series is known before the first request, and no request makes a new one."""

import asyncio
import string
from random import Random
from typing import Final

import msgspec
import pytest
from litestar.types import Receive, Scope, Send
from prometheus_client.parser import text_string_to_metric_families

from service.api.counting import count_answer
from service.api.operation_list import OPERATIONS
from service.app import list_routes
from service.game.rulesets import RULESETS
from service.http.guards.front import CLIENT_LEFT, Front
from service.http.operation import Operation
from service.http.problem_kinds import PROBLEM_KINDS
from service.platform.metrics.requests import RequestClass, Route
from tests.platform.metrics.readings import series, value
from tests.support.effort import choose_effort
from tests.support.http.client import LIMIT, Answer, Request, ask, call, send_request, the_app
from tests.support.http.hostile import hostile_request
from tests.support.http.samples import PATHS, STATE

METHODS: Final = ("GET", "POST", "QUERY", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "BREW")
REQUESTS: Final = "catchten_requests_total"
TREBOR: Final = msgspec.to_builtins(RULESETS["trebor"])


def counted(request_class: RequestClass, status: int) -> float:
    """Return the count of requests under these labels."""
    return value(REQUESTS, **{"class": request_class, "status": str(status)})


@pytest.fixture(autouse=True)
def _an_app_that_has_started() -> None:
    the_app()


@pytest.mark.parametrize("op", OPERATIONS, ids=[op.operation_id for op in OPERATIONS])
def test_every_status_of_every_operation_is_there_from_the_start(op: Operation) -> None:
    for status in (*op.statuses, CLIENT_LEFT, 500):
        assert counted(op.request_class, status) >= 0
    assert value("catchten_request_duration_seconds_count", **{"class": op.request_class}) >= 0


@pytest.mark.parametrize(
    ("route", "request_class"),
    [
        ("POST /v1/verdicts", "questions"),
        ("QUERY /v1/verdicts", "questions"),
        ("HEAD /v1/positions/{notation}", "questions"),
        ("POST /v1/diagnoses", "questions"),
        ("POST /v1/batches", "heavy"),
        ("POST /v1/adjudications", "heavy"),
        ("POST /v1/analyses", "heavy"),
        ("GET /v1/suggestions/{notation}", "heavy"),
        ("POST /v1/games/{game_id}/plays", "plays"),
        ("POST /v1/games", "game_writes"),
        ("PUT /v1/games/{game_id}/seats/{seat}/computer", "game_writes"),
        ("DELETE /v1/games/{game_id}", "game_writes"),
        ("GET /v1/games/{game_id}", "game_reads"),
        ("GET /v1/games/{game_id}/record", "game_reads"),
        ("GET /v1/games/{game_id}/events", "streams"),
        ("GET /v1/rulesets", "pages"),
        ("HEAD /docs", "pages"),
        ("POST /mcp/games", "tools"),
        ("GET /readyz", "probes"),
        ("GET /metrics", "probes"),
    ],
)
def test_a_route_has_a_class(route: str, request_class: RequestClass) -> None:
    classes = {f"{each.method} {each.template}": each.request_class for each in list_routes()}
    assert classes[route] == request_class


@pytest.mark.parametrize(
    ("request_", "labels"),
    [
        (Request("/v1/draws", (b'{"players":2}',)), ("questions", 200)),
        (Request("/v1/draws/", (b'{"players":2}',)), ("unknown", 404)),
        (Request("/v1/draws?x=1", (b"{",)), ("questions", 400)),
        (Request("/v1/draws", headers=(("accept", "x"),)), ("questions", 406)),
        (Request("/v1/draws", headers=(("content-type", "x"),)), ("questions", 415)),
        (Request("/v1/draws", headers=(("content-length", str(LIMIT + 1)),)), ("questions", 413)),
        (Request("/v1/batches", (b'{"questions":[{}]}',)), ("heavy", 200)),
        (Request("/v1/rulesets", method="GET"), ("pages", 200)),
        (Request("/v1/rulesets", method="HEAD"), ("pages", 200)),
        (Request("/v1/rulesets", method="GET", headers=(("if-none-match", "*"),)), ("pages", 304)),
        (Request("/v1/rulesets/trebor", method="GET"), ("pages", 200)),
        (Request("/v1/rulesets/bridge", method="GET"), ("pages", 404)),
        (Request("/problems/not-found", method="GET"), ("pages", 200)),
        (Request("/static/docs.js", method="GET"), ("pages", 200)),
        (Request("/static/../secret", method="GET"), ("unknown", 404)),
        (Request("/livez", method="GET"), ("probes", 200)),
        (Request("/metrics", method="GET"), ("probes", 200)),
        (Request("/v1/draws", method="GET"), ("unknown", 405)),
        (Request("/livez", method="DELETE"), ("unknown", 405)),
        (Request("/livez", method="OPTIONS"), ("unknown", 204)),
        (Request("/livez", method="BREW"), ("unknown", 405)),
        (Request("/v1/draws", method="post"), ("unknown", 405)),
        (Request("/nowhere", method="GET"), ("unknown", 404)),
        (Request("/" + "x" * 9999, method="PUT"), ("unknown", 404)),
        (Request("/nowhere", method="GET", headers=(("host", "a b"),)), ("unknown", 400)),
    ],
)
def test_a_request_is_counted_under_its_class_and_its_status(
    request_: Request, labels: tuple[RequestClass, int]
) -> None:
    before = counted(*labels)
    assert ask(request_).status == labels[1]
    assert counted(*labels) == before + 1


def test_a_client_that_left_is_no_fault_of_the_service() -> None:
    left, failed = (counted("questions", status) for status in (CLIENT_LEFT, 500))
    assert call(Request("/v1/draws", leaves=True)) is None
    assert counted("questions", CLIENT_LEFT) == left + 1
    assert counted("questions", 500) == failed


async def _fail(scope: Scope, receive: Receive, send: Send) -> None:
    raise RuntimeError


def test_an_application_that_fails_counts_as_500() -> None:
    app = Front(_fail, [Route("/failing", "POST", "questions", ())], count_answer)
    before = counted("unknown", 500)
    with pytest.raises(RuntimeError):
        call(Request("/failing"), app)
    assert counted("unknown", 500) == before + 1


def test_the_time_and_the_size_of_a_request_are_counted_beside_it() -> None:
    body = b'{"players":2,"seed":"arran"}'
    before = _measured()
    answer = ask(Request("/v1/draws", (body[:9], body[9:])))
    assert _measured() == (before[0] + 1, before[1] + 28, before[2] + len(answer.body))


def _measured() -> tuple[float, float, float]:
    """Return how many questions were timed, and the bytes of all requests and of all responses."""
    timed = value("catchten_request_duration_seconds_count", **{"class": "questions"})
    return timed, value("catchten_request_bytes_total"), value("catchten_response_bytes_total")


def test_the_body_that_the_server_leaves_out_of_an_answer_to_head_is_not_sent() -> None:
    before = value("catchten_response_bytes_total")
    assert ask(Request("/v1/rulesets", method="HEAD")).status == 200
    assert value("catchten_response_bytes_total") == before


def test_a_request_is_in_flight_until_it_is_answered() -> None:
    seen: list[float] = []

    async def look(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append(value("catchten_requests_in_flight"))

    call(Request("/looking"), Front(look, (), count_answer))
    assert [*seen, value("catchten_requests_in_flight")] == [1, 0]


def test_many_requests_at_a_time_are_all_counted() -> None:
    before = counted("questions", 200)
    asyncio.run(_send([Request("/v1/draws", (b'{"players":2}',))] * 600))
    assert counted("questions", 200) == before + 600


@pytest.mark.parametrize("code", PROBLEM_KINDS)
def test_every_problem_is_there_from_the_start(code: str) -> None:
    assert value("catchten_refusals_total", code=code) >= 0


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (Request("/v1/draws", (b"{",)), "malformed_body"),
        (Request("/v1/draws", (b"{}",)), "invalid_body"),
        (Request("/v1/games/nobody", method="GET"), "no_such_game"),
        (Request("/nowhere", method="GET"), "not_found"),
        (Request("/livez", method="DELETE"), "method_not_allowed"),
        (Request("/v1/batches", (b'{"questions":[{"kind":"draws","players":9}]}',)), "invalid_body"),
    ],
)
def test_a_refusal_is_counted_under_its_code(request_: Request, code: str) -> None:
    before = value("catchten_refusals_total", code=code)
    ask(request_)
    assert value("catchten_refusals_total", code=code) == before + 1


def test_each_refused_question_of_a_batch_counts_and_so_does_its_size() -> None:
    names = ("refusals_total", "batch_questions_sum", "batch_questions_count")
    before = [_of_batches(name) for name in names]
    ask(Request("/v1/batches", (b'{"questions":[{"kind":"draws","players":2},{"kind":"draws"},{}]}',)))
    assert [_of_batches(name) for name in names] == [before[0] + 2, before[1] + 3, before[2] + 1]


def _of_batches(name: str) -> float:
    return value(f"catchten_{name}", **({"code": "invalid_body"} if "refusals" in name else {}))


def _word(chance: Random) -> str:
    return "".join(chance.choices(string.ascii_letters + "/%{}é", k=chance.randint(0, 12)))


def _stray(chance: Random) -> Request:
    """Make a request that nobody expects: of a random path, a random game's or with a random method."""
    word, game = _word(chance), "".join(chance.choices(string.ascii_letters + "-_", k=22))
    paths = (
        f"/{word}",
        f"/v1/{word}",
        f"/v1/rulesets/{word}",
        f"/v1/games/{word}",
        f"/v1/games/{game}",
        f"/v1/games/{game}/{chance.choice(('plays', 'deals', 'events', 'record', word))}",
        f"/problems/{word}",
        f"/static/{word}",
    )
    method = chance.choice((*METHODS, word.upper() or "X"))
    return Request(chance.choice(paths), method=method, headers=(("host", chance.choice(("a", "a b"))),))


def _of_strange_rules(chance: Random) -> Request:
    """Make a question by a ruleset of a random name, one of the service's own rulesets or a house's."""
    rules: object = _word(chance)
    if chance.random() < 0.5:
        rules = {**TREBOR, "id": _word(chance).strip("/%{}é").lower() or "x"}
    body = {"state": {**STATE, "rules": rules}, "card": "6C"}
    return Request(PATHS["verdicts"], (msgspec.json.encode(body),))


async def _send(requests: list[Request]) -> list[Answer | None]:
    return [await send_request(request, the_app()) for request in requests]


def test_thousands_of_requests_of_all_kinds_make_no_new_series() -> None:
    chance = Random(7)
    before = set(series())
    makers = (_stray,) * 6 + (_of_strange_rules,) * 3 + (hostile_request,)
    for _ in range(choose_effort(daily=2, nightly=10)):
        asyncio.run(_send([chance.choice(makers)(chance) for _ in range(1000)]))
    assert set(series()) == before


def test_metrics_are_shown_in_the_text_format() -> None:
    answer = ask(Request("/metrics", method="GET"))
    assert answer.media.startswith("text/plain; version=")
    families = {family.name for family in text_string_to_metric_families(answer.body.decode())}
    assert {"catchten_requests", "catchten_request_duration_seconds", "catchten_plays"} <= families
