"""Rates: a quota for each app or address, told in every answer, never in the way when the store is away."""

import asyncio
import logging
from typing import Any, Final

import msgspec
import pytest
from litestar.types import ASGIApp

from openapi.examples.questions import MID_TRICK_LINE
from service.app import create_app
from service.http.guards.api_keys import draw_key
from service.http.guards.rate_limit import PAUSE, RateLimit
from service.live.store.memory import MemoryStore
from service.live.store.protocol import StoreDown
from service.platform.settings import Settings
from service.schemas.ids import Caller
from tests.platform.metrics.readings import value
from tests.support.games.stores import Failing
from tests.support.http.client import Answer, Request, ask, refused, run, send_request

PATH: Final = "/v1/draws"
DRAWS: Final = (b'{"players":2}',)
ONE: Final[dict[str, Any]] = {"kind": "draws", "players": 2}


def limited(rate: str, **more: Any) -> ASGIApp:
    """Make an application with a quota, for which no time passes."""
    return create_app(Settings(rate_limit=rate, **more), MemoryStore(1000, 2**20, lambda: 1.0))


def draw(app: ASGIApp, *headers: tuple[str, str], client: str = "192.0.2.1") -> Answer:
    """Ask one question."""
    return ask(Request(PATH, DRAWS, headers=headers, client=client), app)


def ask_batch(app: ASGIApp, questions: list[object]) -> Answer:
    """Ask a batch."""
    return ask(Request("/v1/batches", (msgspec.json.encode({"questions": questions}),), client="192.0.2.1"), app)


def left(answer: Answer) -> int:
    """Return what an answer says is left."""
    policy, _, rest = answer.headers["ratelimit"].partition(";r=")
    assert policy == '"default"'
    return int(rest.partition(";t=")[0])


def test_a_quota_is_told_in_every_answer_and_when_it_is_spent_the_rest_is_refused() -> None:
    app = limited("3/hour")
    answers = [draw(app) for _ in range(5)]
    assert [answer.status for answer in answers] == [200, 200, 200, 429, 429]
    assert {answer.headers["ratelimit-policy"] for answer in answers} == {'"default";q=3;w=3600'}
    assert [answer.headers["ratelimit"] for answer in answers] == [
        '"default";r=2;t=1200',
        '"default";r=1;t=2400',
        '"default";r=0;t=3600',
        '"default";r=0;t=3600',
        '"default";r=0;t=3600',
    ]
    problem = refused(answers[4], "too_many_requests")
    assert problem.seconds == 1200
    assert answers[4].headers["retry-after"] == "1200"
    assert answers[4].parts_read == 0
    assert "retry-after" not in answers[2].headers


def test_a_refused_answer_tells_what_is_left_too() -> None:
    app = limited("3/hour")
    bad = ask(Request(PATH, (b"{",), client="192.0.2.1"), app)
    assert (bad.status, left(bad)) == (400, 2)


def test_an_answer_that_caches_keep_tells_nobodys_quota() -> None:
    app = limited("3/hour")

    def look_up(line: str, *headers: tuple[str, str]) -> Answer:
        return ask(Request(f"/v1/positions/{line}", (b"",), "GET", headers, client="192.0.2.1"), app)

    kept = look_up(MID_TRICK_LINE)
    known = look_up(MID_TRICK_LINE, ("if-none-match", kept.headers["etag"]))
    assert [answer.status for answer in (kept, known)] == [200, 304]
    for answer in (kept, known):
        assert answer.headers["cache-control"].startswith("public")
        assert not {"ratelimit", "ratelimit-policy"} & answer.headers.keys()
    refused_one, spent = look_up("x"), look_up(MID_TRICK_LINE)
    assert [(answer.status, left(answer)) for answer in (refused_one, spent)] == [(422, 0), (429, 0)]
    assert not {"cache-control", "etag"} & {*refused_one.headers, *spent.headers}


def test_nothing_is_told_and_nothing_refused_where_no_rate_is_set() -> None:
    answer = draw(create_app(Settings()))
    assert not {"ratelimit", "ratelimit-policy"} & answer.headers.keys()


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8::1", "2001:db8::2", True),
        ("2001:db8::1", "2001:db8:0:0:ffff::1", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("192.0.2.1", "::ffff:192.0.2.1", True),
        ("", "a socket", True),
    ],
)
def test_without_keys_an_address_has_a_quota_and_of_ipv6_a_network(one: str, other: str, same: bool) -> None:
    app = limited("1/day")
    assert draw(app, client=one).status == 200
    assert draw(app, client=one).status == 429
    assert draw(app, client=other).status == (429 if same else 200)


