"""The faults of a body's shape, found by comparing it with the type that decodes it.

The decoder stops at the first fault; this comparison finds them all, each at its most precise place. The types bound
the work, not the body: list entries beyond the greatest length are not compared.
"""

import re
from collections.abc import Iterator
from datetime import datetime
from functools import cache
from itertools import islice
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import inspect

from service.game.faults import MAX_FAULTS
from service.schemas.faults import Error, pointer

ShapeCode: TypeAlias = Literal[
    "wrong_type",
    "missing_field",
    "unknown_field",
    "out_of_range",
    "not_allowed_value",
    "too_short",
    "too_long",
    "wrong_pattern",
]
SHAPE_FAULTS: Final[dict[ShapeCode, str]] = {
    "wrong_type": "The value is of another type than the field. A number in quotes is not a number.",
    "missing_field": "A field is needed that is not there; the pointer leads to the object that lacks it.",
    "unknown_field": "The object has no such field; the pointer leads to it.",
    "out_of_range": "The number is smaller or larger than it may be.",
    "not_allowed_value": "The value is none of the few that the field takes.",
    "too_short": "The text has too few characters, or the list too few entries.",
    "too_long": "The text has too many characters, or the list too many entries.",
    "wrong_pattern": "The text is not of the form that the field asks for.",
}
_MAX_QUOTED: Final = 40
"""Characters of the sent value that a fault repeats."""
_MAX_LISTED: Final = 12
"""Allowed values that a fault lists; if there are more, it lists the first three."""
_MAX_NAMED: Final = 200
"""Characters of a field's name in a pointer; a pointer to a field with a longer name leads to its object."""

Decoded: TypeAlias = (
    "bool | int | float | str | list[Decoded] | dict[object, Decoded] | bytes | datetime | msgspec.msgpack.Ext | None"
)
"""A value decoded without a type, from JSON or MessagePack."""
_Steps: TypeAlias = tuple[str | int, ...]
_TYPES: Final[dict[type[inspect.Type], tuple[type, str]]] = {
    inspect.StructType: (dict, "an object"),
    inspect.VarTupleType: (list, "an array"),
    inspect.LiteralType: (str, "a string"),
    inspect.StrType: (str, "a string"),
    inspect.IntType: (int, "an integer"),
    inspect.BoolType: (bool, "true or false"),
    inspect.NoneType: (type(None), "null"),
}
"""By type, the Python type of a value decoded without a type, and its name for people.

A missing type takes anything.
"""
END: Final = r"\Z"
"""The end of a text in a pattern: in Python, unlike in JSON Schema, $ also matches before a last line feed."""
_SET: Final = re.compile(r"\^(\[[^]]*\])[*{]")
"""A pattern that allows one set of characters; the set is its group."""
_STEP: Final = re.compile(r"\.([A-Za-z_][A-Za-z0-9_]*)|\[(\d+)\]")
_CODE_BY_MESSAGE: Final[tuple[tuple[str, ShapeCode], ...]] = (
    ("Object missing", "missing_field"),
    ("Object contains unknown", "unknown_field"),
    (", got `", "wrong_type"),
    ("of length <=", "too_long"),
    ("of length", "too_short"),
    ("matching regex", "wrong_pattern"),
    ("Invalid", "not_allowed_value"),
    ("", "out_of_range"),
)
"""The code of a fault, by words in the message of the decoder; the first that match count."""


def list_faults(exc: msgspec.ValidationError, body: object, whole: Decoded) -> tuple[Error, ...]:
    """Return all faults of a body's shape, including the one that stopped the decoder.

    Shape: `whole` is the body decoded without its type, None if impossible. It has only the last of two fields with one
    name; the decoder sees both.
    """
    first = _parse_first_fault(str(exc))
    found = find_shape_faults(body, whole) if whole is not None else ()
    known = first.code in {"missing_field", "unknown_field"} or any(error.pointer == first.pointer for error in found)
    return found if found and known else (first, *found[: MAX_FAULTS - 1])


def _parse_first_fault(message: str) -> Error:
    text, _, at = message.rpartition(" - at `")
    steps = tuple(name or int(index) for name, index in _STEP.findall(at)) if text else ()
    code: ShapeCode = next(code for words, code in _CODE_BY_MESSAGE if words in (text or message))
    return _error(steps, code, _cut(text or message, 200) + ".")


