"""Every example of the document is true: asked again, it is answered as the document says."""

from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import msgspec
import pytest
from _pytest.mark import ParameterSet

from service.api.live.games import OpenedGame
from service.http.problem_kinds import KINDS
from service.openapi.answers import find_problems
from service.openapi.document import OPERATIONS
from service.openapi.examples import EXAMPLES as QUESTIONS
from service.openapi.examples import REFUSED_REQUESTS
from service.openapi.game_examples import LIVE_EXAMPLES
from service.openapi.operation import Operation
from service.settings import Settings
from service.wire.refusal import ProblemCode
from tests.document.reading import DOCUMENT, EXAMPLES, SCHEMAS, operation, operations, resolved, validator
from tests.support.http.client import JSON, MSGPACK, Answer, Request, ask, post

PATHS = {op.name: op.path for op in OPERATIONS}
ASKED = [pytest.param(name, example, id=f"{name}.{example.name}") for name in QUESTIONS for example in QUESTIONS[name]]


@pytest.mark.parametrize(("name", "example"), ASKED)
def test_an_example_is_answered_as_the_document_says(name: str, example: Any) -> None:
    expected = EXAMPLES[f"{name}.{example.name}.answer"]["value"]
    answer = post(PATHS[name], example.body, ("content-type", JSON))
    assert msgspec.json.decode(answer.body) == expected
    assert (
        example.name in resolved(operation(name)["responses"][str(answer.status)])["content"][answer.media]["examples"]
    )


@pytest.mark.parametrize(("name", "example"), ASKED)
def test_an_example_is_answered_the_same_in_messagepack(name: str, example: Any) -> None:
    answer = post(PATHS[name], example.body, ("content-type", MSGPACK))
    expected = EXAMPLES[f"{name}.{example.name}.answer"]["value"]
    assert (msgspec.msgpack if answer.media == MSGPACK else msgspec.json).decode(answer.body) == expected


@pytest.mark.parametrize("code", REFUSED_REQUESTS)
def test_an_example_of_a_problem_is_what_its_request_meets(code: ProblemCode) -> None:
    request = REFUSED_REQUESTS[code]
    headers = {name.decode(): value.decode() for name, value in request.headers}
    body = request.body if isinstance(request.body, bytes) else msgspec.json.encode(request.body)
    if headers.pop("content-length", None):
        body = b" " * (Settings().max_body_bytes + 1)
    answer = ask(Request(PATHS[request.operation], (body,), request.method, tuple(headers.items())))
    assert msgspec.json.decode(answer.body) == EXAMPLES[f"problem.{code}"]["value"]


def test_there_is_an_example_of_every_problem() -> None:
    problems = find_problems()
    assert {code: (body["code"], body["status"]) for code, body in problems.items()} == {
        code: (code, kind.status) for code, kind in KINDS.items()
    }


def contents() -> Iterator[ParameterSet]:
    """List every place of the document with a schema and examples."""
    for path, method, op in operations():
        places = {"body": op.get("requestBody", {}), **{at: resolved(held) for at, held in op["responses"].items()}}
        for place, held in places.items():
            for medium, content in held.get("content", {}).items():
                yield pytest.param(content, id=f"{method} {path} {place} {medium}")


@pytest.mark.parametrize("content", list(contents()))
def test_every_example_fits_the_schema_beside_it(content: dict[str, Any]) -> None:
    schema = {**content["schema"], "components": DOCUMENT["components"]}
    examples = [resolved(example)["value"] for example in content.get("examples", {}).values()]
    if "example" in content:
        examples.append(content["example"])
    checker = jsonschema_rs.Draft202012Validator(schema)
    for example in examples:
        checker.validate(example)


def live(op: Operation | str, opened: OpenedGame, token: str, body: object, seen: Answer) -> Answer:
    """Ask about a live game, at the version that was seen."""
    path = PATHS[str(op)].replace("{game_id}", opened.id)
    headers = (("content-type", JSON), ("authorization", f"Bearer {token}"), ("if-match", seen.headers["etag"]))
    return post(path, body, *headers)


def test_the_examples_of_live_games_are_taken_by_a_live_game() -> None:
    """A game is made of secrets, so no two are alike: its answers are held against their schemas."""
    examples = {name: LIVE_EXAMPLES[name][0].body for name in LIVE_EXAMPLES}
    first = post(PATHS["open_game"], examples["open_game"])
    opened = first.read(OpenedGame)
    after_entropy = live("add_entropy", opened, opened.tokens[2], examples["add_entropy"], first)
    dealt = live("deal_next", opened, opened.host_token, examples["deal_next"], after_entropy)
    assert (after_entropy.status, dealt.status) == (200, 201)
    validator("#/components/schemas/Change").validate(msgspec.json.decode(dealt.body))
    played = live("play_card", opened, opened.host_token, examples["play_card"], dealt)
    assert played.status == 403


def test_the_example_of_a_notation_is_read() -> None:
    for line in SCHEMAS["Notation"]["examples"]:
        assert post(PATHS["positions"], {"state": line}).status == 200
