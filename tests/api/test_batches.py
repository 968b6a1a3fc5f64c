"""Batches: every question has its answer or its problem, in order, as it would have had alone."""

import asyncio
from itertools import cycle
from typing import Any, Final

import msgspec
import pytest
from msgspec import Struct

from service.api.batches.batch import MAX_ANSWER_BYTES, PATH, BatchAnswer, UnknownOutcome
from service.api.batches.items import MAX_HEAVY_ITEMS, MAX_ITEMS, MAX_WHOLE_BYTES, decode_batch
from service.app import create_app
from service.game.faults import MAX_FAULTS
from service.game.rulesets import RULESETS
from service.http.problem_document import Problem
from service.platform import time_slices
from service.platform.settings import Settings
from tests.platform.metrics.readings import value
from tests.programs.attacks.games import long_record
from tests.support.call_counts import CallCount
from tests.support.http.client import JSON, MSGPACK, Request, ask, post, refused, send_request, the_app
from tests.support.http.problems import decode_problem
from tests.support.http.samples import BODIES, OVER, PATHS, STATE, Body
from tests.support.http.sound import KINDS
from tests.support.wire import Error

GOOD: Final = [{"kind": kind, **BODIES[kind]} for kind in KINDS]
BAD: Final[list[Body]] = [
    {"kind": "positions"},
    {"kind": "positions", "state": {**STATE, "dealer": 9}},
    {"kind": "positions", "state": {**STATE, "rules": "bridge"}},
    {"kind": "positions", "state": {**STATE, "hands": [8, 9, 9, 9], "leader": 3}},
    {"kind": "next_states", "state": STATE, "cards": ["6C", "AS"]},
    {"kind": "next_states", "state": OVER, "cards": ["6C"]},
    {"kind": "verdicts", "state": STATE, "card": "6C", "seat": 1},
    {"kind": "legal_moves", "state": {**STATE, "hands": [9, 9, 9, 9]}},
    {"kind": "deals", "after": STATE},
    {"kind": "deals", "rules": "denexa"},
    {"kind": "draws", "players": 99, "more": [1]},
]
"""One of each way to be refused."""


class Alone(Struct, frozen=True, forbid_unknown_fields=False):
    """An answer or a problem of a batch, read without its type."""

    kind: str
    status: int
    answer: Any = None
    problem: Problem | None = None


def answers(items: object, content: str = JSON) -> list[Alone]:
    """The answers to a batch of these questions."""
    answer = post(PATH, {"questions": items}, ("content-type", content))
    assert answer.status == 200, answer
    return answer.read(dict[str, list[Alone]])["answers"]


@pytest.mark.parametrize("content", [JSON, MSGPACK])
def test_every_answer_is_the_one_that_the_question_has_alone(content: str) -> None:
    for item, answer in zip(GOOD, answers(GOOD, content), strict=True):
        alone = post(PATHS[str(item["kind"])], BODIES[str(item["kind"])], ("content-type", content))
        assert (answer.kind, answer.status) == (item["kind"], alone.status)
        assert answer.answer == alone.read(dict[str, Any])


@pytest.mark.parametrize("content", [JSON, MSGPACK])
@pytest.mark.parametrize("at", range(len(BAD)))
def test_every_problem_is_the_one_that_the_question_has_alone_but_for_where_it_points(at: int, content: str) -> None:
    item = BAD[at]
    body = {name: value for name, value in item.items() if name != "kind"}
    alone = decode_problem(post(PATHS[item["kind"]], body).body)
    told = answers([GOOD[0], item, GOOD[1]], content)
    moved = tuple(Error(f"/questions/1{error.pointer}", error.code, error.detail) for error in alone.errors)
    assert [answer.kind for answer in told] == [GOOD[0]["kind"], item["kind"], GOOD[1]["kind"]]
    assert told[1].status == alone.status
    assert told[1].problem is not None
    assert told[1].problem == msgspec.structs.replace(alone, instance=told[1].problem.instance, errors=moved)


