"""The questions as plain functions, by the names of their endpoints, and what each takes and gives."""

# Other modules take all names from here.
# mypy: implicit-reexport
# ruff: noqa: F401

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


class Question(NamedTuple):
    """A question: its kind in a batch, its path, its body, its function, and its answer."""

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
adjudications: Final[Callable[[Record], wire.Adjudication]] = _ASK["adjudications"]
deals: Final[Callable[[DealQuestion], Deal]] = _ASK["deals"]
diagnoses: Final[Callable[[StateQuestion], Diagnosis]] = _ASK["diagnoses"]
draws: Final[Callable[[DrawQuestion], Draw]] = _ASK["draws"]
legal_moves: Final[Callable[[HandQuestion], LegalMoves]] = _ASK["legal_moves"]
next_states: Final[Callable[[NextStateQuestion], NextState]] = _ASK["next_states"]
positions: Final[Callable[[StateQuestion], wire.Position]] = _ASK["positions"]
scores: Final[Callable[[StateQuestion], wire.Scores]] = _ASK["scores"]
trick_winners: Final[Callable[[TrickWinnerQuestion], TrickWinner]] = _ASK["trick_winners"]
verdicts: Final[Callable[[VerdictQuestion], wire.Verdict]] = _ASK["verdicts"]
views: Final[Callable[[ViewQuestion], View]] = _ASK["views"]
