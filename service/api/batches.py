"""POST /v1/batches: many questions at once, for each, in order, its answer or its problem."""

from asyncio import sleep
from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias, Union, get_type_hints

import msgspec
from litestar import post
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody
from msgspec import Meta, Raw, Struct, defstruct
from msgspec.structs import replace

from service.api.questions import QUESTIONS
from service.http.body import decoder_of
from service.http.context import RequestContext
from service.http.negotiation import Format
from service.http.operation import READ
from service.http.problems import Problem, write_problem
from service.wire.faults import pointer
from service.wire.refusal import Refusal

PATH: Final = "/v1/batches"
ITEMS_AT_MOST: Final = 1000
"""Questions in one batch."""
_TURN: Final = 0.002
"""Seconds of work after which other requests may run."""


def _body_of(question: HTTPRouteHandler) -> type[Struct]:
    body: type[Struct] = get_type_hints(question.fn)["data"]
    return body


def _camel_case(kind: str) -> str:
    return "".join(part.capitalize() for part in kind.split("_"))


def _make_item(question: HTTPRouteHandler) -> type[Struct]:
    """Make the type of a question in a batch: its body, tagged with its kind."""
    body, kind = _body_of(question), str(question.operation_id)
    return defstruct(
        f"{_camel_case(kind)}Item",
        [],
        bases=(body,),
        tag=kind,
        tag_field="kind",
        frozen=True,
        forbid_unknown_fields=True,
        namespace={"__doc__": body.__doc__},
    )


def _make_answer(question: HTTPRouteHandler) -> type[Struct]:
    """Make the type of an answer in a batch: its status and itself, tagged with the kind of its question."""
    kind, summary = str(question.operation_id), str(question.summary)
    answer = get_type_hints(question.fn)["return"]
    return defstruct(
        f"{_camel_case(kind)}Answered",
        [
            ("status", Annotated[int, Meta(description="The status that the question would have had alone.")]),
            ("answer", Annotated[answer, Meta(description="The answer.")]),
        ],
        tag=kind,
        tag_field="kind",
        frozen=True,
        gc=False,
        namespace={"__doc__": f"An answer: {summary[0].lower()}{summary[1:]}."},
    )


_ITEMS: Final = tuple(_make_item(question) for question in QUESTIONS)
_ANSWERED: Final = tuple(_make_answer(question) for question in QUESTIONS)
_ASKED: Final[dict[type, tuple[Callable[[Any], object], type[Struct]]]] = {
    item: (question.fn, answered) for item, question, answered in zip(_ITEMS, QUESTIONS, _ANSWERED, strict=True)
}


class Refused(Struct, frozen=True, gc=False, tag_field="kind", tag="problem"):
    """A refused question of a batch, with its problem."""

    status: Annotated[int, Meta(description="The status that the question would have had alone.")]
    problem: Annotated[Problem, Meta(description="The problem of the question.")]


if TYPE_CHECKING:
    AnyItem: TypeAlias = Any
    AnyAnswered: TypeAlias = Any
else:
    AnyItem = Union[_ITEMS]  # noqa: UP007 # unions are made of a tuple of types only so
    AnyAnswered = Union[(*_ANSWERED, Refused)]


class Batch(Struct, frozen=True, forbid_unknown_fields=True):
    """Questions, each tagged with its `kind`: the name of its endpoint, with underscores in place of hyphens."""

    questions: Annotated[
        tuple[AnyItem, ...],
        Meta(min_length=1, max_length=ITEMS_AT_MOST, description="The questions, in any mixture of kinds."),
    ]


class BatchAnswer(Struct, frozen=True, gc=False):
    """For each question, in order, its answer or its problem, with the status that it would have had alone."""

    answers: Annotated[
        tuple[AnyAnswered, ...], Meta(description="The answers and problems, in the order of the questions.")
    ]


class RawBatch(Struct, frozen=True, forbid_unknown_fields=True):
    """A batch whose questions are not decoded yet."""

    questions: Annotated[tuple[Raw, ...], Meta(min_length=1, max_length=ITEMS_AT_MOST)]


class _Undecoded(Struct, frozen=True):
    """A question that is decoded by itself, because it or another one of its batch has the wrong shape."""

    raw: Raw
    content: Format


_decode_frame: Final = decoder_of(RawBatch)
_decode_item: Final = decoder_of(AnyItem)
_WHOLE: Final = {"json": msgspec.json.Decoder(Batch).decode, "msgpack": msgspec.msgpack.Decoder(Batch).decode}


def decode_batch(raw: bytes, content: Format) -> Batch:
    """Decode a batch. If a question has the wrong shape, leave each to be decoded by itself.

    Errors: Refusal, if the body has no list of questions.
    """
    try:
        return _WHOLE[content](raw)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        frame: RawBatch = _decode_frame(raw, content)
    return Batch(tuple(_Undecoded(part, content) for part in frame.questions))


@post(
    PATH,
    operation_id="batches",
    tags=["Questions"],
    summary="Ask many questions at once",
    description="Takes up to 1,000 questions, each tagged with its kind. The answers come in the same order, each with "
    "the status that it would have had alone; a refused question does not affect the others. The status is 207 for "
    "every batch that can be read.",
    response_description="For each question, in order, its answer or its problem.",
    status_code=207,
    decoder=decode_batch,
    fast=True,
    guarded=True,
    negotiated=True,
    problems=READ,
)
async def answer_batch(data: JSONBody[Batch], context: NamedDependency[RequestContext]) -> BatchAnswer:
    """Answer the questions of a batch in order, and let other requests run in between."""
    questions: list[object] = []
    answers: list[Struct] = []
    turn = perf_counter()
    for at, item in enumerate(data.questions):
        question, answer = _answer(item, at)
        questions.append(question)
        answers.append(answer)
        if perf_counter() - turn > _TURN:
            await sleep(0)
            turn = perf_counter()
    if context.charge is not None and len(answers) > 1:
        await context.charge(len(answers) - 1)
    context.question = Batch(tuple(questions))
    return BatchAnswer(tuple(answers))


def _answer(item: object, at: int) -> tuple[object, Struct]:
    """Return a question, decoded if possible, and its answer or its problem."""
    try:
        if isinstance(item, _Undecoded):
            item = _decode_item(bytes(item.raw), item.content)
        ask, answered = _ASKED[type(item)]
        return item, answered(200, ask(item))
    except Refusal as refusal:
        problem = write_problem(_point_into_batch(refusal, at), PATH)
        return item, Refused(problem.status, problem)


def _point_into_batch(refusal: Refusal, at: int) -> Refusal:
    """Return a refusal whose pointers begin at the batch."""
    start = pointer("questions", at)
    errors = tuple([replace(error, pointer=start + error.pointer) for error in refusal.errors])
    return Refusal(refusal.code, refusal.detail, errors, refusal.verdict)
