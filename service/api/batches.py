"""Batches: many questions at once, an answer or a problem for each, in order; one bad item spoils no other."""

from asyncio import sleep
from collections.abc import Callable, Iterable
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias, Union, cast

import msgspec
from litestar.types import HTTPScope, Receive
from msgspec import Meta, Raw, Struct, defstruct

from service.api.operations import QUESTIONS, Question
from service.http.endpoint import Corridor, Format, decode_strictly
from service.http.problems import Problem, Refusal, write_problem
from service.metrics.families import BATCH_QUESTIONS
from service.wire import Error, pointer

PATH: Final = "/v1/batches"
ITEMS_AT_MOST: Final = 1000
"""Questions in one batch."""
_COUNT: Final = "catchten.questions"
_TURN: Final = 0.002
"""Seconds after which other requests get their turn."""


def _item(question: Question) -> type[Struct]:
    """Make the body of a question one of a batch, told apart by its kind."""
    return defstruct(
        f"{_camel(question.kind)}Item",
        [],
        bases=(question.body,),
        tag=question.kind,
        tag_field="kind",
        frozen=True,
        forbid_unknown_fields=True,
        namespace={"__doc__": question.body.__doc__},
    )


def _answered(question: Question) -> type[Struct]:
    """Make the place of an answer in a batch, told apart by its kind."""
    return defstruct(
        f"{_camel(question.kind)}Answered",
        [("status", int), ("answer", question.answer)],
        tag=question.kind,
        tag_field="kind",
        frozen=True,
        gc=False,
        namespace={"__doc__": f"An answer: {question.summary[0].lower()}{question.summary[1:]}."},
    )


def _camel(kind: str) -> str:
    return "".join(part.capitalize() for part in kind.split("_"))


_ITEMS: Final = tuple(_item(question) for question in QUESTIONS)
_ANSWERED: Final = tuple(_answered(question) for question in QUESTIONS)
_ASKED: Final[dict[type, tuple[Callable[[Any], object], type[Struct]]]] = {
    item: (question.ask, done) for item, question, done in zip(_ITEMS, QUESTIONS, _ANSWERED, strict=True)
}


class Refused(Struct, frozen=True, gc=False, tag_field="kind", tag="problem"):
    """A question of a batch that is refused."""

    status: int
    problem: Problem


if TYPE_CHECKING:
    AnyItem: TypeAlias = Struct
    AnyAnswered: TypeAlias = Struct
else:
    AnyItem = Union[_ITEMS]  # noqa: UP007 # unions are made of a tuple of types only so
    AnyAnswered = Union[(*_ANSWERED, Refused)]


class Batch(Struct, frozen=True, forbid_unknown_fields=True):
    """Questions, each tagged with its kind: the name of its endpoint, with underscores."""

    questions: Annotated[tuple[AnyItem, ...], Meta(min_length=1, max_length=ITEMS_AT_MOST)]


class BatchAnswer(Struct, frozen=True, gc=False):
    """For each question, in order, its answer or its problem, with the status that it would have had."""

    answers: tuple[AnyAnswered, ...]


class RawBatch(Struct, frozen=True, forbid_unknown_fields=True):
    """A batch of which some questions do not have the right shape."""

    questions: Annotated[tuple[Raw, ...], Meta(min_length=1, max_length=ITEMS_AT_MOST)]


class _Mixed(Struct, frozen=True):
    """Questions that are read one by one, with a refusal in place of one of the wrong shape."""

    questions: Iterable[object]


def questions_asked(scope: HTTPScope) -> int:
    """Tell how many questions a request has asked, once it is answered: a batch leaves their number in the scope."""
    return cast("dict[str, int]", scope).get(_COUNT, 1)


class Batches(Corridor[Batch | _Mixed]):
    """The corridor of batches: one bad question does not keep the others from being read."""

    def __init__(self, limit: int) -> None:
        super().__init__(Batch, _ask_all, limit, status=207)
        self._frames = {
            "json": msgspec.json.Decoder(RawBatch).decode,
            "msgpack": msgspec.msgpack.Decoder(RawBatch).decode,
        }
        self._items = {"json": msgspec.json.Decoder(AnyItem).decode, "msgpack": msgspec.msgpack.Decoder(AnyItem).decode}

    def decode(self, raw: bytes, content: Format) -> Batch | _Mixed:
        """Decode a batch; if some question has the wrong shape, each one by itself, refusals among them.

        Errors: Refusal, for a body that is no batch at all.
        """
        try:
            return self._decode[content](raw)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            frame = decode_strictly(self._frames[content], raw, content, RawBatch)
        return _Mixed(self._decode_item(part, content) for part in frame.questions)

    async def _answer(self, scope: HTTPScope, receive: Receive) -> tuple[object, Format]:
        answer, wanted = await super()._answer(scope, receive)
        cast("dict[str, object]", scope)[_COUNT] = len(cast("BatchAnswer", answer).answers)
        return answer, wanted

    def _decode_item(self, part: Raw, content: Format) -> object:
        try:
            return decode_strictly(self._items[content], bytes(part), content, AnyItem)
        except Refusal as refusal:
            return refusal


async def _ask_all(batch: Batch | _Mixed) -> BatchAnswer:
    answers: list[Struct] = []
    turn = perf_counter()
    for at, item in enumerate(batch.questions):
        answers.append(_ask(item, at))
        if perf_counter() - turn > _TURN:
            await sleep(0)
            turn = perf_counter()
    BATCH_QUESTIONS.note(len(answers))
    return BatchAnswer(tuple(answers))


def _ask(item: object, at: int) -> Struct:
    try:
        if isinstance(item, Refusal):
            raise item
        ask, done = _ASKED[type(item)]
        return done(200, ask(item))
    except Refusal as refusal:
        problem = write_problem(_moved(refusal, at), PATH)
        return Refused(problem.status, problem)


def _moved(refusal: Refusal, at: int) -> Refusal:
    """Let the pointers of a refusal start at the batch."""
    start = pointer("questions", at)
    errors = tuple([Error(start + error.pointer, error.code, error.detail) for error in refusal.errors])
    return Refusal(refusal.code, refusal.detail, errors, refusal.verdict)