def test_with_keys_an_app_has_a_quota_wherever_and_with_whichever_of_its_keys_it_asks() -> None:
    (arran, line), (again, other), (bute, third) = draw_key("arran"), draw_key("arran"), draw_key("bute")
    app = limited("2/day", api_keys=f"{line},{other},{third}")
    asked = [(arran, "192.0.2.1"), (again, "192.0.2.2"), (arran, "192.0.2.3"), (bute, "192.0.2.1")]
    assert [draw(app, ("x-api-key", key), client=client).status for key, client in asked] == [200, 200, 429, 200]


def test_guessing_keys_is_limited_by_the_address_and_costs_no_app_its_quota() -> None:
    key, line = draw_key("arran")
    app = limited("2/day", api_keys=line)
    guesses = [draw(app, ("x-api-key", guess)) for guess in ("a", "b", "c")]
    assert [answer.status for answer in guesses] == [401, 401, 429]
    assert draw(app).status == 429
    assert left(draw(app, ("x-api-key", key))) == 1


def test_a_batch_counts_as_many_as_its_questions_answered_or_refused() -> None:
    app = limited("100/day")
    assert left(ask_batch(app, [ONE])) == 99
    assert left(ask_batch(app, [ONE] * 9)) == 90
    assert left(ask_batch(app, [ONE, {"kind": "nothing"}])) == 88
    assert left(ask(Request("/v1/batches", (b"{}",), client="192.0.2.1"), app)) == 87


def test_a_batch_counts_before_it_is_answered_so_that_the_next_one_does_not_slip_through() -> None:
    app, body = limited("100/day"), msgspec.json.encode({"questions": [ONE] * 1000})
    request = Request("/v1/batches", (body,), client="192.0.2.1")

    async def ask_both() -> tuple[bool, Answer | None]:
        first = asyncio.create_task(send_request(request, app))
        for _ in range(5):
            await asyncio.sleep(0)
        second, was_under_way = await send_request(request, app), not first.done()
        await first
        return was_under_way, second

    was_under_way, second = run(ask_both)
    assert second is not None
    assert (was_under_way, second.status) == (True, 429)


def test_a_batch_that_is_larger_than_the_quota_is_answered_and_paid_for_afterwards() -> None:
    app = limited("10/minute")
    assert ask_batch(app, [ONE] * 30).status == 200
    wait = int(refused_after(draw(app)))
    assert 115 <= wait <= 126


def refused_after(answer: Answer) -> str:
    """Return how long an answer says to wait."""
    refused(answer, "too_many_requests")
    return answer.headers["retry-after"]


@pytest.mark.parametrize("path", ["/livez", "/readyz", "/metrics", "/", "/docs", "/v1/rulesets"])
def test_health_metrics_pages_and_rulesets_are_not_limited(path: str) -> None:
    app = limited("1/day")
    for _ in range(3):
        answer = ask(Request(path, method="GET"), app)
        assert answer.status == 200
        assert "ratelimit" not in answer.headers


def test_opening_a_game_counts_and_so_does_every_call_on_it() -> None:
    app = limited("3/day")
    opened = ask(Request("/v1/games", (b'{"rules":"trebor","players":2}',)), app)
    assert (opened.status, left(opened)) == (201, 2)
    seen = ask(Request(opened.headers["location"], method="GET"), app)
    assert (seen.status, left(seen)) == (200, 1)


def test_an_event_stream_counts_once() -> None:
    app = limited("3/day")

    async def follow() -> Answer | None:
        opened = await send_request(Request("/v1/games", (b'{"rules":"trebor","players":2}',)), app)
        assert opened is not None
        return await send_request(Request(f"{opened.headers['location']}/events", method="GET", leaves=True), app)

    stream = run(follow)
    assert stream is not None
    assert stream.headers["content-type"].startswith("text/event-stream")
    assert left(stream) == 1
    assert left(draw(app, client="127.0.0.1")) == 0


