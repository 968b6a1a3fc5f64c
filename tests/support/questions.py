"""The questions as plain functions, by the names of their endpoints, and what each takes and gives."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final, NamedTuple

from service.api import question_list as declared
from service.api.questions.deals import Deal, DealQuestion
from service.api.questions.diagnoses import Diagnosis
from service.api.questions.draws import Draw, DrawQuestion
from service.api.questions.hand import HandQuestion
from service.api.questions.legal_moves import LegalMoves
from service.api.questions.next_states import NextState, NextStateQuestion
from service.api.questions.state import StateQuestion
from service.api.questions.trick_winners import BareTrick, TrickWinner, TrickWinnerQuestion
from service.api.questions.verdicts import VerdictQuestion
from service.api.questions.views import View, ViewQuestion
from service.api.reference.rulesets import RulesetList
from service.game.generators import run_to_end
from service.game.rules.record import Record
from service.http.operation import Operation
from service.schemas.draw import DrawnCard
from tests.support import wire

__all__ = [
    "QUESTIONS",
    "BareTrick",
    "Deal",
    "DealQuestion",
    "Diagnosis",
    "Draw",
    "DrawQuestion",
    "DrawnCard",
    "HandQuestion",
    "LegalMoves",
    "NextState",
    "NextStateQuestion",
    "Question",
    "RulesetList",
    "StateQuestion",
    "TrickWinner",
    "TrickWinnerQuestion",
    "VerdictQuestion",
    "View",
    "ViewQuestion",
    "adjudications",
    "deals",
    "diagnoses",
    "draws",
    "legal_moves",
    "next_states",
    "positions",
    "scores",
    "trick_winners",
    "verdicts",
    "views",
]


class Question(NamedTuple):
    """A question: its kind in a batch, its path, what it asks, what answers it, and what it answers."""

    kind: str
    path: str
    body: Any
    ask: Callable[[Any], Any]
    answer: Any
    summary: str


def _ask_at_once(operation: Operation, body: Any) -> Any:
    answer = operation.fn(body)
    return run_to_end(answer) if operation.is_sliced else answer


QUESTIONS: Final = tuple(
    Question(
        operation.operation_id,
        operation.path,
        operation.body,
        partial(_ask_at_once, operation),
        operation.answer,
        operation.summary,
    )
    for operation in declared.QUESTIONS
)
_ASK: Final = {question.kind: question.ask for question in QUESTIONS}


def adjudications(data: Record) -> wire.Adjudication:
    """Ask for an adjudication."""
    answer: wire.Adjudication = _ASK["adjudications"](data)
    return answer


def deals(data: DealQuestion) -> Deal:
    """Ask for a deal."""
    answer: Deal = _ASK["deals"](data)
    return answer


def diagnoses(data: StateQuestion) -> Diagnosis:
    """Ask for a diagnosis."""
    answer: Diagnosis = _ASK["diagnoses"](data)
    return answer


def draws(data: DrawQuestion) -> Draw:
    """Ask for a draw."""
    answer: Draw = _ASK["draws"](data)
    return answer


def legal_moves(data: HandQuestion) -> LegalMoves:
    """Ask for legal moves."""
    answer: LegalMoves = _ASK["legal_moves"](data)
    return answer


def next_states(data: NextStateQuestion) -> NextState:
    """Ask for the next state."""
    answer: NextState = _ASK["next_states"](data)
    return answer


def positions(data: StateQuestion) -> wire.Position:
    """Ask for a position."""
    answer: wire.Position = _ASK["positions"](data)
    return answer


def scores(data: StateQuestion) -> wire.Scores:
    """Ask for the scores."""
    answer: wire.Scores = _ASK["scores"](data)
    return answer


def trick_winners(data: TrickWinnerQuestion) -> TrickWinner:
    """Ask for the winner of a trick."""
    answer: TrickWinner = _ASK["trick_winners"](data)
    return answer


def verdicts(data: VerdictQuestion) -> wire.Verdict:
    """Ask for a verdict."""
    answer: wire.Verdict = _ASK["verdicts"](data)
    return answer


def views(data: ViewQuestion) -> View:
    """Ask for a view."""
    answer: View = _ASK["views"](data)
    return answer
