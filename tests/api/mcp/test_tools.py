"""The tools: one for each operation, with schemas that hold, and with the answers and problems of HTTP."""

import re
from typing import Any, Final

import jsonschema_rs
import msgspec
import pytest
from msgspec.structs import replace

from service.api.mcp.endpoint import PATH, TOOLSETS
from service.api.mcp.protocol import SUPPORTED
from service.api.mcp.tools import is_tool
from service.api.operation_list import OPERATIONS
from service.app import create_app
from service.http.operation import Operation
from service.platform.settings import Settings
from tests.http.guards.test_api_keys import KEY, LINE
from tests.platform.metrics.readings import changed, series
from tests.server.recorded_log import RecordedLog
from tests.support.http.client import Answer, Request, ask, post
from tests.support.http.samples import BODIES, EVERY_PATH
from tests.support.http.tools import Json, call_tool, read_result, with_headers, write_message

LISTED: Final[list[Json]] = read_result(ask(write_message("tools/list")))["tools"]
NAMES: Final = [tool["name"] for tool in LISTED]
MOST_BYTES: Final = 78 * 1024
"""Bytes of the list of tools, which a model reads before it is asked anything."""
MOST_CHARACTERS: Final = 1024
"""Characters of a description: OpenAI refuses a function with a longer one."""


def schema_of(name: str) -> Json:
    """Return the schema of a tool's arguments."""
    schema: Json = next(tool["inputSchema"] for tool in LISTED if tool["name"] == name)
    return schema


def test_every_operation_is_a_tool_but_streams_batches_and_those_by_url() -> None:
    others = {op.operation_id for op in OPERATIONS} - {*NAMES}
    assert others == {
        "batches",
        "follow_events",
        "get_legal_moves",
        "get_position",
        "get_scores",
        "get_suggestion",
        "list_my_games",
    }
    assert len({*NAMES}) == len(NAMES)


def test_the_list_of_tools_is_short_enough_to_be_read() -> None:
    assert len(msgspec.json.encode(LISTED)) < MOST_BYTES


@pytest.mark.parametrize("tool", LISTED, ids=NAMES)
def test_a_tool_says_what_it_does_and_its_schema_is_whole(tool: Json) -> None:
    schema = tool["inputSchema"]
    jsonschema_rs.meta.validate(schema)
    jsonschema_rs.Draft202012Validator(schema)
    assert schema["type"] == "object"
    assert 'additionalProperties":false' not in msgspec.json.encode(schema).decode()
    assert len(tool["description"]) <= MOST_CHARACTERS
    assert tool["description"].endswith(".")
    assert re.findall(OF_HTTP, msgspec.json.encode(tool).decode()) == []
    for name, field in schema["properties"].items():
        assert "description" in field or "$ref" in field or "anyOf" in field, (tool["name"], name)


@pytest.mark.parametrize("kind", BODIES)
def test_a_tool_answers_a_sample_as_its_operation_does(kind: str) -> None:
    assert jsonschema_rs.is_valid(schema_of(kind), BODIES[kind])
    result = call_tool(kind, BODIES[kind])
    assert result["isError"] is False
    assert result["structuredContent"] == msgspec.json.decode(post(EVERY_PATH[kind], BODIES[kind]).body)


@pytest.mark.parametrize("op", [op for op in OPERATIONS if is_tool(op)], ids=NAMES)
def test_what_changes_nothing_is_read_only(op: Operation) -> None:
    hints = next(tool["annotations"] for tool in LISTED if tool["name"] == op.operation_id)
    assert hints["readOnlyHint"] is (op.method == "GET" or op.allows_query)
    assert hints.get("destructiveHint", False) is (op.operation_id in {"delete_game", "renew_token", "resign"})
    again = {"delete_game", "open_rematch", "seat_computer", "take_seat_back"}
    assert hints.get("idempotentHint", False) is (op.operation_id in again)


OF_HTTP: Final = (
    r"If-\w|Idempotency-Key|Authorization|ETag|#/components|/v1/|text/vnd"
    r"|\b(?:GET|POST|QUERY|HTTP|URL|header|status is)\b"
)
SETS: Final = {path: read_result(ask(replace(write_message("tools/list"), path=path)))["tools"] for path in TOOLSETS}


def test_a_toolset_has_the_tools_of_its_path_in_fewer_bytes() -> None:
    assert {op for tools in SETS.values() for op in [tool["name"] for tool in tools]} == {*NAMES}
    sizes = {path: len(msgspec.json.encode(tools)) for path, tools in SETS.items()}
    assert max(size for path, size in sizes.items() if path != PATH) < sizes[PATH] / 2
    names = {tool["name"] for tool in SETS[f"{PATH}/questions"]}
    assert {"verdicts", "legal_moves", "trick_winners", "positions", "list_rulesets"} <= names
    assert "open_game" not in names


def test_a_toolset_answers_its_tools_and_no_others() -> None:
    asked = write_message("tools/call", {"name": "draws", "arguments": BODIES["draws"]})
    assert read_result(ask(replace(asked, path=f"{PATH}/questions")))["isError"] is False
    refused = msgspec.json.decode(ask(replace(asked, path=f"{PATH}/games")).body)
    assert refused["error"]["message"].startswith("There is no tool 'draws'; there are ")


