"""The module of the calls: one for each operation that answers with JSON and is not on one live game."""

import re
from collections.abc import Iterator
from textwrap import fill, indent
from typing import Final

from clients.python.generate.document import DOCUMENT, SCHEMAS, Schema, declare, name_of, quote, write_module

_ASK_ALL: Final = '''
async def ask_all(self, questions: Sequence[BatchItem]) -> Sequence[BatchOutcome]:
    """Ask any number of questions, in as many batches as they need, and return the answers in order."""
    answers: list[BatchOutcome] = []
    while len(answers) < len(questions):
        asked = questions[len(answers) : len(answers) + MAX_BATCH]
        answers += whole_answers((await self.batches(asked)).answers)
    return answers
'''
_RECORD: Final = "GameRecord"
"""The schema that is an answer and a question as a whole."""


def write_calls() -> str:
    """Write the calls of an asynchronous client."""
    return write_module(
        "The questions, and all else that is asked of no live game, each as a call.",
        "from collections.abc import Sequence",
        "from typing import Literal, overload",
        "from urllib.parse import quote",
        "from catch_the_ten._async.transport import AsyncTransport",
        "from catch_the_ten.request import MAX_BATCH, Request, new_key, whole_answers, without_none",
        f"from catch_the_ten.models import {', '.join(SCHEMAS)}",
        'class AsyncCalls:\n    """The calls, each made through a transport."""\n',
        "    def __init__(self, transport: AsyncTransport) -> None:\n        self._transport = transport\n",
        *(indent(call, "    ") for call in (*_write_each(), *_write_ask_all())),
    )


def _write_each() -> Iterator[str]:
    for path, item in DOCUMENT["paths"].items():
        for method, operation in item.items():
            success = next(response for status, response in operation["responses"].items() if status < "300")
            answer = success.get("content", {}).get("application/json", {}).get("schema", {}).get("$ref")
            if answer and "{game_id}" not in path:
                yield _write_call(method.upper(), path, operation, name_of(answer))


def _write_ask_all() -> Iterator[str]:
    """Write the call of many questions: if all have one kind, the answers have that kind's type."""
    outcomes = SCHEMAS["BatchOutcome"]["discriminator"]["mapping"]
    for kind, item in SCHEMAS["BatchItem"]["discriminator"]["mapping"].items():
        asked, answered = name_of(item), name_of(outcomes[kind])
        yield f"@overload\nasync def ask_all(self, questions: Sequence[{asked}]) -> Sequence[{answered}]: ...\n"
    yield "@overload\nasync def ask_all(self, questions: Sequence[BatchItem]) -> Sequence[BatchOutcome]: ...\n"
    yield _ASK_ALL


def _write_call(method: str, path: str, operation: Schema, answer: str) -> str:
    """Write a call."""
    body = _find_body(operation)
    name, keyed = operation["operationId"], any(field["name"] == "Idempotency-Key" for field in _parameters(operation))
    in_path = {field["name"]: field for field in _parameters(operation) if field["in"] == "path"}
    in_query = {field["name"]: field for field in _parameters(operation) if field["in"] == "query"}
    fields, required = body.get("properties", {}), body.get("required", [])
    every = in_path | in_query | fields
    declared = _declare({"properties": every, "required": [*in_path, *required]})
    where = re.sub(r"\{(\w+)\}", r"{quote(\1, safe='')}", path)
    sent = [f'"{method}"', f'{"f" * bool(in_path)}"{where}"', *_write_body(fields, required)]
    if in_query:
        sent.append(f"query=without_none({', '.join(f'{field}={field}' for field in in_query)})")
    lines = [
        _document(operation, every),
        f"request = Request({', '.join(sent)}{', key=new_key()' if keyed else ''})",
        f"return await self._transport.ask(request, {answer})\n",
    ]
    head = f"async def {name}({', '.join(['self', *declared])}) -> {answer}:"
    return f"{head}\n{indent(chr(10).join(lines), '    ')}"


def _parameters(operation: Schema) -> list[Schema]:
    found: list[Schema] = operation.get("parameters", [])
    return [field | field["schema"] for field in found]


def _find_body(operation: Schema) -> Schema:
    """Return the object of the body; a record is one field, as a whole."""
    content = operation.get("requestBody", {}).get("content", {})
    schema = content.get("application/json", {}).get("schema")
    if schema is None:
        return {}
    name = name_of(schema["$ref"])
    if name == _RECORD:
        record = {
            "anyOf": [schema, {"type": "string"}],
            "description": "The record, or its text: in JSON, or of tags and plays.",
        }
        return {"properties": {"record": record}, "required": ["record"]}
    return SCHEMAS[name]


def _declare(body: Schema) -> list[str]:
    """Declare parameters: required ones, then optional ones by keyword."""
    required = body.get("required", ())
    needed = [declare(body, field) for field in body["properties"] if field in required]
    others = [declare(body, field) for field in body["properties"] if field not in required]
    return [*needed, *(["*"] if others else []), *others]


def _write_body(fields: dict[str, Schema], required: list[str]) -> list[str]:
    if not fields:
        return []
    if required == ["record"]:
        return ["record"]
    needed = "".join(f'"{field}": {field}, ' for field in required)
    others = ", ".join(f"{field}={field}" for field in fields if field not in required)
    if not needed:
        return [f"without_none({others})"]
    return [f"{{{needed}{f'**without_none({others})' if others else ''}}}"]


def _document(operation: Schema, fields: dict[str, Schema]) -> str:
    """Write the docstring: what the operation does, and what each parameter is."""
    said = [
        fill(f"{name}: {schema['description']}", 104, initial_indent="    ", subsequent_indent="        ")
        for name, schema in fields.items()
    ]
    args = "\n".join(["Args:", *said]) if said else ""
    return quote(f"{operation['summary']}.", fill(operation["description"], 108), args)
