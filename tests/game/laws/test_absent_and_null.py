"""An answer has every field of its type, and in a request null means the same as leaving out what may be left out."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any, Final, cast

import msgspec
import pytest
from msgspec import inspect

from service.api.batches.items import Batch, Undecoded, decode_alone
from service.api.examples import read_examples
from service.api.operation_list import OPERATIONS
from service.game.generators import run_to_end
from service.http.decoding import decoder_of
from service.http.negotiation import Format
from service.http.operation import Operation
from service.schemas.refusal import Refusal
from tests.api.openapi.reading import SCHEMAS, find, operations, reachable, resolved, validator
from tests.support.claims import house
from tests.support.http.client import post as ask_json
from tests.support.http.client import refused
from tests.support.http.samples import STATE

TAKING: Final = [pytest.param(op, id=op.operation_id) for op in OPERATIONS if op.body is not None]
ABSENT: Final = {"tags", "start", "ended_by"}
"""Fields of records that may be absent: docs/decisions/0039-what-may-grow.md."""
NOTHING: Final[tuple[tuple[bytes, Format], ...]] = (
    (b"", "json"),
    (b"null", "json"),
    (b" null\n", "json"),
    (b"{}", "json"),
    (b"", "msgpack"),
    (b"\xc0", "msgpack"),
    (b"\x80", "msgpack"),
)
"""The ways to send no body."""
ENCODE: Final = {"json": msgspec.json.encode, "msgpack": msgspec.msgpack.encode}


def may_be_left_out(kind: inspect.Type, value: Any, *at: str | int) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """List the fields that may be left out of a value: the steps to their object, and their name."""
    for inner, part, steps in _inside(kind, value):
        yield from may_be_left_out(inner, part, *at, *steps)
    if (
        isinstance(kind, inspect.StructType)
        and isinstance(value, dict)
        and _has_tag(kind, cast("dict[str, Any]", value))
    ):
        yield from ((at, field.encode_name) for field in kind.fields if not field.required)


def _inside(kind: inspect.Type, value: Any) -> list[tuple[inspect.Type, Any, tuple[str | int, ...]]]:
    """List the types inside a type, each with the part of a value that is of it, and the step to that."""
    match kind, value:
        case inspect.Metadata(type=inner), _:
            return [(inner, value, ())]
        case inspect.UnionType(types=types), _:
            return [(inner, value, ()) for inner in types]
        case inspect.VarTupleType(item_type=inner), list():
            return [(inner, item, (index,)) for index, item in enumerate(cast("list[object]", value))]
        case inspect.StructType(fields=fields), dict() if _has_tag(kind, cast("dict[str, Any]", value)):
            names = [(field.type, field.encode_name) for field in fields]
            return [(inner, value.get(name), (name,)) for inner, name in names]
        case _:
            return []


def _has_tag(kind: inspect.StructType, value: dict[str, Any]) -> bool:
    return kind.tag_field is None or value.get(kind.tag_field) == kind.tag


def decode(op: Operation, body: object, content: Format) -> object:
    """Decode a body like its endpoint, including separately decoded questions of a batch."""
    raw = ENCODE[content](body)
    decoded: Any = run_to_end(op.decoder(raw, content)) if op.decoder else decoder_of(op.body)(raw, content)
    if isinstance(decoded, Batch):
        return [decode_alone(item) if isinstance(item, Undecoded) else item for item in decoded.questions]
    return decoded


@pytest.mark.parametrize("content", ["json", "msgpack"])
@pytest.mark.parametrize("op", TAKING)
def test_null_means_the_same_as_leaving_out(op: Operation, content: Format) -> None:
    for example in read_examples().asked[op.operation_id].values():
        for steps, name in may_be_left_out(inspect.type_info(op.body), example.request):
            without, null = deepcopy(example.request), deepcopy(example.request)
            inside, holder = without, null
            for step in steps:
                inside, holder = inside[step], holder[step]
            inside.pop(name, None)
            holder[name] = None
            assert decode(op, null, content) == decode(op, without, content), (steps, name)


@pytest.mark.parametrize("op", [op for op in OPERATIONS if op.optional_body], ids=lambda op: op.operation_id)
def test_a_body_that_may_be_left_out_may_be_null(op: Operation) -> None:
    decoder = decoder_of(op.body, optional_body=True)
    for raw, content in NOTHING:
        assert decoder(raw, content) == op.body(), raw


@pytest.mark.parametrize("content", ["json", "msgpack"])
@pytest.mark.parametrize("op", [op for op in OPERATIONS if op.body and not op.optional_body], ids=lambda op: op.path)
def test_null_is_no_body_that_is_needed(op: Operation, content: Format) -> None:
    with pytest.raises(Refusal) as refusal:
        decode(op, None, content)
    assert refusal.value.code == "invalid_body"


def test_null_is_refused_where_a_field_is_needed() -> None:
    problem = refused(ask_json("/v1/positions", {"state": {**STATE, "dealer": None}}), "invalid_body")
    assert [(error.pointer, error.code) for error in problem.errors] == [("/state/dealer", "wrong_type")]


def test_a_null_that_means_nothing_is_no_fault_beside_others() -> None:
    body = {"state": {**STATE, "rules": msgspec.to_builtins(house()) | {"target": None}, "dealer": "3"}}
    problem = refused(ask_json("/v1/positions", body), "invalid_body")
    assert [error.pointer for error in problem.errors] == ["/state/dealer"]


# ── Answers ──


def lacking(schema: dict[str, Any], value: Any, at: str = "") -> Iterator[str]:
    """List the fields of a type that an answer does not have."""
    for branch in _branches(schema):
        if "$ref" not in branch or validator(branch["$ref"]).is_valid(value):
            yield from lacking(branch, value, at)
    items = cast("list[object]", value) if isinstance(value, list) else []
    for index, item in enumerate(items):
        yield from lacking(schema.get("items", {}), item, f"{at}/{index}")
    fields = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
    for name, inner in schema.get("properties", {}).items():
        if name in fields:
            yield from lacking(inner, fields[name], f"{at}/{name}")
        elif fields and _has(schema, fields, name) and not (_is_strict(schema) and name in ABSENT):
            yield f"{at}/{name}"


def _is_strict(schema: dict[str, Any]) -> bool:
    return schema.get("additionalProperties") is False


def _has(schema: dict[str, Any], value: dict[str, Any], name: str) -> bool:
    """Return True if values of a schema have a field; of a variant, the events of one type, only its own."""
    variants = schema.get("x-variants")
    return variants is None or name in variants[value["type"]]["fields"]


def _branches(schema: dict[str, Any]) -> list[dict[str, Any]]:
    referred = [find(schema["$ref"])] if "$ref" in schema else []
    return [*referred, *schema.get("anyOf", ()), *schema.get("oneOf", ())]


def answers() -> Iterator[Any]:
    """List every answer of the document with its schema, problems among them."""
    for path, method, op in operations():
        for status, answer in op["responses"].items():
            for medium, content in resolved(answer).get("content", {}).items():
                if medium.endswith("json"):
                    yield pytest.param(content, id=f"{method} {path} {status}")


@pytest.mark.parametrize("content", [*answers()])
def test_an_answer_has_every_field_of_its_type(content: dict[str, Any]) -> None:
    examples = [resolved(example)["value"] for example in content.get("examples", {}).values()]
    for example in [*examples, *([content["example"]] if "example" in content else [])]:
        assert [*lacking(content["schema"], example)] == []


def test_the_document_says_that_every_field_of_an_answer_is_there() -> None:
    asked = {ref for _, _, op in operations() for ref in reachable(op.get("requestBody", {}))}
    for name, schema in SCHEMAS.items():
        if "properties" in schema and f"#/components/schemas/{name}" not in asked and "x-variants" not in schema:
            assert set(schema["required"]) == set(schema["properties"]), name


def test_the_document_lets_every_field_be_null_that_may_be_left_out() -> None:
    for name, schema in SCHEMAS.items():
        for field, inner in schema.get("properties", {}).items():
            if field not in schema.get("required", ()) and "x-variants" not in schema:
                assert {"type": "null"} in inner.get("anyOf", ()) or "null" in inner["type"], (name, field)