@pytest.mark.parametrize("version", SUPPORTED)
@pytest.mark.parametrize(
    ("name", "arguments"), [("draws", {"players": 2, "seed": "once"}), ("draws", {"players": 1})], ids=["good", "bad"]
)
def test_an_answer_is_a_text_in_every_version_for_hosts_that_pass_on_nothing_else(
    version: str, name: str, arguments: Any
) -> None:
    result = call_tool(name, arguments, version=version)
    (content,) = result["content"]
    answer = msgspec.json.decode(content["text"])
    assert answer.get("code", "") == ("invalid_body" if result["isError"] else "")
    assert result.get("structuredContent") == (None if version == "2025-03-26" else answer)


def test_no_arguments_are_an_empty_object() -> None:
    none, empty = call_tool("list_rulesets", None), call_tool("list_rulesets", {})
    assert none == empty
    assert len(none["structuredContent"]["rulesets"]) > 5
    unknown = call_tool("list_rulesets", {"x": 1})
    assert unknown["structuredContent"]["errors"][0]["pointer"] == "/x"
    deeper = call_tool("open_game", {"rules": "trebor", "players": 4, "seats": [{"colour": "red"}]})
    assert deeper["structuredContent"]["errors"][0]["pointer"].startswith("/seats")
    params: Json = {"name": "list_problems"}
    assert read_result(ask(write_message("tools/call", params)))["isError"] is False


def test_every_fault_of_the_arguments_is_told_at_once() -> None:
    arguments = {"seat": 9, "level": "godlike", "game_id": "x", "colour": "red"}
    problem = call_tool("seat_computer", arguments)["structuredContent"]
    found = {(error["pointer"], error["code"]) for error in problem["errors"]}
    assert problem["code"] == "invalid_body"
    assert found == {
        ("/seat", "out_of_range"),
        ("/level", "not_allowed_value"),
        ("/game_id", "wrong_pattern"),
        ("/colour", "unknown_field"),
        ("", "missing_field"),
    }


def test_a_body_has_the_limit_of_its_operation() -> None:
    long = {"state": "x" * 70_000}
    assert call_tool("positions", long)["structuredContent"]["code"] == "body_too_large"
    assert call_tool("open_game", long)["structuredContent"]["code"] == "body_too_large"


def test_a_call_counts_as_a_request_of_its_operation() -> None:
    log = RecordedLog()
    app = create_app(Settings(), observers=[log.add])
    before = series()
    call_tool("verdicts", BODIES["verdicts"], app)
    call_tool("verdicts", {}, app)
    call_tool("get_ruleset", {"ruleset_id": "trebor"}, app)
    call_tool("get_ruleset", {"ruleset_id": "bridge"}, app)
    ask(write_message("tools/list"), app)
    grown = changed(before)
    requests = {name: by for name, by in grown.items() if name.startswith("requests_total")}
    assert requests == {
        "requests_total questions 200": 1,
        "requests_total questions 400": 1,
        "requests_total pages 200": 1,
        "requests_total pages 404": 1,
        "requests_total tools 200": 1,
    }
    assert grown["refusals_total invalid_body"] == 1
    assert [(line.method, line.route, line.status) for line in log.lines] == [
        ("POST", "/v1/verdicts", 200),
        ("POST", "/v1/verdicts", 400),
        ("GET", "/v1/rulesets/{ruleset_id}", 200),
        ("GET", "/v1/rulesets/{ruleset_id}", 404),
        ("POST", PATH, 200),
    ]


def test_a_call_needs_the_key_of_an_app_where_its_operation_does() -> None:
    app = create_app(Settings(api_keys=LINE))
    assert read_result(ask(write_message("tools/list"), app))["tools"]
    assert call_tool("get_ruleset", {"ruleset_id": "trebor"}, app)["isError"] is False
    assert call_tool("draws", {"players": 2}, app)["structuredContent"]["code"] == "api_key_missing"
    asked = write_message("tools/call", {"name": "draws", "arguments": {"players": 2}})
    assert read_result(ask(with_headers(asked, x_api_key=KEY), app))["isError"] is False
    wrong = ask(with_headers(asked, x_api_key="x"), app)
    assert (wrong.status, wrong.parts_read) == (401, 0)
    assert wrong.headers["www-authenticate"].startswith("ApiKey")
    assert problem_of(wrong)["code"] == "unknown_api_key"


def test_each_message_counts_once_against_the_quota_and_one_beyond_it_is_not_read() -> None:
    app = create_app(Settings(rate_limit="5/minute"))
    assert read_result(ask(write_message("tools/list"), app))["tools"]
    assert ask(write_message("notifications/initialized", known=None), app).status == 202
    assert call_tool("get_ruleset", {"ruleset_id": "trebor"}, app)["isError"] is False
    assert call_tool("draws", {"players": 2}, app)["isError"] is False
    last = ask(write_message("tools/call", {"name": "draws", "arguments": {}}), app)
    assert (last.status, last.headers["ratelimit"].split(";")[1]) == (200, "r=0")
    for message in (write_message("notifications/cancelled", known=None), write_message("tools/list")):
        refused = ask(message, app)
        assert (refused.status, refused.parts_read) == (429, 0)
        assert problem_of(refused)["code"] == "too_many_requests"
        assert int(refused.headers["retry-after"]) == problem_of(refused)["seconds"]
    assert ask(Request(EVERY_PATH["draws"], (msgspec.json.encode({"players": 2}),)), app).status == 429


def problem_of(answer: Answer) -> Json:
    """Return the problem of a message that was refused."""
    problem: Json = msgspec.json.decode(answer.body)["error"]["data"]
    return problem