@pytest.mark.parametrize("item", [{"kind": "cheats"}, {"kind": 7}, {"players": 2}, "draws", {"kind": "unknown"}])
def test_a_question_of_no_known_kind_is_of_the_kind_unknown(item: object) -> None:
    (told,) = post(PATH, {"questions": [item]}).read(BatchAnswer).answers
    assert isinstance(told, UnknownOutcome)
    assert (told.status, told.answer, told.problem.code) == (400, None, "invalid_body")


def test_the_problems_of_a_batch_are_those_of_its_request() -> None:
    answer = post(PATH, {"questions": BAD[:2]})
    told = answer.read(dict[str, list[dict[str, Any]]])["answers"]
    assert {one["problem"]["instance"] for one in told} == {f"urn:uuid:{answer.headers['x-request-id']}"}


@pytest.mark.parametrize("content", [JSON, MSGPACK])
def test_no_bad_question_spoils_another(content: str) -> None:
    mixed = [item for pair in zip(GOOD, cycle(BAD), strict=False) for item in pair]
    told = answers(mixed, content)
    assert [answer.answer for answer in told[::2]] == [answer.answer for answer in answers(GOOD, content)]
    assert [answer.problem is not None for answer in told] == [False, True] * len(GOOD)


def test_a_record_of_hidden_hands_whose_lead_cannot_be_legal_spoils_no_other_question() -> None:
    plays = [{"seat": 0, "card": "QS"}, {"seat": 1, "card": "TS"}]
    deal = {"dealer": 3, "turn_up": "9S", "hands": [9] * 4, "plays": plays}
    record = {"rules": "lots-of-kids", "sides": [[0], [1], [2], [3]], "deals": [deal]}
    told = answers([GOOD[0], {"kind": "adjudications", **record}, GOOD[1]])
    assert [answer.status for answer in told] == [200, 200, 200]


def test_a_full_batch_is_answered_in_order() -> None:
    items = [{"kind": "draws", "players": 2 + at % 7, "seed": f"s{at}"} for at in range(MAX_ITEMS)]
    items[500] = {"kind": "draws", "players": 1, "seed": "s"}
    told = answers(items)
    assert [answer.answer["seed"] if answer.answer else None for answer in told] == [
        None if at == 500 else f"s{at}" for at in range(MAX_ITEMS)
    ]


NO_BATCHES: Final[list[tuple[object, list[tuple[str, str]]]]] = [
    ({"questions": [GOOD[0]] * 1001}, [("/questions", "too_long")]),
    ({"questions": [{"kind": "cheats"}] * 1001}, [("/questions", "too_long")]),
    ({"questions": []}, [("/questions", "too_short")]),
    ({}, [("", "missing_field")]),
    ({"questions": {}}, [("/questions", "wrong_type")]),
    ({"questions": "draws"}, [("/questions", "wrong_type")]),
    ({"questions": [{"kind": "cheats"}], "x": 1, "y": 2}, [("/x", "unknown_field"), ("/y", "unknown_field")]),
    ({"question": [{}]}, [("", "missing_field"), ("/question", "unknown_field")]),
    ([{"kind": "draws", "players": 2}], [("", "wrong_type")]),
]


@pytest.mark.parametrize(("body", "errors"), NO_BATCHES)
@pytest.mark.parametrize("content", [JSON, MSGPACK])
def test_what_is_no_batch_is_refused_whole(body: object, errors: list[tuple[str, str]], content: str) -> None:
    problem = refused(post(PATH, body, ("content-type", content)), "invalid_body")
    assert [(error.pointer, error.code) for error in problem.errors] == errors


@pytest.mark.parametrize(
    "raw",
    [
        b'{"questions": [{"kind": "draws", "players": 1}, {"kind": ]}',
        b'{"questions": [{"kind": "draws", "players": 1}]',
        b'{"questions": [{"kind": "draws", "players": %b}]}' % (b"[" * 100_000),
        b'{"questions": [{"kind": "draws", "players": 1}]} x',
    ],
)
def test_a_batch_that_is_no_json_is_refused_whole(raw: bytes) -> None:
    refused(post(PATH, raw), "malformed_body")


