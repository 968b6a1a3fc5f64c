"""POST /v1/batches: many questions at once, each with its answer or its problem, in order."""

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from logging import getLogger
from time import perf_counter
from types import GeneratorType
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias, Union, cast

from msgspec import Meta, Raw, Struct, defstruct
from msgspec.structs import replace

from service.api.batches.items import (
    BATCHED,
    MAX_HEAVY_ITEMS,
    UNKNOWN,
    Batch,
    Undecoded,
    decode_alone,
    decode_batch,
    is_long_running,
    operation_of,
    price_batch,
)
from service.game.generators import Sliced
from service.http.body import LIGHT_BYTES
from service.http.operation import READ_PROBLEMS, Operation, question
from service.http.problem_document import FAILED, Problem, write_problem
from service.http.request import ApiRequest
from service.http.response import ENCODE
from service.platform.time_slices import TimeSlice, take_slices
from service.schemas.faults import pointer
from service.schemas.refusal import Refusal

PATH: Final = "/v1/batches"
MAX_ANSWER_BYTES: Final = 8 * 1024 * 1024
"""Bytes of the answers to a batch, together."""
LIGHT_ITEMS: Final = 8
"""Questions of a light batch; none of them is heavy."""
_logger: Final = getLogger(__name__)
_PROBLEM_BYTES: Final = 512
"""Bytes reserved for a refusal of each question, in case the answers get too long."""


def _make_outcome(asked: Operation) -> type[Struct]:
    """Make the type of a question's outcome: its status, and its answer or problem, tagged with its kind."""
    kind = asked.operation_id
    return defstruct(
        f"{kind.title().replace('_', '')}Outcome",
        [("status", int), ("answer", asked.answer | None), ("problem", Problem | None)],
        tag=kind,
        tag_field="kind",
        frozen=True,
        gc=False,
        namespace={"__doc__": f"The answer to a question of the kind `{kind}`, or its problem."},
    )


class UnknownOutcome(Struct, frozen=True, gc=False, tag_field="kind", tag="unknown"):
    """The problem of a question of a batch whose kind cannot be read, or is none."""

    status: int
    answer: str | None
    problem: Problem


_OUTCOMES: Final[dict[str, Callable[..., Struct]]] = {
    **{asked.operation_id: _make_outcome(asked) for asked in BATCHED},
    UNKNOWN.operation_id: UnknownOutcome,
}

if TYPE_CHECKING:
    AnyOutcome: TypeAlias = Any
else:
    _every = Union[tuple(_OUTCOMES.values())]  # noqa: UP007 # | takes no tuple of types
    _WORDS = Meta(
        title="BatchOutcome",
        description="The outcome of a question, with its kind and the status that it would have had alone: an answer, "
        "and null as the problem, or the other way around.",
    )
    AnyOutcome = Annotated[_every, _WORDS]


class BatchAnswer(Struct, frozen=True, gc=False):
    """For each question, in order, its answer or its problem, with the status that it would have had alone."""

    answers: Annotated[
        tuple[AnyOutcome, ...], Meta(description="The answers and problems, in the order of the questions.")
    ]


class BatchLimits(Struct, frozen=True, gc=False):
    """The bound of a batch, the counter of its answers, and the functions that answer.

    Shape: `count` takes each question with its answer or its problem; `functions` are by the id of the operation.
    Unit: `max_answer_bytes` bounds all answers together.
    """

    max_answer_bytes: int
    count: Callable[[object, object], None]
    functions: Mapping[str, Callable[[object], object]]


def _is_long_running(batch: Batch) -> bool:
    """Return True if a batch is not light work."""
    return price_batch(batch) >= LIGHT_ITEMS or any(map(is_long_running, batch.questions))


