"""The questions of a batch: their types, their decoding, together or one by one, and their cost."""

from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias, Union

import msgspec
from msgspec import Meta, Raw, Struct, defstruct
from msgspec.structs import astuple

from service.api.question_list import QUESTIONS
from service.api.reasoning.suggestions import suggest_card
from service.game.generators import Sliced
from service.http.decoding import decoder_of
from service.http.negotiation import Format
from service.http.operation import RECORD_BYTES, Operation
from service.http.surrogates import mark_halves
from service.schemas.faults import Error, pointer
from service.schemas.refusal import Refusal

MAX_ITEMS: Final = 1000
"""Questions in one batch."""
MAX_HEAVY_ITEMS: Final = 20
"""Questions of heavy work in one batch; each may take a second."""
MAX_WHOLE_BYTES: Final = 512 * 1024
"""Bytes of a batch that is decoded at once, which is a little faster than question by question."""


def _make_item(asked: Operation) -> type[Struct]:
    """Make the type of a question in a batch: its body, tagged with its kind."""
    body, kind = asked.body, asked.operation_id
    return defstruct(
        f"{kind.title().replace('_', '')}Item",
        [],
        bases=(body,),
        tag=kind,
        tag_field="kind",
        frozen=True,
        forbid_unknown_fields=True,
        namespace={"__doc__": body.__doc__},
    )


BATCHED: Final[tuple[Operation, ...]] = (*QUESTIONS, suggest_card)
"""Every question that a batch takes."""
_ITEMS: Final = tuple(_make_item(asked) for asked in BATCHED)
_BY_TYPE: Final[dict[type, Operation]] = dict(zip(_ITEMS, BATCHED, strict=True))
_BY_KIND: Final = {asked.operation_id: asked for asked in BATCHED}
UNKNOWN: Final = Operation("")
"""Used when `kind` is missing or unknown."""

if TYPE_CHECKING:
    AnyItem: TypeAlias = Any
else:
    _every = Union[_ITEMS]  # noqa: UP007 # | takes no tuple of types
    AnyItem = Annotated[
        _every, Meta(title="BatchItem", description="A question of a batch: the body that it has alone, with its kind.")
    ]


class Batch(Struct, frozen=True, forbid_unknown_fields=True):
    """Questions, each tagged with its `kind`: the name of its endpoint, with underscores in place of hyphens."""

    questions: Annotated[
        tuple[AnyItem, ...],
        Meta(min_length=1, max_length=MAX_ITEMS, description="The questions, in any mixture of kinds."),
    ]


class RawBatch(Struct, frozen=True, forbid_unknown_fields=True):
    """A batch whose questions are not decoded yet."""

    questions: Annotated[tuple[Raw, ...], Meta(min_length=1, max_length=MAX_ITEMS)]


_RawQuestions: Final = defstruct(
    "RawQuestions",
    [(f"question_{at}", Raw, Raw()) for at in range(MAX_ITEMS)],
    array_like=True,
    forbid_unknown_fields=True,
)
"""The same list as a tuple type: of a longer list, the decoder reads only the allowed items."""
_Frame: Final = defstruct("Frame", [("questions", _RawQuestions)], forbid_unknown_fields=True)


class Undecoded(Struct, frozen=True):
    """A question that is decoded separately: its batch is large, or some question has the wrong shape."""

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


def decode_batch(raw: bytes, content: Format) -> Sliced[Batch]:
    """Decode a batch. If it is large, or a question has the wrong shape, decode each question separately later.

    Heavy questions are decoded at once, because they are charged before any answer. Yields before it looks for the kind
    of a question, and before it decodes one.
    Errors: Refusal, if the body has no list of questions, or too many of them are heavy.
    """
    if len(raw) <= MAX_WHOLE_BYTES:
        with suppress(*_UNREADABLE):
            return _require_few_heavy(_WHOLE[content](raw))
    apart: list[Undecoded] = []
    for part in _split(raw, content):
        yield
        apart.append(Undecoded(part, content, _find_kind(part, content)))
    questions: list[object] = []
    for asked in _require_few_heavy(Batch(tuple(apart))).questions:
        yield
        questions.append(_decode_heavy(asked))
    return Batch(tuple(questions))


def _require_few_heavy(batch: Batch) -> Batch:
    """Return a batch.

    Errors: Refusal, if too many of its questions are heavy.
    """
    if sum(operation_of(asked).batch_cost is not None for asked in batch.questions) > MAX_HEAVY_ITEMS:
        kinds = ", ".join(asked.operation_id for asked in BATCHED if asked.batch_cost)
        detail = f"A batch has at most {MAX_HEAVY_ITEMS} questions of the kinds {kinds}."
        raise Refusal("invalid_body", detail, (Error(pointer("questions"), "too_long", detail),))
    return batch


def _decode_heavy(asked: object) -> object:
    """Decode a heavy question, which is charged before it is answered. Leave others, and wrong shapes, undecoded."""
    if type(asked) is Undecoded and operation_of(asked).batch_cost:
        with suppress(Refusal):
            return decode_alone(asked)
    return asked


def _find_kind(part: Raw, content: Format) -> str:
    """Return the kind of an undecoded question; "" if it has no readable one."""
    with suppress(*_UNREADABLE):
        return _KIND[content](part).kind
    return ""


def _split(raw: bytes, content: Format) -> tuple[Raw, ...]:
    """Return the undecoded questions of a batch.

    Errors: Refusal, if there are too many, or none.
    """
    parts: list[Raw] = []
    if content == "json":
        raw = mark_halves(raw)
    try:
        frame: Any = _FRAME[content](raw)
        parts = [part for part in astuple(frame.questions) if part]
    except _UNREADABLE as exc:
        if "of at most length" in str(exc):
            detail = f"A batch has at most {MAX_ITEMS} questions."
            raise Refusal("invalid_body", detail, (Error(pointer("questions"), "too_long", detail),)) from exc
    return tuple(parts) or _decode_list(raw, content).questions  # it says what is wrong


def price_batch(batch: Batch) -> int:
    """Return a batch's cost in requests beyond the first; a heavy question of the wrong shape costs the most."""
    costs = [cost(asked) for asked in batch.questions if (cost := operation_of(asked).batch_cost)]
    return len(batch.questions) - 1 + sum(costs)


def is_long_running(asked: object) -> bool:
    """Return True if a question of any size is answered in slices, or may be, if it is undecoded."""
    runs_long = operation_of(asked).is_long_running
    return runs_long is not None and (type(asked) is Undecoded or runs_long(asked))


def operation_of(asked: object) -> Operation:
    """Return the operation of a question; a light one if its kind is unreadable."""
    if type(asked) is Undecoded:
        return _BY_KIND.get(asked.kind, UNKNOWN)
    return _BY_TYPE[type(asked)]


def decode_alone(item: Undecoded) -> object:
    """Decode one question.

    Errors: Refusal.
    """
    with memoryview(item.raw) as raw:
        if len(raw) > RECORD_BYTES:
            raise Refusal("body_too_large", f"The question is larger than {RECORD_BYTES} bytes.")
        return _decode_item(bytes(raw), item.content)
