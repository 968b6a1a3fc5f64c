"""Whatever is posted, the service answers, and says what is wrong in the one form that all refusals have."""

import asyncio
import json
from collections.abc import Iterable
from random import Random
from typing import Final

import msgspec
import pytest

from service.api.batches import PATH, BatchAnswer, Refused
from service.faults import FAULTS_AT_MOST
from service.http.problem_kinds import KINDS, problem_type
from service.http.problems import Problem
from service.http.validation import SHAPES
from tests.support.http.client import JSON, Answer, Request, read_problem, send_request, the_app
from tests.support.http.hostile import hostile_request
from tests.support.http.pointers import Json, parent, resolves
from tests.support.http.work import Work
from tests.support.questions import QUESTIONS
from tests.support.wire import Error

SHARDS: Final = 10
BODIES: Final = 2000
"""In each shard."""
CALLS_AT_MOST: Final = 20_000
"""So many calls of Python functions an answer may take."""
ANSWERS: Final = {question.path: question.answer for question in QUESTIONS} | {PATH: BatchAnswer}


@pytest.mark.parametrize("shard", range(SHARDS))
def test_every_body_is_answered_and_every_refusal_explains_itself(shard: int) -> None:
    chance = Random(shard)
    statuses = asyncio.run(_ask_all(hostile_request(chance) for _ in range(BODIES)))
    assert {200, 207, 400, 422} <= statuses


async def _ask_all(requests: Iterable[Request]) -> set[int]:
    statuses = set[int]()
    work, app = Work(), the_app()
    for request in requests:
        with work.counted():
            answer = await send_request(request, app)
        assert answer is not None
        check(request, answer)
        assert work.calls < CALLS_AT_MOST, request
        statuses.add(answer.status)
    return statuses


def check(request: Request, answer: Answer) -> None:
    """Check that an answer has the form that it should have, and that what it points to is in the request."""
    assert answer.status < 500, request
    sent = _sent(request)
    if answer.status >= 300:
        _check_problem(read_problem(answer), sent)
        return
    assert answer.media == dict(request.headers)["content-type"]
    told = answer.read(ANSWERS[request.path])
    if isinstance(told, BatchAnswer):
        _check_batch(told, sent)


def _sent(request: Request) -> list[Json]:
    """Decode what was sent, if it can be decoded at all and no name stands in it twice."""
    (raw,) = request.parts
    try:
        if request.headers[0][1] == JSON:
            json.loads(raw, object_pairs_hook=_once)
            return [msgspec.json.decode(raw)]
        return [msgspec.msgpack.decode(raw)]
    except (ValueError, RecursionError):
        return []


def _once(pairs: list[tuple[str, object]]) -> None:
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError


def _check_batch(batch: BatchAnswer, sent: list[Json]) -> None:
    for told in batch.answers:
        if isinstance(told, Refused):
            problem = told.problem
            assert problem.status == told.status == KINDS[problem.code].status
            assert problem.type == problem_type(problem.code)
            _check_problem(problem, sent)


def _check_problem(problem: Problem, sent: list[Json]) -> None:
    errors = problem.errors or ()
    if problem.code == "invalid_body":
        assert 0 < len(errors) <= FAULTS_AT_MOST
        assert {error.code for error in errors} <= {*SHAPES}
    assert len(problem.detail) < 500
    for error in errors:
        assert len(error.detail) < 500
        assert len(error.pointer) < 500
        assert not sent or _points(error, sent[0]), (error, sent)


def _points(error: Error, sent: Json) -> bool:
    at = parent(error.pointer) if error.code == "fields_missing" else error.pointer
    return resolves(at, sent)