@question(
    PATH,
    operation_id="batches",
    summary="Ask many questions at once",
    description="Takes up to 1,000 questions, each tagged with its kind. The answers come in the same order, each with "
    "the status that it would have had alone; a refused question does not affect the others. At most "
    f"{MAX_HEAVY_ITEMS} may be analyses, claims or suggestions, and a quota is charged for these before any is "
    "answered. The status is 200 for every batch that can be read. If the answers get too long, all questions from "
    "there on are refused with the problem `answer_too_large`: send those again in another batch.",
    public=False,
    response_description="For each question, in order, its answer or its problem.",
    decoder=decode_batch,
    max_body_bytes=None,
    is_long_running=_is_long_running,
    cancel_on_disconnect=True,
    upfront_cost=price_batch,
    problems=(*READ_PROBLEMS, "answer_too_large"),
)
async def answer_batch(body: Batch, request: ApiRequest, *, limits: BatchLimits) -> BatchAnswer:
    """Answer the questions of a batch in order, in time slices beside other requests, and write each answer at once."""
    is_light = not _is_long_running(body) and request.context.body_bytes <= LIGHT_BYTES
    async with nullcontext(TimeSlice()) if is_light else take_slices(request.caller) as time_slice:
        return BatchAnswer(await _answer(body.questions, request, limits, time_slice))


async def _answer(
    questions: tuple[object, ...], request: ApiRequest, limits: BatchLimits, time_slice: TimeSlice
) -> tuple[Raw, ...]:
    """Return the encoded answer or problem of each question. Log only the first failure of the service."""
    is_logged = False
    room = limits.max_answer_bytes - len(questions) * _PROBLEM_BYTES
    written: list[Raw] = []
    for at, asked in enumerate(questions):
        item = asked
        try:
            item, answer, part = await _ask(asked, request, limits, room, time_slice)
        except Refusal as refusal:
            if refusal.code == "internal_error" and not is_logged:
                is_logged = _log_failure(refusal, request)
            if refusal.code == "answer_too_large":
                room = 0
            answer = _write_problem(refusal, at, request)
            part = ENCODE[request.wanted](_OUTCOMES[operation_of(asked).operation_id](answer.status, None, answer))
        room -= len(part)
        written.append(Raw(part))
        limits.count(item, answer)
        if perf_counter() > time_slice.ends_at:
            await time_slice.yield_slice()
    return tuple(written)


async def _ask(
    asked: object, request: ApiRequest, limits: BatchLimits, room: int, time_slice: TimeSlice
) -> tuple[object, object, bytes]:
    """Return a decoded question, its answer, and the encoded answer, in at most `room` bytes.

    Errors: Refusal, also if the service fails.
    """
    if room <= 0:
        raise _too_large()
    try:
        item = decode_alone(asked) if type(asked) is Undecoded else asked
        operation = operation_of(item)
        answer = limits.functions[operation.operation_id](item)
        if type(answer) is GeneratorType:
            answer = await time_slice.run(cast("Sliced[object]", answer))
        part = ENCODE[request.wanted](_OUTCOMES[operation.operation_id](200, answer, None))
    except Refusal:
        raise
    except Exception as exc:
        raise Refusal("internal_error", FAILED) from exc
    if len(part) > room:
        raise _too_large()
    return item, answer, part


def _log_failure(refusal: Refusal, request: ApiRequest) -> bool:
    """Log why the service failed on a question. Return True: it is done."""
    names = {"request_id": request.context.request_id, "route": PATH}
    _logger.error("a question of a batch failed", exc_info=refusal.__cause__, extra=names)
    return True


def _write_problem(refusal: Refusal, at: int, request: ApiRequest) -> Problem:
    """Write the problem of a refused question; its pointers begin at the batch."""
    start = pointer("questions", at)
    errors = tuple([replace(error, pointer=start + error.pointer) for error in refusal.errors])
    moved = Refusal(refusal.code, refusal.detail, errors, refusal.fact)
    return write_problem(moved, request.context.request_id)


def _too_large() -> Refusal:
    return Refusal("answer_too_large", "The answers before it fill the batch. Send it again in another one.")