def test_a_question_that_is_not_utf_8_spoils_no_other() -> None:
    raw = b'{"questions": [{"kind": "draws", "players": 2, "seed": "\xff"}, {"kind": "draws", "players": 2}]}'
    bad, good = post(PATH, raw).read(dict[str, list[Alone]])["answers"]
    assert bad.problem
    assert bad.problem.code == "malformed_body"
    assert good.status == 200


# ── The service fails ──


def test_a_question_on_which_the_service_fails_spoils_no_other_and_is_logged_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr("service.api.questions.positions.write_position", fail)
    before = value("catchten_refusals_total", code="internal_error")
    items = [item for item in GOOD for _ in range(2)]
    told = answers(items)
    failed = [answer for item, answer in zip(items, told, strict=True) if item["kind"] == "positions"]
    assert [(answer.kind, answer.status, answer.problem and answer.problem.code) for answer in failed] == [
        ("positions", 500, "internal_error")
    ] * 2
    assert all(answer.status == 200 for answer in told if answer not in failed)
    assert "secret" not in str(failed)
    (record,) = (record for record in caplog.records if record.levelname == "ERROR")
    assert record.exc_info
    assert {"request_id", "route"} <= {*vars(record)}
    assert value("catchten_refusals_total", code="internal_error") - before == 2  # which an alert watches


# ── Other requests get their turn ──


async def _turns(items: list[Body]) -> int:
    """Count how often the event loop comes round while a batch is answered."""
    raw = msgspec.json.encode({"questions": items})
    task = asyncio.create_task(send_request(Request(PATH, (raw,)), the_app()))
    turns = 0
    while not task.done():
        turns += 1
        await asyncio.sleep(0)
    answer = task.result()
    assert answer is not None
    assert answer.status == 200
    return turns


@pytest.mark.parametrize("item", [GOOD[1], BAD[1], BAD[3]], ids=["good", "wrong shape", "impossible"])
def test_a_big_batch_lets_other_requests_have_their_turn(item: Body, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(10**9))
    monkeypatch.setattr(time_slices, "perf_counter", lambda: next(clock) * time_slices.SLICE_SECONDS * 0.4)
    assert asyncio.run(_turns([item] * 600)) >= 200


def test_a_small_batch_is_answered_in_one_turn() -> None:
    assert asyncio.run(_turns([GOOD[0]])) <= 3


def test_a_batch_of_nothing_but_bad_questions_is_no_heavy_work() -> None:
    wrong = {"kind": "positions", "state": {**STATE, "taken": [["ZZ"] * 36] * 8}}
    raw = msgspec.json.encode({"questions": [wrong] * 200})
    count = CallCount()
    with count.counted():
        told = ask(Request(PATH, (raw,))).read(BatchAnswer)
    assert len(told.answers) == 200
    assert count.calls < 200 * MAX_FAULTS * 60


# ── Bounds ──


def test_answers_that_would_get_too_long_are_refused_from_there_on() -> None:
    rules = own_rules()
    raw = msgspec.json.encode({"questions": [{"kind": "positions", "state": {**STATE, "rules": rules}}] * 1000})
    app = create_app(Settings(max_body_bytes=64 * 1024 * 1024))
    answer = ask(Request(PATH, (raw,)), app)
    assert MAX_ANSWER_BYTES // 2 < len(answer.body) <= MAX_ANSWER_BYTES
    told = answer.read(dict[str, list[Alone]])["answers"]
    statuses = [alone.status for alone in told]
    assert len(statuses) == 1000
    assert statuses == [200] * statuses.count(200) + [507] * statuses.count(507)
    assert {alone.problem.code for alone in told if alone.problem} == {"answer_too_large"}


def own_rules() -> Body:
    """The longest possible house rules."""
    rules: Body = msgspec.to_builtins(RULESETS["trebor"])
    sources = {name: {"where": "x" * 80, "says": "y" * 300} for name in rules["sources"]}
    return {**rules, "id": "own", "description": "x" * 500, "sources": sources}