def test_time_gives_a_quota_back_evenly() -> None:
    now = 0.0
    store = MemoryStore(1, 1024, lambda: now)
    limit = RateLimit(store, "60/minute")

    async def admitted() -> int:
        return sum([not (await limit.try_consume(Caller("a"))).retry_after for _ in range(100)])

    counts: list[int] = []
    for seconds in (0, 0.5, 0.5, 10, 60, 3600):
        now += seconds
        counts.append(asyncio.run(admitted()))
    assert counts == [60, 0, 1, 10, 60, 60]


@pytest.mark.parametrize("rate", ["1/second", "7/second", "999999/second", "600/minute", "1/day", "999999/day"])
def test_a_quota_can_be_spent_whole_at_once(rate: str) -> None:
    quota = min(int(rate.partition("/")[0]), 700)
    app = create_app(Settings(rate_limit=rate), MemoryStore(1, 1024, lambda: 1.0))
    answers = [draw(app) for _ in range(quota)]
    assert {answer.status for answer in answers} == {200}
    assert left(answers[0]) == int(rate.partition("/")[0]) - 1


@pytest.mark.parametrize("rate", ["", "600", "0/minute", "1/week", "1/minutes", "-1/day", "1000000/second", " 1/day"])
def test_what_is_no_rate_is_refused(rate: str) -> None:
    with pytest.raises(ValueError) as raised:  # noqa: PT011 – its text is the rate
        RateLimit(MemoryStore(1, 1024), rate)
    assert raised.value.args == (rate,)


def test_while_the_store_is_away_the_process_counts_by_itself_and_asks_it_again_only_now_and_then() -> None:
    store, now = Failing(), 0.0
    limit = RateLimit(store, "1/day", lambda: now)

    def admit(caller: str) -> bool:
        return not asyncio.run(limit.try_consume(Caller(caller))).retry_after

    assert (admit("a"), admit("a")) == (True, False)
    store.away = True
    assert [admit("a") for _ in range(3)] == [False] * 3, "it begins with what it knows"
    assert [admit("c") for _ in range(3)] == [True, False, False]
    store.away = False
    assert [admit("b") for _ in range(2)] == [True, False]
    now = PAUSE
    assert [admit("b") for _ in range(2)] == [True, False]


def test_a_quota_goes_on_where_it_was_when_the_store_dies_and_time_gives_it_back() -> None:
    store, now = Failing(), 0.0
    limit = RateLimit(store, "60/minute", lambda: now)

    def admitted() -> int:
        return [asyncio.run(limit.try_consume(Caller("a"))).retry_after for _ in range(60)].count(0)

    assert admitted() == 60
    now, store.away = 10.0, True
    assert admitted() == 10
    now = 40.0
    assert admitted() == 30


def test_the_log_tells_once_that_the_process_counts_by_itself_and_once_that_all_count_together_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    store, now = Failing(), 0.0
    limit = RateLimit(store, "1/day", lambda: now)
    store.away = True
    with caplog.at_level(logging.WARNING):
        for at in range(20):
            now, store.away = at * PAUSE / 2, at < 10
            asyncio.run(limit.try_consume(Caller("a")))
    assert [record.getMessage().partition(":")[0] for record in caplog.records] == [
        "this process limits rates by itself",
        "all processes limit rates together again",
    ]


def test_questions_are_answered_while_the_store_is_away_and_only_the_first_waits_for_it() -> None:
    class Away(Failing):
        """A store that counts how often it was asked in vain."""

        asked = 0

        async def consume(self, name: str, cost: int, at_most: int) -> tuple[bool, int]:
            self.asked += 1
            raise StoreDown

    store, unshared = Away(), value("catchten_rate_limit_unshared_total")
    app = create_app(Settings(rate_limit="5/day"), store)
    assert [draw(app).status for _ in range(6)] == [200] * 5 + [429]
    assert store.asked == 1
    assert value("catchten_rate_limit_unshared_total") == unshared + 6


def test_a_batch_is_answered_when_the_store_goes_away_before_it_is_paid_for() -> None:
    class Going(Failing):
        """A store that is there for one charge."""

        async def consume(self, name: str, cost: int, at_most: int) -> tuple[bool, int]:
            charged = await super().consume(name, cost, at_most)
            self.away = True
            return charged

    answer = ask_batch(create_app(Settings(rate_limit="20/day"), Going()), [ONE] * 5)
    assert (answer.status, left(answer)) == (200, 15)
