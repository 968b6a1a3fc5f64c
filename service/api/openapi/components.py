"""The component schemas of the OpenAPI document, from the types that decode and encode.

msgspec makes components only of structs. Here other named types, such as the enumeration of the 36 cards, become
components too, and every use becomes a reference.
"""

import json
from typing import Annotated, Any, Final, TypeAlias, cast, get_args, get_origin, get_type_hints

import msgspec

from service.game.cards import CODES, Code
from service.game.rulesets import RULESETS, Rules
from service.http.validation import END

Schema: TypeAlias = dict[str, Any]
REF_TEMPLATE: Final = "#/components/schemas/{name}"

_RENAMED: Final = {
    "Batch": "QuestionBatch",
    "Change": "GameChange",
    "Claim": "DealState",
    "Error": "RequestFault",
    "NewDeal": "DealSetup",
    "NewGame": "GameSetup",
    "NewSeat": "SeatSetup",
    "Position": "DealPosition",
    "Record": "GameRecord",
    "Rule": "CitedRule",
    "Source": "RuleSource",
    "Sources": "RulesetSources",
    "StateError": "StateFault",
    "View": "DealView",
}
"""Names for types whose own name would clash with a language or a caller, or is not a caller's word.

Go makes a constructor `NewX` of every type `X`.
"""
_NULL: Final[Schema] = {"type": "null"}
_SAID_BY_THEIR_TYPE: Final[tuple[object, ...]] = (None, "", [])
"""Defaults that need no description: null, and empty ones."""

_PRINTED_ID: Final[Schema] = {
    "description": "The id of a printed ruleset; more may come.",
    "type": "string",
    "enum": list(RULESETS),
}
"""A decoder takes every well-formed id, so an unknown one is a separate problem."""
_RANKS: Final = ("SIX", "SEVEN", "EIGHT", "NINE", "TEN", "JACK", "QUEEN", "KING", "ACE")
_CARD_NAMES: Final = [f"{rank}_OF_{suit}" for suit in ("CLUBS", "DIAMONDS", "HEARTS", "SPADES") for rank in _RANKS]
"""The cards as names of constants, in the order of their codes: few languages let a name begin with a digit."""


class Components:
    """The component schemas of some types, and the schema of each type itself."""

    def __init__(self, *types: Any) -> None:
        named = _find_named((*types, Code)) | {"Rules": Rules}
        every = dict.fromkeys([*types, *named.values()])
        roots, structs = msgspec.json.schema_components(every, ref_template=REF_TEMPLATE)
        self._raw = dict(zip(every, roots, strict=True))
        self._by_title = {name: self._raw[kind] for name, kind in named.items()}
        self._by_shape = {
            _shape(schema): name for name, schema in self._by_title.items() if "enum" in schema or "anyOf" in schema
        }
        schemas = {_RENAMED.get(name, name): self._struct(schema) for name, schema in structs.items()}
        schemas |= {name: self._named(name) for name in named}
        schemas["Card"] |= {"enum": list(CODES), "x-enum-varnames": _CARD_NAMES}
        schemas["PrintedRulesetId"] = _PRINTED_ID
        schemas["Rules"]["anyOf"][0] = {"$ref": REF_TEMPLATE.format(name="PrintedRulesetId")}
        schemas["Rules"]["description"] = "A ruleset's id, or a whole ruleset (house rules)."
        self.schemas: dict[str, Schema] = dict(sorted(schemas.items()))

    def of(self, kind: Any) -> Schema:
        """Return the schema of a type: a reference if it has a name."""
        schema: Schema = self._refer(self._raw[kind])
        return schema

    def _struct(self, schema: Schema) -> Schema:
        whole = self._inside(schema)
        fields, needed = whole["properties"], whole.get("required", [])
        if "additionalProperties" in whole:
            described = {field: _describe_field(inner, needed=field in needed) for field, inner in fields.items()}
        else:  # an answer: it has every field of its type
            described = {field: _describe_field(inner, needed=True) for field, inner in fields.items()}
            whole["required"] = list(fields)
        if "kind" in fields:  # a part of a batch: the question's body and the list of outcomes are described elsewhere
            described = {field: _without_words(inner) for field, inner in described.items()}
        return {key: value for key, value in whole.items() if key != "title"} | {"properties": described}

    def _named(self, name: str) -> Schema:
        described = {"description": ""} | self._by_title[name]
        described.pop("title", None)
        return self._inside(described)

    def _refer(self, node: Any) -> Any:
        """Replace a schema that has a name by a reference, here and inside."""
        if isinstance(node, list):
            items = cast("list[object]", node)
            return [self._refer(item) for item in items]
        if not isinstance(node, dict):
            return _rename_reference(node) if isinstance(node, str) else node
        schema = cast("Schema", node)
        name = self._name_of(schema)
        return self._inside(schema) if name is None else self._reference(name, schema)

    def _inside(self, node: Schema) -> Schema:
        inside = {
            key: {field: self._refer(schema) for field, schema in value.items()}
            if key == "properties"
            else self._refer(value)
            for key, value in node.items()
        }
        if "discriminator" in inside:
            inside["oneOf"] = inside.pop("anyOf")
        if "enum" in inside:
            inside = {"type": "string", **inside}
        if "pattern" in inside:
            inside["pattern"] = str(inside["pattern"]).replace(END, "$")
        return inside

    def _name_of(self, node: Schema) -> str | None:
        title = node.get("title")
        if title in self._by_title:
            return str(title)
        return self._by_shape.get(_shape(node)) if "enum" in node or "anyOf" in node else None

    def _reference(self, name: str, node: Schema) -> Schema:
        """Return a reference to a named schema, or to it or null, with the texts of its use.

        The type's own description is omitted, unless the text of a default follows it.
        Errors: ValueError, for a schema with the name of another one.
        """
        named = self._by_title[name]
        reference: Schema = {"$ref": REF_TEMPLATE.format(name=name)}
        if _shape(node) != _shape(named):
            if _shape({"anyOf": [*named.get("anyOf", []), _NULL]}) != _shape(node):
                raise ValueError(f"two schemas are named {name}")
            reference = {"anyOf": [reference, _NULL]}
        texts = {key: node[key] for key in ("description", "default") if key in node}
        if "default" not in texts and texts.get("description") == named.get("description"):
            texts.pop("description", None)
        return reference | texts


