"""Batches: many questions at once, an answer or a problem for each, in order; one bad item spoils no other."""

from asyncio import sleep
from typing import Annotated, Any, Final, Union

import msgspec
from msgspec import Meta, Raw, Struct, defstruct

from service.api.corridor import Corridor, Format, decode_strictly
from service.api.operations import QUESTIONS, Question
from service.api.problems import Problem, Refusal, write_problem
from service.api.wire import Error, pointer

PATH: Final = "/v1/batches"
ITEMS_AT_MOST: Final = 1000
"""Questions in one batch."""
_AT_ONCE: Final = 50
"""Questions answered before other requests get their turn."""


def _item(question: Question) -> Any:
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


def _answered(question: Question) -> Any:
    """Make the place of an answer in a batch, told apart by its kind."""
    return defstruct(
        f"{_camel(question.kind)}Answered",
        [("status", int), ("answer", question.answer)],
        tag=question.kind,
        tag_field="kind",
        frozen=True,
        namespace={"__doc__": f"An answer: {question.summary[0].lower()}{question.summary[1:]}."},
    )


def _camel(kind: str) -> str:
    return "".join(part.capitalize() for part in kind.split("_"))


_ITEMS: Final = tuple(_item(question) for question in QUESTIONS)
_ANSWERED: Final = tuple(_answered(question) for question in QUESTIONS)
_ASKED: Final = {item: (question.ask, done) for item, question, done in zip(_ITEMS, QUESTIONS, _ANSWERED, strict=True)}


class Refused(Struct, frozen=True, tag_field="kind", tag="problem"):
    """A question of a batch that is refused."""

    status: int
    problem: Problem


AnyItem: Any = Union[_ITEMS]
AnyAnswered: Any = Union[(*_ANSWERED, Refused)]

Batch = defstruct(
    "Batch",
    [("questions", Annotated[tuple[AnyItem, ...], Meta(min_length=1, max_length=ITEMS_AT_MOST)])],
    frozen=True,
    forbid_unknown_fields=True,
    namespace={"__doc__": "Questions, each tagged with its kind: the name of its endpoint, with underscores."},
)
BatchAnswer = defstruct(
    "BatchAnswer",
    [("answers", tuple[AnyAnswered, ...])],
    frozen=True,
    namespace={
        "__doc__": "For each question, in order, its answer or its problem, with the status that it would have had."
    },
)


class RawBatch(Struct, frozen=True, forbid_unknown_fields=True):
    """A batch of which some questions do not have the right shape."""

    questions: Annotated[tuple[Raw, ...], Meta(min_length=1, max_length=ITEMS_AT_MOST)]


class Batches(Corridor[Any]):
    """The corridor of batches: one bad question does not keep the others from being read."""

    def __init__(self, limit: int) -> None:
        super().__init__(Batch, _ask_all, limit, status=207)
        self._items = {"json": msgspec.json.Decoder(AnyItem).decode, "msgpack": msgspec.msgpack.Decoder(AnyItem).decode}
        self._raw = {"json": msgspec.json.Decoder(RawBatch).decode, "msgpack": msgspec.msgpack.Decoder(RawBatch).decode}

    def decode(self, raw: bytes, content: Format) -> Any:
        """Decode a batch; if some question has the wrong shape, each one by itself, refusals among them.

        Errors: Refusal, for a body that is no batch at all.
        """
        try:
            return super().decode(raw, content)
        except Refusal:
            try:
                parts = self._raw[content](raw).questions
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
                parts = None
            if parts is None:
                raise
        return _Mixed([self._decode_item(part, content) for part in parts])

    def _decode_item(self, part: Raw, content: Format) -> object:
        try:
            return decode_strictly(self._items[content], bytes(part), content, AnyItem)
        except Refusal as refusal:
            return refusal


class _Mixed(Struct, frozen=True):
    questions: list[object]


async def _ask_all(batch: Any) -> object:
    answers: list[object] = []
    for at, item in enumerate(batch.questions):
        if at % _AT_ONCE == _AT_ONCE - 1:
            await sleep(0)
        answers.append(_ask(item, at))
    return BatchAnswer(tuple(answers))


def _ask(item: object, at: int) -> object:
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
    errors = tuple(
        Error(pointer("questions", at) + error.pointer, error.code, error.detail) for error in refusal.errors
    )
    return Refusal(refusal.code, refusal.detail, errors, refusal.verdict)
