"""The list of tools, as `tools/list` answers it: small, because a language model reads all of it."""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final, cast

from msgspec.json import encode

from service.api.examples import read_examples
from service.api.mcp.tools import is_tool, list_arguments, make_arguments_type
from service.api.openapi.components import REF_TEMPLATE, Components, Schema
from service.api.operation_list import OPERATIONS
from service.http.operation import Operation

_DEFS: Final = "#/$defs/{name}"
_LEFT_OUT: Final = frozenset({"title", "examples", "discriminator", "x-enum-varnames"})
"""Parts of a schema that tell a model nothing more."""
_CLOSED: Final = ("additionalProperties", False)
"""Also omitted: some hosts refuse it, and the decoder refuses unknown arguments anyway."""
_TOOLS: Final = {op.path: op.operation_id for op in OPERATIONS if is_tool(op) and "{" not in op.path}
_WORDS: Final = {
    **{f"`{one.name}`": f"`{one.field}`" for op in OPERATIONS for one in list_arguments(op) if one.place == "header"},
    **{quoted: f"`{name}`" for path, name in _TOOLS.items() for quoted in (f"`{path}`", path)},
}
"""The names for callers of tools, by the names for callers over HTTP."""
_WHOLE: Final = "positions"
"""The only tool with the schema of a state: the others would repeat it a dozen times."""
_SHORT: Final[dict[str, Schema]] = {
    "Ruleset": {
        "type": "object",
        "description": "A whole ruleset (house rules): one that `get_ruleset` shows, with an `id` of your own and your "
        "changes.",
    },
    "StateOrNotation": {
        "type": ["object", "string"],
        "description": f"A `state` or `notation` that a tool has answered, or your own, as the tool `{_WHOLE}` of "
        "/mcp/questions takes it.",
    },
}
"""Descriptions that replace long schemas."""
_DESTRUCTIVE: Final = frozenset({"delete_game", "renew_token", "resign"})
"""Tools that destroy something: a game, or a token that others use."""
_IDEMPOTENT: Final = frozenset({"delete_game", "open_rematch", "seat_computer", "take_seat_back"})
"""Tools that change nothing more when called again."""


@cache
def encoded_tools(operations: tuple[Operation, ...]) -> bytes:
    """Write the list of tools, each with a self-contained schema of its arguments."""
    components = Components(*map(make_arguments_type, operations))
    return encode([_describe(operation, components) for operation in operations])


def _describe(operation: Operation, components: Components) -> Schema:
    return {
        "name": operation.operation_id,
        "title": operation.summary,
        "description": _reword(operation.description),
        "inputSchema": _write_schema(operation, components),
        "annotations": _annotate(operation),
    }


def _reword(text: str) -> str:
    """Return a description with the names for callers of tools."""
    for word, name in _WORDS.items():
        text = text.replace(word, name)
    return text


def _annotate(operation: Operation) -> dict[str, bool]:
    """Return the hints for people who let a model call a tool."""
    if operation.allows_query or operation.method == "GET":
        return {"readOnlyHint": True, "openWorldHint": False}
    return {
        "readOnlyHint": False,
        "destructiveHint": operation.operation_id in _DESTRUCTIVE,
        "idempotentHint": operation.operation_id in _IDEMPOTENT,
        "openWorldHint": False,
    }


def _write_schema(operation: Operation, components: Components) -> Schema:
    """Write the schema of a tool's arguments, with all schemas that it refers to."""
    own = {name: components.schemas[name] for name in ("StateOrNotation",) if operation.operation_id == _WHOLE}
    named = components.schemas | _SHORT | own
    defs: dict[str, Schema] = {}
    root: Schema = _copy(named[_name_of(components.of(make_arguments_type(operation))["$ref"])], named, defs)
    return root | _show_example(operation) | ({"$defs": dict(sorted(defs.items()))} if defs else {})


def _show_example(operation: Operation) -> Schema:
    """Return the shortest example of a question that gets an answer."""
    asked = read_examples().asked.get(operation.operation_id, {}).values() if operation.allows_query else ()
    answered = [example.request for example in asked if example.status == operation.status_code]
    return {"examples": [min(answered, key=lambda request: len(encode(request)))]} if answered else {}


def _name_of(reference: str) -> str:
    return reference.removeprefix(REF_TEMPLATE.format(name=""))


def _copy(node: Any, named: Mapping[str, Schema], defs: dict[str, Schema]) -> Any:
    """Copy a schema without the omitted parts, and its references into `defs`."""
    if isinstance(node, list):
        return [_copy(item, named, defs) for item in cast("list[object]", node)]
    if not isinstance(node, dict):
        return node
    copied: Schema = {}
    for key, value in cast("Schema", node).items():
        if key == "$ref":
            copied[key] = _DEFS.format(name=_define(_name_of(value), named, defs))
        elif key == "properties":
            copied[key] = {field: _copy(inner, named, defs) for field, inner in value.items()}
        elif key == "description":
            copied[key] = _reword(value)
        elif key not in _LEFT_OUT and (key, value) != _CLOSED:
            copied[key] = _copy(value, named, defs)
    return copied


def _define(name: str, named: Mapping[str, Schema], defs: dict[str, Schema]) -> str:
    """Copy the schema of a name into `defs`, and return the name."""
    if name not in defs:
        defs[name] = {}  # ends the recursion of a schema that refers to itself
        defs[name] = _copy(named[name], named, defs)
    return name
