"""GET /v1/problems: every code of a refusal, with its meaning."""

import re
from functools import cache
from pathlib import Path
from typing import Annotated, Final

from msgspec import Meta, Struct

from service.game.faults import FAULTS
from service.game.rules.judgment import Reason
from service.http.operation import RECEIVE_PROBLEMS, Operation, reference
from service.http.problem_kinds import PROBLEM_KINDS, problem_type
from service.http.validation import SHAPE_FAULTS
from service.schemas.refusal import ProblemCode


class ProblemKind(Struct, frozen=True):
    """A kind of problem."""

    code: Annotated[ProblemCode, Meta(description="Its stable code.")]
    type: Annotated[str, Meta(description="Its page, as a reference relative to the service.")]
    status: Annotated[int, Meta(description="The HTTP status of such an answer.")]
    title: Annotated[str, Meta(description="Its title, for people.")]
    meaning: Annotated[str, Meta(description="The cause and the remedy, for people.")]
    field: Annotated[str | None, Meta(description="The field that it has beside those of all problems; or null.")]


class CodeMeaning(Struct, frozen=True):
    """A code, and its meaning."""

    code: Annotated[str, Meta(description="The stable code.")]
    meaning: Annotated[str, Meta(description="Its meaning as a sentence.")]


class ProblemCatalog(Struct, frozen=True):
    """Every code by which a request, a body, a state or a card is refused."""

    problems: Annotated[tuple[ProblemKind, ...], Meta(description="The kinds of problems, by status.")]
    body_faults: Annotated[tuple[CodeMeaning, ...], Meta(description="The faults of a body (`invalid_body`).")]
    state_faults: Annotated[
        tuple[CodeMeaning, ...], Meta(description="The faults of a state, a ruleset or a request that fits the schema.")
    ]
    reasons: Annotated[tuple[CodeMeaning, ...], Meta(description="The reasons of verdicts (`illegal_play`).")]


REASONS: Final[dict[Reason, str]] = {
    "not_in_hand": "The seat does not hold the card.",
    "must_follow_suit": "The seat holds a card of the suit led, and the card is of another suit.",
    "must_trump": "The seat is void in the suit led and holds a trump, and under this ruleset it must play one.",
    "no_trump_lead": "The card is a trump, and under this ruleset the first lead of a deal is of a plain suit.",
    "depends_on_hand": "No hidden hand makes the card legal, but the reason depends on the hand.",
}


@cache
def read_meanings() -> dict[str, str]:
    """Return the text of each problem, with the cause and the remedy, by its code."""
    text = Path(__file__).with_suffix(".md").read_text(encoding="utf-8")
    return {code: " ".join(meaning.split()) for code, meaning in re.findall(r"^## (\w+)\n([^#]+)", text, re.MULTILINE)}


def _make_catalog() -> ProblemCatalog:
    kinds = sorted(PROBLEM_KINDS.items(), key=lambda item: item[1].status)
    return ProblemCatalog(
        tuple(
            ProblemKind(code, problem_type(code), kind.status, kind.title, read_meanings()[code], kind.field)
            for code, kind in kinds
        ),
        tuple(CodeMeaning(*item) for item in SHAPE_FAULTS.items()),
        tuple(CodeMeaning(*item) for item in FAULTS.items()),
        tuple(CodeMeaning(*item) for item in REASONS.items()),
    )


_CATALOG: Final = _make_catalog()


@reference(
    "/v1/problems",
    operation_id="list_problems",
    summary="List the kinds of problems",
    description="Each with its code, status, title and meaning. And every fault of a body or a state, and every "
    "reason of a verdict.",
    response_description="The kinds of problems; the example has the first of each list.",
    problems=RECEIVE_PROBLEMS,
)
def list_problems() -> ProblemCatalog:
    """List the kinds of problems."""
    return _CATALOG


HANDLERS: Final[tuple[Operation, ...]] = (list_problems,)
