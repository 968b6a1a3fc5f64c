"""What breaks clients of an older document: `list_breaks` names it."""

from collections.abc import Iterator
from typing import Any, Final, cast

_TEXTS: Final = {"description", "title", "examples", "x-variants", "x-enum-varnames"}
_APART: Final = {"properties", "required", "x-extensible-enum"}
"""What may have more in a newer document; the rest of a schema is the same."""


def list_breaks(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """List what an older document has that a newer one lacks, or has otherwise."""
    return [*_compare_paths(old["paths"], new["paths"]), *_compare_types(old["components"], new["components"])]


def _compare_paths(old: dict[str, Any], new: dict[str, Any]) -> Iterator[str]:
    for path, item in old.items():
        for method, operation in item.items():
            name, now = f"{method.upper()} {path}", new.get(path, {}).get(method)
            if now is None:
                yield f"{name} is gone"
                continue
            if now["operationId"] != operation["operationId"]:
                yield f"{name} is not called {operation['operationId']}"
            yield from (
                f"{name} {status} is gone" for status in operation["responses"] if status not in now["responses"]
            )
            yield from _compare_contents(name, operation, now)


def _compare_contents(name: str, old: dict[str, Any], new: dict[str, Any]) -> Iterator[str]:
    """Compare the types of a request and of its answers, and the parameters that are needed."""
    for status, response in old["responses"].items():
        if status in new["responses"] and _schemas_of(response) != _schemas_of(new["responses"][status]):
            yield f"{name} {status} answers another type"
    if _schemas_of(old.get("requestBody", {})) != _schemas_of(new.get("requestBody", {})):
        yield f"{name} takes another type"
    known = {parameter["name"]: parameter["schema"] for parameter in old.get("parameters", ())}
    for parameter in new.get("parameters", ()):
        if parameter["required"] and parameter["name"] not in known:
            yield f"{name} needs {parameter['name']}"


def _schemas_of(holder: dict[str, Any]) -> dict[str, Any]:
    return {media: _shape(content["schema"]) for media, content in holder.get("content", {}).items()}


def _compare_types(old: dict[str, Any], new: dict[str, Any]) -> Iterator[str]:
    for name, schema in old["schemas"].items():
        if name in new["schemas"]:
            yield from _compare(name, schema, new["schemas"][name])
        else:
            yield f"{name} is gone"


def _compare(name: str, old: dict[str, Any], new: dict[str, Any]) -> Iterator[str]:
    """Compare two forms of a named type or field."""
    fields = new.get("properties", {})
    for field, schema in old.get("properties", {}).items():
        if field in fields:
            yield from _compare(f"{name}.{field}", schema, fields[field])
        else:
            yield f"{name}.{field} is gone"
    strict = old.get("additionalProperties") is False
    needed, now = set(old.get("required", ())), set(new.get("required", ()))
    yield from (f"{name}.{field} is needed" for field in sorted(now - needed) if strict)
    yield from (f"{name}.{field} may be missing" for field in sorted(needed & fields.keys() - now) if not strict)
    values = old.get("x-extensible-enum", ())
    yield from (f"{name} lacks {value}" for value in values if value not in new.get("x-extensible-enum", values))
    kept = [key for key in old.keys() | new.keys() if key not in _TEXTS | _APART]
    changed = {key for key in kept if _shape(old.get(key)) != _shape(new.get(key))}
    if changed & {"type", "anyOf", "oneOf", "$ref"}:
        yield f"{name} is another type"
    else:
        yield from (f"{name}.{key} is another one" for key in sorted(changed))


def _shape(node: object) -> object:
    """Return a part of a document without its texts."""
    if isinstance(node, dict):
        fields = cast("dict[str, Any]", node)
        return {key: _shape(value) for key, value in fields.items() if key not in _TEXTS}
    return [_shape(item) for item in cast("list[object]", node)] if isinstance(node, list) else node
