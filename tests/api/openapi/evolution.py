"""The answers of a later version: today's examples with an event, codes, fields and values that nobody knows yet."""

from collections.abc import Iterator
from typing import Any, Final

from tests.api.openapi.reading import find, list_answers

NEW: Final = "not_known_yet"
_LATER: Final = {"added_later": {"new": 1}}


def list_evolved() -> Iterator[tuple[str, Any]]:
    """List the evolved form of every example of an answer that has one, with the name of its type."""
    for name, answer in list_answers():
        evolved = evolve({"$ref": f"#/components/schemas/{name}"}, answer)
        if evolved != answer:
            yield name, evolved


def evolve(schema: dict[str, Any], value: Any) -> Any:
    """Return a value with all that its schema lets a later version add."""
    schema = _choose(schema, value)
    if "x-extensible-enum" in schema:
        return NEW
    if "properties" in schema:
        fields = schema["properties"]
        later = _LATER if schema.get("additionalProperties") else {}
        return {name: evolve(fields.get(name, {}), inner) for name, inner in value.items()} | later
    return [evolve(schema["items"], item) for item in value] if "items" in schema else value


def _choose(schema: dict[str, Any], value: Any) -> dict[str, Any]:
    """Follow references and choices to the schema that describes the value."""
    if "$ref" in schema:
        return _choose(find(schema["$ref"]), value)
    if "discriminator" in schema:
        found = schema["discriminator"]
        return _choose(find(found["mapping"][value[found["propertyName"]]]), value)
    fitting = (choice for choice in schema.get("anyOf", ()) if (kind := _kind(choice)) and isinstance(value, kind))
    choice = next(fitting, None)
    return schema if choice is None else _choose(choice, value)


def _kind(schema: dict[str, Any]) -> type | None:
    """Return the Python type of the values of a schema."""
    if "$ref" in schema:
        return _kind(find(schema["$ref"]))
    kinds: dict[str, type] = {"string": str, "integer": int, "array": list, "object": dict}
    return kinds.get(schema.get("type", "object" if "discriminator" in schema else ""))
