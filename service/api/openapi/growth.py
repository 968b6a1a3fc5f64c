"""Open schemas for answers, so the service can grow; strict ones for requests.

A client made from this document can read answers of a later version with unknown fields, codes and events. A type that
is also in requests travels in both directions and gets only fields that a new ruleset needs:
docs/decisions/0039-what-may-grow.md.

Other types of answers forbid no field and have no pattern. Their enumerations are strings with the values so far
(`x-extensible-enum`). Their union of events is one object with the fields of all events. A union of an enumeration and
a string would be more exact, but generated decoders, msgspec among them, refuse it.
"""

from collections.abc import Iterator
from typing import Any, Final, TypeAlias, cast

Schema: TypeAlias = dict[str, Any]
_SCHEMAS: Final = "#/components/schemas/"
_FLAT: Final = frozenset({"GameEvent"})
"""Unions that can grow.

A batch's outcomes have the kinds of its caller's questions, and a page of changes holds games and changes.
"""


def open_answers(document: Schema) -> Schema:
    """Return the document with open answers; a type that is also in requests, such as a state, stays strict."""
    schemas: Schema = document["components"]["schemas"]
    operations = [operation for path in document["paths"].values() for operation in path.values()]
    asked = [[op[key] for key in ("requestBody", "parameters") if key in op] for op in operations]
    strict = _reach(asked, schemas)
    opened = {name: schemas[name] if name in strict else _open_named(name, schemas) for name in schemas}
    answered = [[op["responses"] for op in operations], document["components"]["responses"]]
    used = strict | _reach(answered, opened)
    made = {name: opened[name] for name in sorted(used)}
    return document | {"components": document["components"] | {"schemas": made}}


def _open_named(name: str, schemas: Schema) -> Schema:
    return _flatten(schemas[name], schemas) if name in _FLAT else cast("Schema", _open(schemas[name]))


def _open(node: Any) -> Any:
    """Remove from a schema the limits that a later version could break."""
    if isinstance(node, list):
        return [_open(item) for item in cast("list[object]", node)]
    if not isinstance(node, dict):
        return node
    schema = cast("Schema", node)
    opened = {
        key: {field: _open(inner) for field, inner in value.items()} if key == "properties" else _open(value)
        for key, value in schema.items()
        if key not in {"pattern", "additionalProperties", "enum"}
    }
    if "discriminator" in opened:  # with oneOf, Go tries an open answer against every branch, and finds more than one
        opened["anyOf"] = opened.pop("oneOf")
    if "enum" in schema:
        opened["enum" if len(schema["enum"]) == 1 else "x-extensible-enum"] = schema["enum"]
    return opened | ({"additionalProperties": True} if "properties" in schema else {})


def _flatten(union: Schema, schemas: Schema) -> Schema:
    """Return one object with the fields of all members of a union; its description lists them by tag."""
    tag = union["discriminator"]["propertyName"]
    members = {value: ref.removeprefix(_SCHEMAS) for value, ref in union["discriminator"]["mapping"].items()}
    fields: Schema = {tag: {"description": "Its type; ignore one that you do not know.", "type": "string"}}
    fields[tag]["x-extensible-enum"] = list(members)
    variants: Schema = {}
    for value, name in members.items():
        own = {key: field for key, field in schemas[name]["properties"].items() if key != tag}
        said = {key: field["description"] for key, field in own.items()}
        variants[value] = {"title": name, "description": schemas[name]["description"], "fields": said}
        for key, field in own.items():
            fields[key] = _merge(fields.get(key, _open(field)), _open(field))
    return {
        "description": f"{union['description']} Its `{tag}` says which fields it has:\n{_list_fields(variants)}",
        "type": "object",
        "properties": fields,
        "required": [tag],
        "additionalProperties": True,
        "x-variants": variants,
    }


def _merge(first: Schema, field: Schema) -> Schema:
    """Return the schema of a field that several events have.

    Errors: ValueError, if they differ.
    """
    if {**field, "description": ""} != {**first, "description": ""}:
        raise ValueError(f"two kinds of one field: {first}, {field}")
    return field if field == first else field | {"description": "Its meaning depends on the type of the event."}


def _list_fields(variants: Schema) -> str:
    return "\n".join(
        f"- `{value}` ({', '.join(f'`{field}`' for field in variant['fields'])}): {variant['description']}"
        for value, variant in variants.items()
    )


def _list_references(node: Any) -> Iterator[str]:
    """List the names of the schemas to which a part of the document refers."""
    if isinstance(node, dict):
        part = cast("Schema", node)
        yield from (text.removeprefix(_SCHEMAS) for text in part.values() if _is_reference(text))
        for key, inner in part.items():
            if key not in {"example", "examples"}:
                yield from _list_references(inner)
    elif isinstance(node, list):
        for inner in cast("list[object]", node):
            yield from _list_references(inner)


def _is_reference(text: object) -> bool:
    return isinstance(text, str) and text.startswith(_SCHEMAS)


def _reach(part: Any, schemas: Schema) -> set[str]:
    """Return the names of all schemas reachable from a part of the document."""
    found: set[str] = set()
    waiting = set(_list_references(part))
    while waiting:
        found |= waiting
        waiting = {name for each in waiting for name in _list_references(schemas[each])} - found
    return found
