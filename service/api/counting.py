"""The metrics of the game, counted from each answer when its sending begins."""

from collections.abc import Callable
from typing import Any, Final

from service.api.batches.batch import BatchAnswer
from service.api.questions.next_states import NextState
from service.game.cards import NUMBER, SUIT_OF
from service.game.rulesets import make_table
from service.http.problem_document import Problem
from service.http.response import Versioned
from service.platform.metrics.families import BATCH_QUESTIONS, REFUSALS
from service.platform.metrics.plays import count_adjudication, count_events, count_verdict
from service.schemas.adjudication import Adjudication
from service.schemas.live_game import Change
from service.schemas.refusal import CODES
from service.schemas.verdict import Verdict

_REFUSED: Final = {code: REFUSALS.labels(code) for code in CODES}


def count_answer(question: object, answer: object) -> None:
    """Count the cards, tricks, deals and games in the answer to a question, or its problem."""
    count = _COUNTED.get(type(answer))
    if count is not None:
        count(question, answer)


def _count_versioned(question: object, answer: Versioned[object]) -> None:
    if not answer.repeated:
        count_answer(question, answer.content)


def _count_problem(_: object, problem: Problem) -> None:
    _REFUSED[problem.code].inc()
    if problem.verdict:
        count_verdict(problem.verdict)


def _count_change(_: object, answer: NextState | Change) -> None:
    if answer.position is not None:
        state = answer.position.state
        trump = SUIT_OF[NUMBER[state.turn_up]]
        count_events(state.rules, make_table(state.rules, state.sides), trump, answer.events)


def _count_batch(_: object, answer: BatchAnswer) -> None:
    """Count the questions of a batch; the contents of their answers were counted when encoded."""
    BATCH_QUESTIONS.observe(len(answer.answers))


_COUNTED: Final[dict[type, Callable[[Any, Any], None]]] = {
    Versioned: _count_versioned,
    Problem: _count_problem,
    Verdict: lambda _, verdict: count_verdict(verdict),
    NextState: _count_change,
    Change: _count_change,
    Adjudication: count_adjudication,
    BatchAnswer: _count_batch,
}
"""By the type of an answer, the function that counts it; it also takes the question."""
