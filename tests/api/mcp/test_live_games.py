"""Live games by tools: the token and the version are arguments, and a token is written down nowhere."""

import logging
from random import Random
from typing import Final

import msgspec
import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from prometheus_client import generate_latest

from service.app import create_app
from service.platform.settings import Settings
from service.server.tracing import Spans
from tests.server.recorded_log import RecordedLog
from tests.support.http.client import JSON, Request, ask
from tests.support.http.tools import Json, call_tool, with_headers, write_message

OPENING: Final = {"rules": "gamerules", "players": 2}


class ToolTable:
    """A live game whose players call tools."""

    def __init__(self) -> None:
        self.log = RecordedLog()
        self.spans = InMemorySpanExporter()
        spans = Spans(TracerProvider(shutdown_on_exit=False), SimpleSpanProcessor(self.spans))
        self.app = create_app(Settings(), observers=[self.log.add, spans.add])
        self.opened = self.call("open_game", **OPENING)
        self.game: Json = {"game_id": self.opened["id"]}
        self.tokens: list[str] = [seat["token"] for seat in self.opened["seats"]]
        self.host: Json = {**self.game, "token": self.opened["host_token"]}

    def call(self, name: str, **arguments: object) -> Json:
        """Call a tool that answers."""
        result = call_tool(name, arguments, self.app)
        assert result["isError"] is False, result
        content: Json = result["structuredContent"]
        return content

    def refuse(self, name: str, **arguments: object) -> Json:
        """Call a tool that refuses, and return its problem."""
        result = call_tool(name, arguments, self.app)
        assert result["isError"] is True, result
        problem: Json = result["structuredContent"]
        return problem

    def seat(self, seat: int) -> Json:
        """Return the arguments that name a seat."""
        return {**self.game, "token": self.tokens[seat]}


@pytest.fixture
def table() -> ToolTable:
    return ToolTable()


def test_a_game_is_played_from_its_opening_to_the_proof_of_its_shuffle(table: ToolTable, chance: Random) -> None:
    table.call("add_entropy", **table.seat(0), entropy="of-my-own")
    seen = table.call("get_game", **table.game)
    change = table.call("deal_next", **table.host, version=seen["version"])
    while change["phase"] == "playing":
        turn = change["position"]["turn"]
        seen = table.call("get_game", **table.seat(turn))
        card = chance.choice(seen["position"]["legal_cards"])
        change = table.call("play_card", **table.seat(turn), version=seen["version"], card=card)
    record = table.call("get_record", **table.game)
    assert record["deals"][0]["proof"]["entropy"][0] == "of-my-own"
    assert table.call("adjudications", **record)["irregularities"] == []
    pages = table.call("list_changes", **table.game, after=table.opened["version"])
    assert pages["messages"][0]["event"] == "change"


def test_a_stale_version_is_refused_with_the_one_to_look_at(table: ToolTable) -> None:
    change = table.call("deal_next", **table.host, version=table.opened["version"])
    turn = change["position"]["turn"]
    problem = table.refuse("play_card", **table.seat(turn), version=table.opened["version"], card="6C")
    assert (problem["code"], problem["version"]) == ("stale_version", change["version"])


def test_a_game_is_opened_once_with_a_key_and_deleted_by_its_host(table: ToolTable) -> None:
    key = {"idempotency_key": "a-key-of-16-chars-or-more"}
    assert table.call("open_game", **OPENING, **key) == table.call("open_game", **OPENING, **key)
    result = call_tool("delete_game", table.host, table.app)
    assert result["content"] == [{"type": "text", "text": "The game is deleted."}]
    assert (result["isError"], "structuredContent" in result) == (False, False)
    assert table.refuse("get_game", **table.game)["status"] in {404, 410}


def test_a_game_that_was_opened_over_http_is_found_again_by_the_tool_with_the_same_key(table: ToolTable) -> None:
    key = "a-key-of-16-chars-or-more"
    body = msgspec.json.encode(OPENING)
    opened = ask(Request("/v1/games", (body,), headers=(("idempotency-key", key),)), table.app)
    assert table.call("open_game", **OPENING, idempotency_key=key) == msgspec.json.decode(opened.body)


def test_no_cache_may_keep_an_answer_with_tokens() -> None:
    answer = ask(write_message("tools/call", {"name": "open_game", "arguments": OPENING}))
    assert (answer.status, answer.headers["cache-control"]) == (200, "no-store")


@pytest.mark.parametrize("token", ["", "x", "a\r\nx: y", "é", "Ā", "x" * 1000, "\0", 7, None])
def test_a_token_that_is_none_is_refused_and_not_repeated(table: ToolTable, token: object) -> None:
    arguments = {**table.game, "token": token, "version": table.opened["version"]}
    problem = table.refuse("deal_next", **arguments)
    assert problem["code"] in {"unknown_token", "token_missing", "invalid_body"}
    if isinstance(token, str) and len(token) > 1:
        assert token not in msgspec.json.encode(problem).decode()


def test_the_header_of_a_client_is_not_taken_for_the_token_of_a_seat(table: ToolTable) -> None:
    see = write_message("tools/call", {"name": "get_game", "arguments": table.game})
    answer = ask(with_headers(see, authorization=f"Bearer {table.tokens[0]}"), table.app)
    assert msgspec.json.decode(answer.body)["result"]["structuredContent"]["seat"] is None


def test_a_token_stands_in_no_log_no_metric_and_no_trace(table: ToolTable, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    secret = "s" * 43
    table.call("get_game", **table.seat(0))
    table.refuse("get_game", **table.game, token=secret)
    table.refuse("play_card", **table.game, token=secret, version="9-00000000", card=secret)
    table.refuse("resign", token=secret)
    mine = [{"id": table.opened["id"], "token": token} for token in (secret, *table.tokens, table.opened["host_token"])]
    for body in ({"games": mine}, {"games": mine, "more": 1}):
        ask(Request("/v1/my-games", (msgspec.json.encode(body),), headers=(("content-type", JSON),)), table.app)
    ask(
        Request("/mcp", (b'{"jsonrpc":"2.0","id":1,"params":{"arguments":{"token":"' + secret.encode() + b'"},', b"}")),
        table.app,
    )
    written = [
        caplog.text,
        generate_latest().decode(),
        *[span.to_json() for span in table.spans.get_finished_spans()],
        msgspec.json.encode(table.log.lines).decode(),
    ]
    for token in (secret, *table.tokens, table.opened["host_token"], table.opened["id"]):
        assert all(token not in text for text in written)
    assert {span.name for span in table.spans.get_finished_spans()} >= {
        "POST /v1/games",
        "GET /v1/games/{game_id}",
        "POST /v1/my-games",
    }
