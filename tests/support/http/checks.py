"""Checks of any answer to any request: its form, and that what it points to is in the request."""

import json
from typing import Final

import msgspec

from service.api.batches.batch import PATH, BatchAnswer
from service.api.reasoning.suggestion_answer import Suggestion
from service.game.faults import FAULTS, MAX_FAULTS
from service.game.notation.record import MEDIA_TYPE
from service.http.problem_document import Problem
from service.http.problem_kinds import PROBLEM_KINDS, problem_type
from service.http.validation import SHAPE_FAULTS
from tests.support.http.client import JSON, Answer, Request, read_problem
from tests.support.http.pointers import Json, resolves
from tests.support.questions import QUESTIONS

_ANSWERS: Final = {question.path: question.answer for question in QUESTIONS} | {
    PATH: BatchAnswer,
    "/v1/suggestions": Suggestion,
}


def check_answer(request: Request, answer: Answer) -> None:
    """Check that an answer has the form that it should have, and that what it points to is in the request."""
    assert answer.status < 500, request
    sent = _sent(request)
    if answer.status >= 300:
        _check_problem(read_problem(answer), sent)
        return
    sent_as = dict(request.headers)["content-type"]
    assert answer.media == (JSON if sent_as == MEDIA_TYPE else sent_as)
    told = answer.read(_ANSWERS[request.path])
    if isinstance(told, BatchAnswer):
        _check_batch(told, sent)


def _sent(request: Request) -> list[Json]:
    """Decode a body, unless it is malformed or has duplicate names."""
    (raw,) = request.parts
    if request.headers[0][1] == MEDIA_TYPE:  # whose pointers lead into the record as JSON
        return []
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
        if (problem := told.problem) is not None:
            assert problem.status == told.status == PROBLEM_KINDS[problem.code].status
            assert problem.type.endswith(problem_type(problem.code))
            _check_problem(problem, sent)


def _check_problem(problem: Problem, sent: list[Json]) -> None:
    errors = problem.errors
    if problem.code == "invalid_body":
        assert 0 < len(errors) <= MAX_FAULTS
        assert {error.code for error in errors} <= {*SHAPE_FAULTS, *FAULTS}
    assert len(problem.detail) < 500
    for error in errors:
        assert len(error.detail) < 500
        assert len(error.pointer) < 500
        assert not sent or resolves(error.pointer, sent[0]), (error, sent)
