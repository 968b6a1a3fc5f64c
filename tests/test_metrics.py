"""The metrics: every series is known before the first request, and no request makes a new one."""

import asyncio
import string
from random import Random
from typing import Final

import pytest
from litestar.types import Receive, Scope, Send
from prometheus_client import REGISTRY
from prometheus_client.parser import text_string_to_metric_families

from service import metrics
from service.api.access import Access
from service.api.catalog import OPERATIONS
from service.api.operation import Operation
from service.metrics import GONE, METHODS, NO_ROUTE, OTHER, REASONS, Measured, Route
from service.rulesets import RULESETS
from service.stop import Stop
from tests.http.client import LIMIT, Request, ask, call, post, send_request, the_app
from tests.http.hostile import hostile_request
from tests.http.samples import BODIES, OVER, PATHS, STATE

REQUESTS: Final = "catchten_requests_total"
PLAYS: Final = "catchten_plays_total"


def value(name: str, **labels: str) -> float | None:
    """The value of a series, None where there is none."""
    return REGISTRY.get_sample_value(name, labels)


def counted(route: str, method: str, status: int) -> float:
    """How many requests were counted under these labels."""
    found = value(REQUESTS, route=route, method=method, status=str(status))
    assert found is not None, (route, method, status)
    return found


def series() -> set[tuple[str, tuple[tuple[str, str], ...]]]:
    """Every series of ours, by name and labels."""
    return {
        (sample.name, tuple(sorted(sample.labels.items())))
        for family in REGISTRY.collect()
        if family.name.startswith("catchten")
        for sample in family.samples
    }


@pytest.fixture(autouse=True)
def _an_app_that_has_started() -> None:
    the_app()


@pytest.mark.parametrize("op", OPERATIONS, ids=[op.name for op in OPERATIONS])
def test_every_status_of_every_operation_is_there_from_the_start(op: Operation) -> None:
    method = op.method.upper()
    for status in (*op.statuses, GONE, 500):
        assert counted(op.path, method, status) >= 0
    assert value("catchten_request_duration_seconds_count", route=op.path, method=method) is not None


def test_every_verdict_under_every_ruleset_is_there_from_the_start() -> None:
    for ruleset in (*RULESETS, "house"):
        for verdict in ("legal", *REASONS):
            assert value(PLAYS, ruleset=ruleset, verdict=verdict) is not None


@pytest.mark.parametrize(
    ("request_", "labels"),
    [
        (Request("/v1/draws", (b'{"players":2}',)), ("/v1/draws", "POST", 200)),
        (Request("/v1/draws/", (b'{"players":2}',)), ("/v1/draws", "POST", 200)),
        (Request("/v1/draws?x=1", (b"{",)), ("/v1/draws", "POST", 400)),
        (Request("/v1/draws", headers=(("accept", "x"),)), ("/v1/draws", "POST", 406)),
        (Request("/v1/draws", headers=(("content-type", "x"),)), ("/v1/draws", "POST", 415)),
        (Request("/v1/draws", headers=(("content-length", str(LIMIT + 1)),)), ("/v1/draws", "POST", 413)),
        (Request("/v1/batches", (b'{"questions":[{}]}',)), ("/v1/batches", "POST", 207)),
        (Request("/v1/rulesets", method="GET"), ("/v1/rulesets", "GET", 200)),
        (Request("/v1/rulesets", method="HEAD"), ("/v1/rulesets", "HEAD", 200)),
        (Request("/v1/rulesets", method="GET", headers=(("if-none-match", "*"),)), ("/v1/rulesets", "GET", 304)),
        (Request("/v1/rulesets/trebor", method="GET"), ("/v1/rulesets/{ruleset_id}", "GET", 200)),
        (Request("/v1/rulesets/bridge", method="GET"), ("/v1/rulesets/{ruleset_id}", "GET", 404)),
        (Request("/problems/not-found", method="GET"), ("/problems/{problem}", "GET", 200)),
        (Request("/docs/docs.js", method="GET"), ("/docs/{name}", "GET", 200)),
        (Request("/docs/../secret", method="GET"), (NO_ROUTE, "GET", 404)),
        (Request("/livez", method="GET"), ("/livez", "GET", 200)),
        (Request("/metrics", method="GET"), ("/metrics", "GET", 200)),
        (Request("/v1/draws", method="GET"), (NO_ROUTE, "GET", 405)),
        (Request("/livez", method="DELETE"), (NO_ROUTE, "DELETE", 405)),
        (Request("/livez", method="OPTIONS"), (NO_ROUTE, "OPTIONS", 204)),
        (Request("/livez", method="BREW"), (NO_ROUTE, OTHER, 405)),
        (Request("/v1/draws", method="post"), (NO_ROUTE, OTHER, 405)),
        (Request("/nowhere", method="GET"), (NO_ROUTE, "GET", 404)),
        (Request("/" + "x" * 9999, method="PUT"), (NO_ROUTE, "PUT", 404)),
        (Request("/nowhere", method="GET", headers=(("host", "a b"),)), (NO_ROUTE, "GET", 400)),
    ],
)
def test_a_request_is_counted_under_its_route_its_method_and_its_status(
    request_: Request, labels: tuple[str, str, int]
) -> None:
    before = counted(*labels)
    assert ask(request_).status == labels[2]
    assert counted(*labels) == before + 1


