"""The module of the exceptions: one for each code of a problem, with the facts that it has beside its text."""

import re
from typing import Final

from clients.python.generate.document import DOCUMENT, SCHEMAS, Schema, hint, quote, write_module

_FIELDS: Final[dict[str, Schema]] = SCHEMAS["Problem"]["properties"]
_OF_SOME: Final = [field for field, schema in _FIELDS.items() if hint(schema).endswith(" | None")]
"""The fields that only some problems have; in the others they are null."""


def write_problems() -> str:
    """Write the exceptions, and a table of them by code."""
    names = {code: "".join(part.capitalize() for part in code.split("_")) for code in SCHEMAS["ProblemCode"]["enum"]}
    table = ", ".join(f'"{code}": {name}' for code, name in names.items())
    return write_module(
        "The refusals of the service as exceptions, one for each code of a problem.",
        "from typing import Final",
        "from catch_the_ten import models",
        "from catch_the_ten.refusal import Refusal",
        *(_write_problem(code, name) for code, name in names.items()),
        f'KINDS: Final[dict[str, type[Refusal]]] = {{{table}}}\n"""The exception of each code."""\n',
    )


def _write_problem(code: str, name: str) -> str:
    of_balancers = {"value": {"title": code.replace("_", " ").capitalize()}}
    example = DOCUMENT["components"]["examples"].get(f"problem.{code}", of_balancers)["value"]
    facts = [_write_fact(field, _FIELDS[field]) for field in _OF_SOME if example.get(field) is not None]
    return "\n".join([f'class {name}(Refusal):\n    """{example["title"]}."""\n', *facts])


def _write_fact(field: str, schema: Schema) -> str:
    kind = re.sub(r"\b([A-Z])", r"models.\1", hint(schema).removesuffix(" | None"))
    return (
        f"    @property\n    def {field}(self) -> {kind}:\n        {quote(schema['description'])}\n"
        f"        return self.require(self.problem.{field})\n"
    )
