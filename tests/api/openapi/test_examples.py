"""Every example of the document is true: asked again, it is answered as the document says."""

from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import msgspec
import pytest
from _pytest.mark import ParameterSet

from openapi.examples.answers import write_examples
from openapi.examples.games import LIVE_EXAMPLES
from service.api.examples import EXAMPLES_FILE, read_examples
from service.api.games.games import OpenedGame
from service.api.operation_list import OPERATIONS
from service.http.operation import Operation
from service.http.problem_kinds import PROBLEM_KINDS
from tests.api.openapi.reading import DOCUMENT, SCHEMAS, operation, operations, resolved, validator
from tests.support.http.client import JSON, Answer, post

PATHS = {op.operation_id: op.path for op in OPERATIONS}


def test_every_example_is_answered_as_the_document_says() -> None:
    assert EXAMPLES_FILE.read_text(encoding="utf-8") == write_examples(), "make openapi asks the examples anew"


def test_an_example_stands_under_the_status_of_its_answer() -> None:
    for name, examples in read_examples().asked.items():
        for kind, example in examples.items():
            contents = resolved(operation(name)["responses"][str(example.status)])["content"]
            assert kind in next(iter(contents.values()))["examples"]


def test_there_is_an_example_of_every_problem() -> None:
    problems = read_examples().problems
    assert {code: (body["code"], body["status"]) for code, body in problems.items()} == {
        code: (code, kind.status) for code, kind in PROBLEM_KINDS.items()
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
    after_entropy = live("add_entropy", opened, opened.seats[2].token, examples["add_entropy"], first)
    dealt = live("deal_next", opened, opened.host_token, examples["deal_next"], after_entropy)
    assert (after_entropy.status, dealt.status) == (200, 200)
    validator("#/components/schemas/GameChange").validate(msgspec.json.decode(dealt.body))
    played = live("play_card", opened, opened.host_token, examples["play_card"], dealt)
    assert played.status == 403


def test_the_example_of_a_notation_is_read() -> None:
    for line in SCHEMAS["Notation"]["examples"]:
        assert post(PATHS["positions"], {"state": line}).status == 200
