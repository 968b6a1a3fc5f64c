"""The modules that are generated leave out nothing of the document, and a checkout without them gets the same."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Final, cast

import catch_the_ten
import msgspec
from catch_the_ten import AsyncClient, Client, models, problems

from clients.python.generate.__main__ import PACKAGE, write_modules
from deploy.release.distributions import ROOT
from service.schemas.refusal import CODES
from tests.api.openapi.reading import SCHEMAS, list_answers, operations

GENERATE: Final = ROOT / "clients" / "python" / "generate"
SYNC: Final = PACKAGE / "_sync"
ON_GAMES: Final = {
    "add_entropy": "add_entropy",
    "change_seats": "change_seats",
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


def test_a_fresh_checkout_gets_the_modules_that_stand_here(tmp_path: Path) -> None:
    made, package = write_modules(), tmp_path / PACKAGE.relative_to(ROOT)
    not_made = shutil.ignore_patterns("__pycache__", "_sync", *(path.name for path in made if path.parent != SYNC))
    shutil.copytree(GENERATE, tmp_path / GENERATE.relative_to(ROOT))
    shutil.copytree(PACKAGE, package, ignore=not_made)
    (tmp_path / "openapi").mkdir()
    for name in ("pyproject.toml", "openapi/openapi.json"):
        shutil.copy(ROOT / name, tmp_path / name)
    subprocess.run([sys.executable, "-m", "clients.python.generate"], cwd=tmp_path, check=True)
    for path in made:
        assert (package / path.relative_to(PACKAGE)).read_bytes() == path.read_bytes(), f"{path} is stale: run make env"


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
