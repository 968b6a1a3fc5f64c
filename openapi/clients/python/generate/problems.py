"""The module of the exceptions: one for each code of a problem, with the facts that it has beside its text."""

import re
from typing import Final

from openapi.clients.python.generate.document import DOCUMENT, SCHEMAS, Schema, hint, quote, write_module

_CATALOG: Final = DOCUMENT["paths"]["/v1/problems"]["get"]["responses"]["200"]["content"]["application/json"]["example"]
_FACTS: Final[dict[str, str]] = {kind["code"]: kind["field"] for kind in _CATALOG["problems"] if kind["field"]}
"""The field that some problems have beside those of all, by code."""


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
    title = DOCUMENT["components"]["examples"][f"problem.{code}"]["value"]["title"]
    field = _FACTS.get(code)
    facts = [] if field is None else [_write_fact(field, SCHEMAS["Problem"]["properties"][field])]
    return "\n".join([f'class {name}(Refusal):\n    """{title}."""\n', *facts])


def _write_fact(field: str, schema: Schema) -> str:
    kind = re.sub(r"\b([A-Z])", r"models.\1", hint(schema).removesuffix(" | None"))
    return (
        f"    @property\n    def {field}(self) -> {kind}:\n        {quote(schema['description'])}\n"
        f"        return self.require(self.problem.{field})\n"
    )