@pytest.mark.parametrize("media", [JSON, MSGPACK])
def test_a_large_batch_is_answered_as_small_ones_are(media: str) -> None:
    rules = own_rules()
    items = [{"kind": "positions", "state": {**STATE, "rules": rules, "dealer": at % 5}} for at in range(100)]
    encode = msgspec.json.encode if media == JSON else msgspec.msgpack.encode
    raw = encode({"questions": items})
    assert len(raw) > MAX_WHOLE_BYTES
    large, small = (
        post(PATH, body, ("content-type", media)).read(dict[str, list[Alone]])["answers"]
        for body in (raw, encode({"questions": items[:5]}))
    )
    assert [alone.status for alone in large] == [alone.status for alone in small] * 20
    assert [alone.answer for alone in large[:5]] == [alone.answer for alone in small]


def test_a_question_that_is_longer_than_any_may_be_spoils_no_other() -> None:
    long = {"kind": "draws", "players": 2, "seed": "x" * MAX_WHOLE_BYTES}
    bad, good = post(PATH, {"questions": [long, GOOD[0]]}).read(dict[str, list[Alone]])["answers"]
    assert bad.problem
    assert (bad.status, bad.problem.code) == (413, "body_too_large")
    assert good.status == 200


@pytest.mark.parametrize("media", [JSON, MSGPACK])
@pytest.mark.parametrize("size", [1001, 500_000])
def test_more_questions_than_a_batch_may_have_are_not_read(media: str, size: int) -> None:
    encode = msgspec.json.encode if media == JSON else msgspec.msgpack.encode
    problem = refused(post(PATH, encode({"questions": [0] * size}), ("content-type", media)), "invalid_body")
    assert problem.errors
    assert [(error.pointer, error.code) for error in problem.errors] == [("/questions", "too_long")]


def test_a_long_record_in_a_batch_lets_other_requests_have_their_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(10**9))
    monkeypatch.setattr(time_slices, "perf_counter", lambda: next(clock) * time_slices.SLICE_SECONDS * 2)
    item: Body = {"kind": "adjudications", **msgspec.json.decode(long_record())}
    assert asyncio.run(_turns([item])) >= 200


def test_heavy_questions_of_the_wrong_shape_are_decoded_one_in_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(10**9))
    monkeypatch.setattr(time_slices, "perf_counter", lambda: next(clock) * time_slices.SLICE_SECONDS * 2)
    wrong: Body = {"kind": "analyses", "record": {"deals": [{}] * 1000}}
    turns = asyncio.run(_turns([wrong] * MAX_HEAVY_ITEMS))
    assert turns >= 2 * MAX_HEAVY_ITEMS, "one to price a question, and one to refuse it"


def test_the_kinds_of_questions_in_a_large_batch_are_found_one_in_a_turn() -> None:
    deep = b'{"x":%b,"kind":"draws"}' % (b"[" * 900 + b"]" * 900)
    raw = b'{"questions":[%b]}' % b",".join([deep] * 300)
    assert len(raw) > MAX_WHOLE_BYTES
    assert sum(1 for _ in decode_batch(raw, "json")) == 2 * 300, "one to find its kind, and one to price it"


@pytest.mark.parametrize("item", [b"\x80", b"\x81\x00\x00", b"\x81\x90\xc0"], ids=["empty", "small", "no keys"])
def test_a_question_full_of_wrong_maps_is_read_in_few_calls(item: bytes) -> None:
    one = msgspec.msgpack.encode({"kind": "positions", "f": 1.0, "x": [msgspec.Raw(item)] * 20_000})
    raw = msgspec.msgpack.encode({"questions": [msgspec.Raw(one)] * 2})
    count, request = CallCount(), Request(PATH, (raw,), headers=(("content-type", MSGPACK),))
    ask(request)  # the types of a body are read once
    with count.counted():
        answer = ask(request)
    assert [one.status for one in answer.read(BatchAnswer).answers] == [400, 400]
    assert count.calls < 5_000