def test_a_client_that_left_is_no_fault_of_the_service() -> None:
    left, failed = (counted("/v1/draws", "POST", status) for status in (GONE, 500))
    assert call(Request("/v1/draws", leaves=True)) is None
    assert counted("/v1/draws", "POST", GONE) == left + 1
    assert counted("/v1/draws", "POST", 500) == failed


async def _fail(scope: Scope, receive: Receive, send: Send) -> None:
    raise RuntimeError


def test_an_application_that_fails_counts_as_500() -> None:
    app = Measured(_fail, [Route("/failing", "POST", (500,))], Access(Stop(), None))
    before = counted(NO_ROUTE, "POST", 500)
    with pytest.raises(RuntimeError):
        call(Request("/failing"), app)
    assert counted(NO_ROUTE, "POST", 500) == before + 1


def _stray(chance: Random) -> Request:
    """Make a request that nobody expects."""
    word = "".join(chance.choices(string.ascii_letters + "/%{}é", k=chance.randint(0, 12)))
    paths = (
        f"/{word}",
        f"/v1/{word}",
        f"/v1/rulesets/{word}",
        f"/v1/games/{word}",
        f"/problems/{word}",
        f"/docs/{word}",
    )
    method = chance.choice((*METHODS, "BREW", word.upper() or "X"))
    return Request(chance.choice(paths), method=method, headers=(("host", chance.choice(("a", "a b"))),))


async def _send(requests: list[Request]) -> None:
    for request in requests:
        await send_request(request, the_app())


def test_no_request_makes_a_new_series() -> None:
    chance = Random(7)
    before = series()
    asyncio.run(_send([_stray(chance) for _ in range(4000)]))
    asyncio.run(_send([hostile_request(chance) for _ in range(1000)]))
    assert series() == before


@pytest.mark.parametrize(
    ("kind", "body", "ruleset", "verdict", "times"),
    [
        ("verdicts", BODIES["verdicts"], "trebor", "legal", 1),
        ("verdicts", {"state": STATE, "card": "AS"}, "trebor", "not_in_hand", 1),
        ("verdicts", {"state": STATE, "card": "6C", "seat": 1}, "trebor", "legal", 0),
        ("next_states", {"state": STATE, "cards": ["6C", "9C", "QC", "QH"]}, "trebor", "legal", 4),
        ("next_states", {"state": STATE, "cards": ["6C", "8H"]}, "trebor", "must_follow_suit", 1),
        ("next_states", {"state": STATE, "cards": ["6C", "8H"]}, "trebor", "legal", 1),
        ("next_states", {"state": OVER, "cards": ["6C"]}, "trebor", "legal", 0),
        ("legal_moves", {"state": STATE}, "trebor", "legal", 0),
        ("verdicts", BODIES["verdicts"] | {"state": {**STATE, "rules": "bridge"}}, "house", "legal", 0),
    ],
)
def test_cards_are_counted_where_they_are_judged(
    kind: str, body: object, ruleset: str, verdict: str, times: int
) -> None:
    before = value(PLAYS, ruleset=ruleset, verdict=verdict)
    assert before is not None
    post(PATHS[kind], body)
    assert value(PLAYS, ruleset=ruleset, verdict=verdict) == before + times


def test_house_rules_are_one_ruleset_whatever_they_are_called() -> None:
    before = value(PLAYS, ruleset="house", verdict="legal")
    assert before is not None
    for name in ("trebor", "mine", "yours"):
        rules = ask(Request("/v1/rulesets/trebor", method="GET")).read(dict[str, object]) | {"id": name}
        assert post(PATHS["verdicts"], {"state": {**STATE, "rules": rules}, "card": "6C"}).status == 200
    assert value(PLAYS, ruleset="house", verdict="legal") == before + 3


def test_an_example_is_not_counted() -> None:
    before = value(PLAYS, ruleset="trebor", verdict="legal")
    with metrics.uncounted():
        post(PATHS["verdicts"], BODIES["verdicts"])
    assert value(PLAYS, ruleset="trebor", verdict="legal") == before


def test_metrics_are_shown_in_the_text_format() -> None:
    answer = ask(Request("/metrics", method="GET"))
    assert answer.media.startswith("text/plain; version=")
    families = {family.name for family in text_string_to_metric_families(answer.body.decode())}
    assert {"catchten_requests", "catchten_request_duration_seconds", "catchten_plays"} <= families
