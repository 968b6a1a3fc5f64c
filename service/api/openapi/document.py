"""The OpenAPI document, made from the operations, their types and their examples."""

from functools import cache
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from service import __version__
from service.api.examples import read_examples
from service.api.games.event_messages import PresenceMessage
from service.api.openapi import texts
from service.api.openapi.components import Components, Schema
from service.api.openapi.growth import open_answers
from service.api.openapi.links import links_of
from service.api.operation_list import OPERATIONS
from service.http.negotiation import MEDIA_TYPES
from service.http.operation import Operation
from service.http.parameters import AUTHORIZATION, Parameter
from service.http.problem_document import PROBLEM_TYPE, Problem
from service.http.problem_kinds import PROBLEM_KINDS
from service.schemas.live_game import Change, LiveGame
from service.schemas.refusal import ProblemCode

_JSON: Final = MEDIA_TYPES["json"]
"""The format shown in the document; its description mentions the other one, MessagePack."""
_EVENTS: Final = "text/event-stream"
_NAMED_CODES: Final = 3
"""Codes of a response, at most, that all appear in its name."""
_EVERYWHERE: Final[tuple[ProblemCode, ...]] = ("method_not_allowed", "internal_error")
OpenApi: TypeAlias = Literal["3.1.1", "3.2.0"]
"""The versions of OpenAPI that the document is written in; only the newer one knows QUERY and single events."""


@cache
def encoded_document(version: OpenApi = "3.1.1") -> bytes:
    """Write the served document."""
    return msgspec.json.encode(document(version))


@cache
def document(version: OpenApi = "3.1.1") -> Schema:
    """Make the OpenAPI document."""
    kinds = [kind for op in OPERATIONS for kind in (op.body, op.answer) if kind is not None]
    components = Components(Problem, PresenceMessage, *kinds)
    paths: dict[str, Schema] = {op.path: {} for op in OPERATIONS}
    for op in OPERATIONS:
        paths[op.path][op.method.lower()] = made = _operation(op, components)
        if version != "3.1.1" and op.is_stream:
            made["responses"]["200"]["content"] = {_EVENTS: _event_by_event(op, components)}
        if version != "3.1.1" and op.allows_query:
            paths[op.path]["query"] = _query(op, components)
    whole = {
        "openapi": version,
        "info": _info(),
        "servers": [{"url": "/", "description": "The server that sent this document."}],
        "security": [],
        "tags": _tags(version),
        "paths": paths,
        "components": {
            "schemas": components.schemas,
            "responses": dict(sorted(_shared_responses().items())),
            "examples": _examples(),
            "headers": texts.HEADERS,
            "securitySchemes": texts.SECURITY_SCHEMES,
        },
    }
    return open_answers(whole)


def _info() -> Schema:
    return {
        "title": texts.TITLE,
        "version": __version__,
        "summary": texts.SUMMARY,
        "description": texts.DESCRIPTION,
        "contact": {"name": "The people who run this service"},
        "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
    }


def _tags(version: OpenApi) -> list[Schema]:
    tags: list[Schema] = [{"name": name, "description": text} for name, text in texts.TAGS.items()]
    if version != "3.1.1":
        for name, parent in texts.TAG_PARENTS.items():
            next(tag for tag in tags if tag["name"] == name)["parent"] = parent
    return tags


def _to(kind: str, name: str) -> Schema:
    return {"$ref": f"#/components/{kind}/{name}"}


def _headers(*names: str) -> Schema:
    return {name: _to("headers", name) for name in names}


def _operation(op: Operation, components: Components) -> Schema:
    made: Schema = {
        "operationId": op.operation_id,
        "tags": [op.tag],
        "summary": op.summary,
        "description": f"{op.description} {op.over_http}".rstrip(),
    }
    if op.guarded:
        made["security"] = _security(op)
    if parameters := _parameters(op):
        made["parameters"] = parameters
    if op.body is not None:
        examples = {
            name: _to("examples", f"{op.operation_id}.{name}") for name in read_examples().asked[op.operation_id]
        }
        content: Schema = {_JSON: {"schema": components.of(op.body), "examples": examples}}
        if op.text_body:
            content[op.text_body] = {
                "schema": {"type": "string"},
                "examples": {"text": _to("examples", f"{op.operation_id}.text")},
            }
        made["requestBody"] = {"required": not op.optional_body, "content": content}
    return {**made, "responses": _responses(op, components)}