def find_shape_faults(body: object, whole: Decoded) -> tuple[Error, ...]:
    """Return the faults of a body that was decoded without its type."""
    return tuple(islice(_faults(_branches(_type_info(body)), whole, ()), MAX_FAULTS))


@cache
def _type_info(body: object) -> inspect.Type:
    return inspect.type_info(body)


def without_nulls(body: object, whole: Decoded) -> Decoded:
    """Return a body, decoded without its type, without nulls that stand for a missing field."""
    return _without_nulls(_branches(_type_info(body)), whole)


def _without_nulls(branches: tuple[inspect.Type, ...], value: Decoded) -> Decoded:
    for asked in branches:
        match asked, value:
            case inspect.VarTupleType(item_type=item, max_length=most), list() if most is None or len(value) <= most:
                inside = _branches(item)
                return [_without_nulls(inside, inner) for inner in value]
            case inspect.StructType(tag_field=name, tag=tag), dict() if name is None or value.get(name) == tag:
                return _without_null_fields(asked, value)
            case _:
                pass
    return value


def _without_null_fields(asked: inspect.StructType, value: dict[object, Decoded]) -> Decoded:
    kept = dict(value)
    for field in asked.fields:
        if (name := field.encode_name) in kept:
            if _is_left_out(field, kept[name]):
                del kept[name]
            else:
                kept[name] = _without_nulls(_branches(field.type), kept[name])
    return kept


def _is_left_out(field: inspect.Field, value: Decoded) -> bool:
    """Return True for a null in a field with a default: it counts as missing."""
    return value is None and not field.required


def _branches(asked: inspect.Type) -> tuple[inspect.Type, ...]:
    match asked:
        case inspect.Metadata(type=inner):
            return _branches(inner)
        case inspect.UnionType(types=types):
            return tuple(branch for inner in types for branch in _branches(inner))
        case _:
            return (asked,)


def _faults(branches: tuple[inspect.Type, ...], value: Decoded, at: _Steps) -> Iterator[Error]:
    """Find the faults of a value, in the branch of a union that fits its type or its tag."""
    fitting = [branch for branch in branches if type(value) is _TYPES.get(type(branch), (type(value),))[0]]
    if not fitting:
        names = [_TYPES[type(branch)][1] for branch in branches if type(branch) is not inspect.NoneType]
        yield _error(at, "wrong_type", f"{_quote(value)} is not {' or '.join(names)}.")
    elif len(fitting) == 1:
        yield from _inside(fitting[0], value, at)
    elif isinstance(value, dict):
        yield from _tagged([branch for branch in fitting if isinstance(branch, inspect.StructType)], value, at)


def _inside(asked: inspect.Type, value: Decoded, at: _Steps) -> Iterator[Error]:
    match asked, value:
        case inspect.StructType(), dict():
            yield from _in_object(asked, value, at)
        case inspect.VarTupleType(), list():
            yield from _in_list(asked, value, at)
        case inspect.LiteralType(values=values), str():
            yield from _in_values(values, value, at)
        case inspect.StrType(), str():
            yield from _in_text(asked, value, at)
        case inspect.IntType(ge=least, le=most), int():
            yield from _in_range(least, most, value, at)
        case _:
            return


def _in_object(asked: inspect.StructType, value: dict[object, Decoded], at: _Steps) -> Iterator[Error]:
    for field in asked.fields:
        name = field.encode_name
        if name in value and not _is_left_out(field, value[name]):
            yield from _faults(_branches(field.type), value[name], (*at, name))
        elif field.required:
            yield _error(at, "missing_field", f'"{name}" is missing.')
    if asked.forbid_unknown_fields:
        known = {asked.tag_field, *(field.encode_name for field in asked.fields)}
        yield from (_unknown_field(name, at) for name in value if name not in known)


def _unknown_field(name: object, at: _Steps) -> Error:
    if not isinstance(name, str):
        return _error(at, "wrong_type", "The name of a field is not a string.")
    steps = (*at, name) if len(name) <= _MAX_NAMED else at
    return _error(steps, "unknown_field", f"There is no field {_quote(name)} here.")


