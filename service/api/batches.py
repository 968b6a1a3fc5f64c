"""POST /v1/batches: many questions at once, for each, in order, its answer or its problem."""

from collections.abc import Callable, Generator
from contextlib import nullcontext, suppress
from logging import getLogger
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias, Union

import msgspec
from msgspec import Meta, Raw, Struct, defstruct
from msgspec.structs import astuple, replace

from service.api.questions import QUESTIONS
from service.computing.time_slices import TimeSlice, take_slices
from service.http.body import LIGHT_BYTES, decoder_of
from service.http.negotiation import Format
from service.http.operation import READ, RECORD_BYTES, Operation, question
from service.http.problems import FAILED, Problem, write_problem
from service.http.request import ApiRequest
from service.http.response import ENCODE
from service.wire.faults import Error, pointer
from service.wire.refusal import Refusal

PATH: Final = "/v1/batches"
MAX_ITEMS: Final = 1000
"""Questions in one batch."""
MAX_ANSWER_BYTES: Final = 8 * 1024 * 1024
"""Bytes of the answers to a batch, together."""
LIGHT_ITEMS: Final = 8
"""Questions in a batch that is light to answer, none of them heavy."""
MAX_HEAVY_ITEMS: Final = 20
"""Questions of heavy work in one batch, each of which may take a second."""
MAX_WHOLE_BYTES: Final = 512 * 1024
"""Bytes of a batch that is decoded in one piece, which is a little quicker than one question after the other."""
_logger: Final = getLogger(__name__)
_PROBLEM_BYTES: Final = 512
"""Room that is kept for the refusal of each question, should the answers get too long."""


def _camel_case(kind: str) -> str:
    return "".join(part.capitalize() for part in kind.split("_"))


def _make_item(asked: Operation) -> type[Struct]:
    """Make the type of a question in a batch: its body, tagged with its kind."""
    body, kind = asked.body, asked.operation_id
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


def _make_answer(asked: Operation) -> type[Struct]:
    """Make the type of an answer in a batch: its status and itself, tagged with the kind of its question."""
    kind, summary, answer = asked.operation_id, asked.summary, asked.answer
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


_ITEMS: Final = tuple(_make_item(asked) for asked in QUESTIONS)
_ANSWERED: Final = tuple(_make_answer(asked) for asked in QUESTIONS)
_Ask: TypeAlias = Callable[[Any], object]
_Pieces: TypeAlias = Callable[[Any], Generator[None, None, object]]
_HEAVY: Final[dict[type, Callable[[Any], int]]] = {
    item: asked.heavy for item, asked in zip(_ITEMS, QUESTIONS, strict=True) if asked.heavy is not None
}
"""By type of heavy question, for how many requests more than one it counts."""
_HEAVY_KINDS: Final[dict[str, Callable[[Any], int]]] = {
    asked.operation_id: asked.heavy for asked in QUESTIONS if asked.heavy is not None
}
_LONG: Final[dict[type, Callable[[Any], bool]]] = {
    item: asked.takes_long for item, asked in zip(_ITEMS, QUESTIONS, strict=True) if asked.takes_long is not None
}
_LONG_KINDS: Final = {asked.operation_id for asked in QUESTIONS if asked.takes_long is not None}
_ASKED: Final[dict[type, tuple[_Ask, _Pieces | None, type[Struct]]]] = {
    item: (asked.fn, asked.sliced, answered) for item, asked, answered in zip(_ITEMS, QUESTIONS, _ANSWERED, strict=True)
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
        Meta(min_length=1, max_length=MAX_ITEMS, description="The questions, in any mixture of kinds."),
    ]


class BatchAnswer(Struct, frozen=True, gc=False):
    """For each question, in order, its answer or its problem, with the status that it would have had alone."""

    answers: Annotated[
        tuple[AnyAnswered, ...], Meta(description="The answers and problems, in the order of the questions.")
    ]


class BatchLimits(Struct, frozen=True, gc=False):
    """The bound of a batch, and what becomes of each answer when it is written.

    Shape: `count` takes each question with its answer or its problem.
    Unit: `max_answer_bytes` bounds all answers together.
    """

    max_answer_bytes: int
    count: Callable[[object, object], None]