def _find_named(types: tuple[Any, ...]) -> dict[str, Any]:
    """Find all types with a title inside some types, at any depth, by title."""
    named: dict[str, Any] = {}
    seen, left = set[object](), [*types]
    while left:
        kind = left.pop()
        if get_origin(kind) is Annotated:
            base, *metas = get_args(kind)
            titles = {at: meta.title for at, meta in enumerate(metas, start=1) if meta.title}
            named |= {title: Annotated[(base, *metas[:at])] for at, title in titles.items()}
            left.append(base)
        elif isinstance(kind, type) and issubclass(kind, msgspec.Struct) and kind not in seen:
            seen.add(kind)
            left += get_type_hints(kind, include_extras=True).values()
        else:
            left += get_args(kind)
    return named


def _describe_field(field: Schema, *, needed: bool) -> Schema:
    """Describe a field: its tag, and in words its default, which null also stands for.

    There is no `default`: generators take a field with one as always present.
    """
    default = field.get("default")
    if "description" not in field and len(field.get("enum", ())) == 1:
        return {"description": f"Always `{field['enum'][0]}`.", **field}
    described = {key: value for key, value in field.items() if key != "default"}
    if needed:
        return described
    if described.get("type") == "integer":  # generators make an extra type from bounds in a union
        described["type"] = ["integer", "null"]
    elif _NULL not in described.get("anyOf", ()):
        words = {key: described.pop(key) for key in ("description",) if key in described}
        described = {"anyOf": [described, _NULL]} | words
    if default in _SAID_BY_THEIR_TYPE or isinstance(default, dict):
        return described
    shown = default if isinstance(default, str) else json.dumps(default)
    return described | {"description": f"{field.get('description', '')} If left out: `{shown}`."}


def _without_words(field: Schema) -> Schema:
    return {key: value for key, value in field.items() if key != "description"}


def _shape(schema: Schema) -> str:
    """Return a schema without its texts, for comparison."""
    return json.dumps({key: value for key, value in schema.items() if key not in {"title", "description", "default"}})


def _rename_reference(text: str) -> str:
    for old, new in _RENAMED.items():
        if text == REF_TEMPLATE.format(name=old):
            return REF_TEMPLATE.format(name=new)
    return text
