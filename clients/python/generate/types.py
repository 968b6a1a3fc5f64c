"""The module of the types: a struct for each object of the document, an alias for all else that has a name."""

from collections.abc import Iterator
from graphlib import TopologicalSorter
from textwrap import indent

from clients.python.generate.document import (
    SCHEMAS,
    Schema,
    declare,
    hint,
    list_names,
    list_objects,
    name_of,
    quote,
    write_module,
)


def write_types() -> str:
    """Write the types, each after those that it is made of."""
    order = TopologicalSorter({name: sorted(set(list_names(schema))) for name, schema in SCHEMAS.items()})
    tags = {name: (field, value) for field, name, value in _list_tags()}
    return write_module(
        "The types of what is asked and answered.",
        "from collections.abc import Sequence",
        "from typing import TYPE_CHECKING, TypeAlias",
        "from catch_the_ten._model import Model",
        "if TYPE_CHECKING:\n    from typing import Literal\nelse:\n    from catch_the_ten._model import Literal\n",
        *(_write_type(name, SCHEMAS[name], *tags.get(name, ("", ""))) for name in order.static_order()),
    )


def _list_tags() -> Iterator[tuple[str, str, str]]:
    """List what tells the members of a union apart: the field, the name of the member, the value."""
    for part in list_objects(SCHEMAS):
        found = part.get("discriminator", {})
        for value, reference in found.get("mapping", {}).items():
            yield found["propertyName"], name_of(reference), value


def _write_type(name: str, schema: Schema, tag_field: str, tag: str) -> str:
    if "properties" not in schema:
        return f"{name}: TypeAlias = {hint(schema)}\n{quote(schema.get('description', name))}\n"
    options = f', tag_field="{tag_field}", tag="{tag}"' if tag else ""
    lines = [
        f"class {name}(Model, frozen=True, kw_only=True{options}):",
        indent(quote(schema["description"]), "    "),
        "",
    ]
    for field, inner in schema["properties"].items():
        if field != tag_field:
            lines += [f"    {declare(schema, field)}", indent(quote(inner.get("description", field)), "    "), ""]
    return "\n".join([*lines, ""])