class RawBatch(Struct, frozen=True, forbid_unknown_fields=True):
    """A batch whose questions are not decoded yet."""

    questions: Annotated[tuple[Raw, ...], Meta(min_length=1, max_length=MAX_ITEMS)]


_RawQuestions: Final = defstruct(
    "RawQuestions",
    [(f"question_{at}", Raw, Raw()) for at in range(MAX_ITEMS)],
    array_like=True,
    forbid_unknown_fields=True,
)
"""The same list by its places: of a longer one, the decoder reads no more than it may have."""
_Frame: Final = defstruct("Frame", [("questions", _RawQuestions)], forbid_unknown_fields=True)


class _Undecoded(Struct, frozen=True):
    """A question that is decoded by itself: its batch is large, or it or another one has the wrong shape."""

    raw: Raw
    content: Format
    kind: str


class _Kind(Struct, frozen=True):
    """The kind of a question that is not decoded yet."""

    kind: str = ""


_decode_list: Final = decoder_of(RawBatch)
_decode_item: Final = decoder_of(AnyItem)
_WHOLE: Final = {"json": msgspec.json.Decoder(Batch).decode, "msgpack": msgspec.msgpack.Decoder(Batch).decode}
_FRAME: Final = {"json": msgspec.json.Decoder(_Frame).decode, "msgpack": msgspec.msgpack.Decoder(_Frame).decode}
_KIND: Final = {"json": msgspec.json.Decoder(_Kind).decode, "msgpack": msgspec.msgpack.Decoder(_Kind).decode}
_UNREADABLE: Final = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


def decode_batch(raw: bytes, content: Format) -> Batch:
    """Decode a batch. If it is large, or a question has the wrong shape, leave each to be decoded by itself.

    Errors: Refusal, if the body has no list of questions.
    """
    if len(raw) <= MAX_WHOLE_BYTES:
        with suppress(*_UNREADABLE):
            return _WHOLE[content](raw)
    return Batch(tuple([_Undecoded(part, content, _find_kind(part, content)) for part in _split(raw, content)]))


def _find_kind(part: Raw, content: Format) -> str:
    """Return the kind of a question that is not decoded; "" if it has none that can be read."""
    with suppress(*_UNREADABLE):
        return _KIND[content](part).kind
    return ""


def _split(raw: bytes, content: Format) -> tuple[Raw, ...]:
    """Return the questions of a batch, not decoded.

    Errors: Refusal, if there are too many, or none.
    """
    parts: list[Raw] = []
    try:
        frame: Any = _FRAME[content](raw)
        parts = [part for part in astuple(frame.questions) if part]
    except _UNREADABLE as exc:
        if "of at most length" in str(exc):
            detail = f"A batch has at most {MAX_ITEMS} questions."
            raise Refusal("invalid_body", detail, (Error(pointer("questions"), "too_long", detail),)) from exc
    return tuple(parts) or _decode_list(raw, content).questions  # which says what is wrong


def price_batch(batch: Batch) -> int:
    """Return for how many requests more than one a batch counts.

    Errors: Refusal, if too many of its questions are heavy.
    """
    prices = [price for asked in batch.questions if (price := _price_heavy(asked)) is not None]
    if len(prices) > MAX_HEAVY_ITEMS:
        detail = f"A batch has at most {MAX_HEAVY_ITEMS} questions of the kinds {', '.join(_HEAVY_KINDS)}."
        raise Refusal("invalid_body", detail, (Error(pointer("questions"), "too_long", detail),))
    return len(batch.questions) - 1 + sum(prices)


def _price_heavy(asked: object) -> int | None:
    """Return for how many requests more than one a question counts. Return None if it is light."""
    if type(asked) is _Undecoded:
        heavy = _HEAVY_KINDS.get(asked.kind)
        return None if heavy is None else heavy(None)
    heavy = _HEAVY.get(type(asked))
    return None if heavy is None else heavy(asked)


def _takes_long(asked: object) -> bool:
    """Return True if a question is answered in slices, however small it is."""
    if type(asked) is _Undecoded:
        return asked.kind in _LONG_KINDS
    takes_long = _LONG.get(type(asked))
    return takes_long is not None and takes_long(asked)


