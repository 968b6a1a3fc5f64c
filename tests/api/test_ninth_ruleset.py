"""A ruleset of a later version with a field of its own: clients of the last release notice nothing, unless they ask.

The service runs from two trees, this one and a copy in which the ruleset is planted.
"""

import asyncio
from collections.abc import Iterator
from random import Random
from typing import Any, Final

import httpx
import jsonschema_rs
import pytest

from service.game.rulesets import RULESETS
from tests.api.openapi.reading import RELEASED
from tests.support.games.client import Call, Client
from tests.support.games.player import Kind, Player
from tests.support.http.samples import EVERY, PATHS
from tests.support.http.server import serving
from tests.support.ninth_ruleset import FIELD, NINTH, plant_ninth_ruleset

OTHER: Final = {"denexa": 2, "britannica": 4, "french-whist": 4}
"""Some rulesets with numbers of players, beside the one of the samples."""


@pytest.fixture(scope="module")
def today() -> Iterator[httpx.Client]:
    with serving() as served, httpx.Client(base_url=f"http://127.0.0.1:{served.port}", timeout=60) as client:
        yield client


@pytest.fixture(scope="module")
def later(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    tree = plant_ninth_ruleset(tmp_path_factory.mktemp("ninth"))
    with serving(None, tree) as served, httpx.Client(base_url=f"http://127.0.0.1:{served.port}", timeout=60) as client:
        yield client


def released(name: str) -> jsonschema_rs.Validator:
    """Make a validator of a schema as the last release has it, as strict as generated clients are."""
    reference = {"$ref": f"#/components/schemas/{name}", "components": RELEASED["components"]}
    return jsonschema_rs.Draft202012Validator(reference)


def deal(client: httpx.Client, rules: str, players: int = 4) -> Any:
    return client.post("/v1/deals", json={"rules": rules, "players": players, "dealer": 1, "seed": "one"}).json()


def play_game(client: httpx.Client, rules: str) -> Any:
    """Play a game to its end, compare it with its record, and return the record."""

    async def play(port: int) -> Any:
        with Client([port]) as caller:
            player = Player(caller, Kind(rules, 4, 2), Random(rules))
            await player.whole_game()
            return (await caller.insist(Call("GET", f"{player.path}/record"))).json

    port = client.base_url.port
    assert port is not None
    return asyncio.run(play(port))


@pytest.mark.parametrize("kind", EVERY)
def test_every_question_about_another_ruleset_has_the_same_answer(
    kind: str, today: httpx.Client, later: httpx.Client
) -> None:
    before, after = (client.post(PATHS[kind], json=EVERY[kind]) for client in (today, later))
    assert (before.status_code, before.content) == (200, after.content)


@pytest.mark.parametrize("rules", RULESETS)
def test_every_other_ruleset_is_the_same(rules: str, today: httpx.Client, later: httpx.Client) -> None:
    assert later.get(f"/v1/rulesets/{rules}").content == today.get(f"/v1/rulesets/{rules}").content
    assert FIELD not in today.get(f"/v1/rulesets/{rules}").json()


def test_a_strict_client_of_the_last_release_reads_the_list_of_rulesets(
    today: httpx.Client, later: httpx.Client
) -> None:
    before, after = today.get("/v1/rulesets").json(), later.get("/v1/rulesets").json()
    assert after["rulesets"] == before["rulesets"]
    assert [ruleset["id"] for ruleset in after["newer"]] == [NINTH]
    released("RulesetList").validate(after)
    in_one = {"rulesets": after["rulesets"] + after["newer"]}
    assert not released("RulesetList").is_valid(in_one), "which is why it has a field of its own"


@pytest.mark.parametrize(("rules", "players"), OTHER.items())
def test_a_strict_client_of_the_last_release_reads_the_states_of_another_ruleset(
    rules: str, players: int, today: httpx.Client, later: httpx.Client
) -> None:
    dealt = deal(later, rules, players)
    assert dealt == deal(today, rules, players)
    released("DealState").validate(dealt["position"]["state"])


def test_a_strict_client_of_the_last_release_reads_the_record_of_a_game_by_another_ruleset(later: httpx.Client) -> None:
    released("GameRecord").validate(play_game(later, "trebor"))


def test_who_asks_for_the_new_ruleset_gets_the_field_wherever_it_is_needed(later: httpx.Client) -> None:
    ruleset, state = later.get(f"/v1/rulesets/{NINTH}").json(), deal(later, NINTH)["position"]["state"]
    record = play_game(later, NINTH)
    for name, found in (("Ruleset", ruleset), ("DealState", state), ("GameRecord", record)):
        assert not released(name).is_valid(found), "the last release knows no such field"
    assert {ruleset[FIELD], state[FIELD], *(each[FIELD] for each in record["deals"])} == {3}


def test_what_has_the_new_field_is_taken_back_as_it_was_answered(later: httpx.Client) -> None:
    house = later.get(f"/v1/rulesets/{NINTH}").json() | {"id": "house", FIELD: 5}
    state = deal(later, house)["position"]["state"]
    assert state[FIELD] == 5
    again = later.post("/v1/positions", json={"state": state}).json()
    assert again["state"] == state