def _tagged(branches: list[inspect.StructType], value: dict[object, Decoded], at: _Steps) -> Iterator[Error]:
    """Find the faults of an object in the branch of its own tag."""
    name = str(branches[0].tag_field)
    tags = ", ".join(f'"{branch.tag}"' for branch in branches)
    branch = next((branch for branch in branches if branch.tag == value.get(name)), None)
    if branch is not None:
        yield from _in_object(branch, value, at)
    elif name in value:
        yield _error((*at, name), "not_allowed_value", f"{_quote(value[name])} is not one of {tags}.")
    else:
        yield _error(at, "missing_field", f'"{name}" is missing; it is one of {tags}.')


def _in_list(asked: inspect.VarTupleType, value: list[Decoded], at: _Steps) -> Iterator[Error]:
    yield from _in_length(asked.min_length, asked.max_length, len(value), at)
    branches = _branches(asked.item_type)
    for index, item in enumerate(islice(value, asked.max_length)):
        yield from _faults(branches, item, (*at, index))


def _in_text(asked: inspect.StrType, value: str, at: _Steps) -> Iterator[Error]:
    wrong = tuple(_in_length(asked.min_length, asked.max_length, len(value), at))
    yield from wrong
    if not wrong and asked.pattern is not None and re.search(asked.pattern, value) is None:
        yield _error(at, "wrong_pattern", f"{_quote(value)} {_misfit(asked.pattern, value)}.")


def _misfit(pattern: str, value: str) -> str:
    """Name the first forbidden character of a text. If no single character is at fault, show the pattern."""
    if found := _SET.match(pattern):
        for character in value:
            if re.match(found[1], character) is None:
                return f"has the character U+{ord(character):04X}, which is not allowed here"
    return f"does not match {pattern.replace(END, '$')}"


def _in_length(least: int | None, most: int | None, length: int, at: _Steps) -> Iterator[Error]:
    if least is not None and length < least:
        yield _error(at, "too_short", f"its length is {length}; the least is {least}.")
    if most is not None and length > most:
        yield _error(at, "too_long", f"its length is {length}; the most is {most}.")


def _in_values(values: tuple[object, ...], value: str, at: _Steps) -> Iterator[Error]:
    if value not in values:
        others = f" or {len(values) - 3} others" if len(values) > _MAX_LISTED else ""
        listed = ", ".join(f'"{allowed}"' for allowed in (values[:3] if others else values))
        yield _error(at, "not_allowed_value", f"{_quote(value)} is not one of {listed}{others}.{_mend(value, values)}")


def _mend(value: str, values: tuple[object, ...]) -> str:
    """Suggest the right spelling of a value, such as TH for 10H or th."""
    meant = value.upper().replace("10", "T")
    how = " A ten is T:" if "10" in value else ""
    return f'{how or " Write"} "{meant}".' if meant in values else ""


def _in_range(least: int | None, most: int | None, value: int, at: _Steps) -> Iterator[Error]:
    if least is not None and value < least:
        yield _error(at, "out_of_range", f"{_quote(value)} is smaller than {least}.")
    if most is not None and value > most:
        yield _error(at, "out_of_range", f"{_quote(value)} is larger than {most}.")


def _error(at: _Steps, code: ShapeCode, detail: str) -> Error:
    """Return a fault; its sentence names the field, except for the whole body or a fault of the name."""
    named = "" if code in {"missing_field", "unknown_field"} else _name(at)
    return Error(pointer(*at), code, f"{named}: {detail}" if named else detail)


def _name(at: _Steps) -> str:
    """Return the name of the field at the end of steps, with its place in a list, such as "hands[1]"."""
    start = max([place for place, step in enumerate(at) if isinstance(step, str)], default=len(at))
    places = "".join([f"[{step}]" for step in at[start + 1 :]])
    return f'"{at[start]}{places}"' if start < len(at) else ""


def _quote(value: Decoded) -> str:
    """Return a short text or a number as it is; for any other value, only its kind."""
    match value:
        case None | bool():
            return "null" if value is None else str(value).lower()
        case int() | float():
            return _cut(str(value))
        case str():
            return msgspec.json.encode(_cut(value)).decode()
        case list():
            return "An array"
        case dict():
            return "An object"
        case _:
            return "A value that JSON does not have"


def _cut(text: str, length: int = _MAX_QUOTED) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"