def _query(op: Operation, components: Components) -> Schema:
    """Describe a question asked with QUERY; caches may keep its answer if it is always the same."""
    made = _operation(replace(op, cached=op.public), components)
    return {**made, "operationId": f"query_{op.operation_id}"}


def _security(op: Operation) -> list[Schema]:
    """List a request's possible credentials; without a token, the operator decides if a key is needed."""
    tokens: list[Schema] = [] if op.bearer == "required" else [{}]
    if op.takes_token:
        tokens.append({"token": []})
    return [*tokens, *({**token, "apiKey": []} for token in tokens)]


def _parameters(op: Operation) -> list[Schema]:
    return [_parameter(one) | {"required": needed} for one, needed in op.parameters.items() if one is not AUTHORIZATION]


def _parameter(one: Parameter) -> Schema:
    schema = {"$ref": f"#/components/schemas/{one.schema}"} if isinstance(one.schema, str) else one.schema
    described: Schema = {"name": one.name, "required": False, "in": one.place, "description": one.description}
    return described | {"schema": schema} | ({"example": one.example} if one.example else {})


def _responses(op: Operation, components: Components) -> Schema:
    responses: Schema = {str(op.status_code): _success(op, components)}
    if op.cached:
        responses["304"] = _to("responses", "StillCurrent")
    for status, codes in _codes_by_status(op).items():
        name = _name_of(op, codes)
        responses[str(status)] = _refusal(codes, op.operation_id) if name is None else _to("responses", name)
    return dict(sorted(responses.items()))


def _codes_by_status(op: Operation) -> dict[int, tuple[ProblemCode, ...]]:
    codes = (*op.every_problem, *_EVERYWHERE)
    statuses = dict.fromkeys(PROBLEM_KINDS[code].status for code in codes)
    return {
        status: tuple(sorted({code for code in codes if PROBLEM_KINDS[code].status == status})) for status in statuses
    }


def _name_of(op: Operation, codes: tuple[ProblemCode, ...]) -> str | None:
    """Return the name of a shared response. Return None for one with an operation's own examples."""
    if not set(codes).isdisjoint(_list_refused(op.operation_id).values()):
        return None
    first, *others = [code.title().replace("_", "") for code in codes]
    return "Or".join([first, *others] if len(codes) <= _NAMED_CODES else [first, f"{len(others) - 1}More", others[-1]])


def _shared_responses() -> Schema:
    shared = {_name_of(op, codes): codes for op in OPERATIONS for codes in _codes_by_status(op).values()}
    current = {
        "description": "The answer that you have is still current.",
        "headers": _headers("ETag", "Cache-Control", "X-Request-ID"),
    }
    return {name: _refusal(codes) for name, codes in shared.items() if name is not None} | {"StillCurrent": current}


def _success(op: Operation, components: Components) -> Schema:
    quota = texts.QUOTA_HEADERS if op.guarded and not op.cached else ()
    headers = _headers(*op.response_headers, *(("ETag", "Cache-Control") if op.cached else ()), "X-Request-ID", *quota)
    response: Schema = {"description": op.response_description, "headers": headers}
    if op.answer is not None or op.is_stream:
        response["content"] = {_EVENTS: _stream(op, components)} if op.is_stream else {_JSON: _content(op, components)}
    if op.text_form is not None:
        response["content"][op.text_form.media] = {
            "schema": {"type": "string"},
            "example": read_examples().shown[f"{op.operation_id}.text"],
        }
    if links := links_of(op.operation_id):
        response["links"] = links
    return response


