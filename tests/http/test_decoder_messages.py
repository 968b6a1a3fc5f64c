"""The words of msgspec's messages by which faults are told apart: a release that says them otherwise fails here."""

from typing import Annotated, Any, Final, Literal

import msgspec
import pytest
from msgspec import Meta, Struct

from service.api.batches.items import _FRAME, MAX_ITEMS
from service.game.notation.record_reader import _BYTE
from service.http.decoding import _MENDABLE
from service.http.negotiation import Format
from service.http.validation import _CODE_BY_MESSAGE, ShapeCode, list_faults


class Needed(Struct):
    card: str


class Bounded(Struct, forbid_unknown_fields=True):
    size: Annotated[int, Meta(ge=1, le=9)] = 1
    name: Annotated[str, Meta(min_length=2, max_length=3, pattern="^a")] = "aa"
    cards: Annotated[tuple[Literal["AS", "KS"], ...], Meta(min_length=1, max_length=2)] = ("AS",)


class Play(Struct, tag="play"):
    pass


class Deal(Struct, tag="deal"):
    pass


MESSAGES: Final[tuple[tuple[Any, object, str, ShapeCode, str], ...]] = (
    (Needed, {}, "Object missing required field `card`", "missing_field", ""),
    (Play | Deal, {}, "Object missing required field `type`", "missing_field", ""),
    (Bounded, {"y": 1}, "Object contains unknown field `y`", "unknown_field", ""),
    (Bounded, [], "Expected `object`, got `array`", "wrong_type", ""),
    (Bounded, {"size": "1"}, "Expected `int`, got `str` - at `$.size`", "wrong_type", "/size"),
    (Bounded, {"size": 3.0}, "Expected `int`, got `float` - at `$.size`", "wrong_type", "/size"),
    (Bounded, {"size": 0}, "Expected `int` >= 1 - at `$.size`", "out_of_range", "/size"),
    (Bounded, {"size": 10}, "Expected `int` <= 9 - at `$.size`", "out_of_range", "/size"),
    (Bounded, {"name": "a"}, "Expected `str` of length >= 2 - at `$.name`", "too_short", "/name"),
    (Bounded, {"name": "aaaa"}, "Expected `str` of length <= 3 - at `$.name`", "too_long", "/name"),
    (Bounded, {"name": "bb"}, "Expected `str` matching regex '^a' - at `$.name`", "wrong_pattern", "/name"),
    (Bounded, {"cards": []}, "Expected `array` of length >= 1 - at `$.cards`", "too_short", "/cards"),
    (Bounded, {"cards": ["AS"] * 3}, "Expected `array` of length <= 2 - at `$.cards`", "too_long", "/cards"),
    (Bounded, {"cards": ["XX"]}, "Invalid enum value 'XX' - at `$.cards[0]`", "not_allowed_value", "/cards/0"),
    (Play | Deal, {"type": "draw"}, "Invalid value 'draw' - at `$.type`", "not_allowed_value", "/type"),
)


def refuse(kind: Any, body: object, content: Format) -> msgspec.ValidationError:
    codec = msgspec.json if content == "json" else msgspec.msgpack
    with pytest.raises(msgspec.ValidationError) as refused:
        codec.decode(codec.encode(body), type=kind)
    return refused.value


@pytest.mark.parametrize("content", ["json", "msgpack"])
@pytest.mark.parametrize(("kind", "body", "message", "code", "pointer"), MESSAGES)
def test_a_message_is_what_faults_are_told_apart_by(
    kind: Any, body: object, message: str, code: ShapeCode, pointer: str, content: Format
) -> None:
    exc = refuse(kind, body, content)
    assert str(exc) == message
    (error,) = list_faults(exc, kind, None)
    assert (error.code, error.pointer) == (code, pointer)


NULLS: Final = ("null", "None")


@pytest.mark.parametrize(("content", "name"), [("json", "null"), ("msgpack", "None")])
def test_null_has_a_name_in_each_format(content: Format, name: str) -> None:
    message = str(refuse(Bounded, {"size": None}, content))
    assert message == f"Expected `int`, got `{name}` - at `$.size`"
    assert any(words in message for words in _MENDABLE[content])


def test_every_word_that_is_looked_for_is_in_a_message_of_this_list() -> None:
    messages = [*(message for _, _, message, _, _ in MESSAGES), *(f"Expected `int`, got `{name}`" for name in NULLS)]
    looked_for = [
        *(words for words, _ in _CODE_BY_MESSAGE),
        *(words for all_of in _MENDABLE.values() for words in all_of),
    ]
    assert [words for words in looked_for if not any(words in message for message in messages)] == []


@pytest.mark.parametrize("content", ["json", "msgpack"])
def test_a_batch_that_is_too_long_is_told_by_its_message(content: Format) -> None:
    codec = msgspec.json if content == "json" else msgspec.msgpack
    with pytest.raises(msgspec.ValidationError, match="of at most length"):
        _FRAME[content](codec.encode({"questions": [{}] * (MAX_ITEMS + 1)}))


def test_a_message_on_malformed_json_names_the_byte() -> None:
    with pytest.raises(msgspec.DecodeError) as refused:
        msgspec.json.decode('{"a": x}')
    found = _BYTE.search(str(refused.value))
    assert found is not None
    assert found[1] == "6"
