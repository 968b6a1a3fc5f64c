"""The modules that are generated are current, and leave out nothing of the document."""

from typing import Any, Final, cast

import catch_the_ten
import msgspec
from catch_the_ten import AsyncClient, Client, models, problems

from openapi.clients.python.generate.__main__ import PACKAGE, write_modules
from service.schemas.refusal import CODES
from tests.api.openapi.reading import SCHEMAS, operations
from tests.programs.contract_check.examples import list_answers

ON_GAMES: Final = {
    "add_entropy": "add_entropy",
    "deal_next": "deal",
    "delete_game": "delete",
    "follow_events": "changes",
    "get_game": "see",
    "get_record": "get_record",
    "list_changes": "list_changes",
    "open_rematch": "open_rematch",
    "play_card": "play",
    "renew_token": "renew_token",
    "resign": "resign",
    "seat_computer": "seat_computer",
    "take_back": "take_back",
    "take_seat_back": "take_seat_back",
}
"""By operation on a live game: its method."""


def test_the_generated_modules_are_current() -> None:
    for path, text in write_modules().items():
        assert path.read_text(encoding="utf-8") == text, f"{path.relative_to(PACKAGE)} is out of date: run make openapi"


def test_every_operation_that_answers_with_values_is_a_call() -> None:
    asked = {found["operationId"]: path for path, _, found in operations() if _answers_with_values(found)}
    on_games = {name for name, path in asked.items() if "{game_id}" in path}
    assert on_games == set(ON_GAMES)
    for game in (catch_the_ten.Game, catch_the_ten.AsyncGame):
        assert all(hasattr(game, method) for method in ON_GAMES.values())
    for client in (Client, AsyncClient):
        assert all(hasattr(client, name) for name in asked.keys() - on_games)


def _answers_with_values(operation: dict[str, Any]) -> bool:
    media = next(response.get("content", {}) for status, response in operation["responses"].items() if status < "300")
    schema = media.get("application/json", {}).get("schema", {})
    return "$ref" in schema or "text/event-stream" in media or operation["operationId"] == "delete_game"


def test_every_schema_is_a_type_and_every_code_an_exception() -> None:
    assert all(hasattr(models, name) for name in SCHEMAS)
    assert set(problems.KINDS) == set(CODES)


def test_every_example_of_an_answer_is_read_without_loss() -> None:
    for name, answer in list_answers():
        kind: Any = getattr(models, name)
        read = msgspec.convert(answer, kind)
        assert msgspec.convert(msgspec.to_builtins(read), kind) == read, name
        assert _without_null(msgspec.to_builtins(read)) == _without_null(answer), name


def _without_null(node: Any) -> Any:
    if isinstance(node, dict):
        fields = cast("dict[str, Any]", node)
        return {name: _without_null(inner) for name, inner in fields.items() if inner is not None}
    return [_without_null(inner) for inner in cast("list[object]", node)] if isinstance(node, list) else node