@question(
    PATH,
    operation_id="batches",
    summary="Ask many questions at once",
    description="Takes up to 1,000 questions, each tagged with its kind. The answers come in the same order, each with "
    "the status that it would have had alone; a refused question does not affect the others. At most "
    f"{MAX_HEAVY_ITEMS} may be heavy, and a quota is charged for these before any is answered. The status is 200 for "
    "every batch that can be read. If the answers get too long, all questions from there on are refused with the "
    "problem `answer_too_large`: send those again in another batch.",
    public=False,
    response_description="For each question, in order, its answer or its problem.",
    decoder=decode_batch,
    max_body_bytes=None,
    price=price_batch,
    problems=(*READ, "answer_too_large"),
)
async def answer_batch(body: Batch, request: ApiRequest, *, limits: BatchLimits) -> BatchAnswer:
    """Answer the questions of a batch in order, in time slices beside other requests, and write each answer at once."""
    is_small = price_batch(body) < LIGHT_ITEMS and request.body_bytes <= LIGHT_BYTES
    is_light = is_small and not any(map(_takes_long, body.questions))
    async with nullcontext(TimeSlice()) if is_light else take_slices(request.caller) as time_slice:
        return BatchAnswer(await _answer(body.questions, request, limits, time_slice))


async def _answer(
    questions: tuple[object, ...], request: ApiRequest, limits: BatchLimits, time_slice: TimeSlice
) -> tuple[Raw, ...]:
    """Return the answer to each question or its problem, written. Of all on which the service fails, log the first."""
    encode, is_logged = ENCODE[request.wanted], False
    room = limits.max_answer_bytes - len(questions) * _PROBLEM_BYTES
    written: list[Raw] = []
    for at, asked in enumerate(questions):
        item = asked
        try:
            item, answer, part = await _ask(asked, encode, room, time_slice)
        except Refusal as refusal:
            if refusal.code == "internal_error" and not is_logged:
                is_logged = _log_failure(refusal, request)
            if refusal.code == "answer_too_large":
                room = 0
            answer = _write_problem(refusal, at, request)
            part = encode(Refused(answer.status, answer))
        room -= len(part)
        written.append(Raw(part))
        limits.count(item, answer)
        if perf_counter() > time_slice.ends_at:
            await time_slice.yield_slice()
    return tuple(written)


async def _ask(
    asked: object, encode: Callable[[object], bytes], room: int, time_slice: TimeSlice
) -> tuple[object, object, bytes]:
    """Return a question, decoded, its answer, and that as it is written, in so many bytes at most.

    Errors: Refusal, also if the service fails.
    """
    if room <= 0:
        raise _too_large()
    try:
        item = _decode_alone(asked) if type(asked) is _Undecoded else asked
        ask, pieces, kind = _ASKED[type(item)]
        answer = ask(item) if pieces is None else await time_slice.run(pieces(item))
        part = encode(kind(200, answer))
    except Refusal:
        raise
    except Exception as exc:
        raise Refusal("internal_error", FAILED) from exc
    if len(part) > room:
        raise _too_large()
    return item, answer, part


def _log_failure(refusal: Refusal, request: ApiRequest) -> bool:
    """Log why the service failed on a question. Return True: it is done."""
    names = {"request_id": request.request_id, "route": PATH, "method": "POST"}
    _logger.error("a question of a batch failed", exc_info=refusal.__cause__, extra=names)
    return True


def _decode_alone(item: _Undecoded) -> object:
    """Decode a question by itself.

    Errors: Refusal.
    """
    with memoryview(item.raw) as raw:
        if len(raw) > RECORD_BYTES:
            raise Refusal("body_too_large", f"The question is larger than {RECORD_BYTES} bytes.")
        return _decode_item(bytes(raw), item.content)


def _write_problem(refusal: Refusal, at: int, request: ApiRequest) -> Problem:
    """Write the problem of a refused question; its pointers begin at the batch."""
    start = pointer("questions", at)
    errors = tuple([replace(error, pointer=start + error.pointer) for error in refusal.errors])
    moved = Refusal(refusal.code, refusal.detail, errors, refusal.fact)
    return write_problem(moved, request.base, request.request_id)


def _too_large() -> Refusal:
    return Refusal("answer_too_large", "The answers before it fill the batch. Send it again in another one.")