def _content(op: Operation, components: Components) -> Schema:
    content: Schema = {"schema": components.of(op.answer)}
    if op.operation_id in read_examples().shown:
        content |= _show(read_examples().shown[op.operation_id])
    refused = set(_list_refused(op.operation_id))
    if answered := [name for name in read_examples().asked.get(op.operation_id, ()) if name not in refused]:
        content["examples"] = {name: _to("examples", f"{op.operation_id}.{name}.answer") for name in answered}
    return content


def _show(answer: object) -> Schema:
    """Show an answer: by reference, if it is the answer of another example."""
    alike = [name for name, example in _examples().items() if example["value"] == answer]
    return {"examples": {"shown": _to("examples", alike[0])}} if alike else {"example": answer}


def _stream(op: Operation, components: Components) -> Schema:
    """Describe a stream within OpenAPI 3.1: as text for mocks, or as single events for testers."""
    either = [{"type": "string", "contentMediaType": _EVENTS}, _events(components)]
    return {"schema": {"anyOf": either}, "example": _shown_event(op)}


def _event_by_event(op: Operation, components: Components) -> Schema:
    return {"itemSchema": _events(components), "examples": {"shown": {"serializedValue": _shown_event(op)}}}


def _shown_event(op: Operation) -> str:
    lines = [f"{name}: {value}\n" for name, value in read_examples().shown[op.operation_id].items()]
    return "".join(lines) + "\n"


def _events(components: Components) -> Schema:
    """Describe each event of the stream."""
    shown = {"game": LiveGame, "change": Change, "presence": PresenceMessage}
    events = [_event(name, components.of(kind)) for name, kind in shown.items()]
    events.append(_event("gone", {"type": "object"}))
    return {"description": "One event of the stream.", "oneOf": events}


def _event(name: str, held: Schema) -> Schema:
    """Describe an event: its name, its id if it has one, and the type of its JSON data."""
    return {
        "title": f"{name.title()}OfStream",
        "type": "object",
        "properties": {
            "event": {"type": "string", "const": name},
            "id": {"$ref": "#/components/schemas/GameVersion"},
            "data": {"type": "string", "contentMediaType": _JSON, "contentSchema": held},
        },
        "required": ["event", "data"],
    }


def _list_refused(operation: str) -> dict[str, ProblemCode]:
    """Return an operation's refused examples, each with the code of its problem."""
    found = read_examples().asked.get(operation, {}).items()
    return {name: example.answer["code"] for name, example in found if example.status >= 400}


def _refusal(codes: tuple[ProblemCode, ...], operation: str = "") -> Schema:
    """Describe a response with a problem of one of these codes, all of the same status."""
    listed = f"`{codes[0]}`" if len(codes) == 1 else "One of the problems in the examples"
    refused = [name for name, code in _list_refused(operation).items() if code in codes]
    examples = {name: _to("examples", f"{operation}.{name}.answer") for name in refused}
    examples |= {code: _to("examples", f"problem.{code}") for code in codes}
    content = {"schema": _to("schemas", "Problem"), "examples": examples}
    headers = _headers(
        *texts.REFUSAL_HEADERS.get(PROBLEM_KINDS[codes[0]].status, ()), "X-Request-ID", *texts.QUOTA_HEADERS
    )
    return {"description": f"{listed}.", "content": {PROBLEM_TYPE: content}, "headers": headers}


@cache
def _examples() -> Schema:
    examples: Schema = {}
    for operation, asked in read_examples().asked.items():
        for name, example in asked.items():
            examples[f"{operation}.{name}"] = {"summary": example.summary, "value": example.request}
            examples[f"{operation}.{name}.answer"] = {"summary": example.summary, "value": example.answer}
    text = read_examples().shown["adjudications.text"]
    examples["adjudications.text"] = {"summary": "A record as a text of tags and plays", "value": text}
    raised = {code for op in OPERATIONS for codes in _codes_by_status(op).values() for code in codes}
    for code, problem in read_examples().problems.items():
        if code in raised:
            examples[f"problem.{code}"] = {"summary": PROBLEM_KINDS[code].title, "value": problem}
    return examples
