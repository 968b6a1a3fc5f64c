"""The rulesets as data: shown, cached, and taken back as house rules."""

from typing import Any, Final

import msgspec
import pytest

from service.game.rulesets import RULESETS, Ruleset
from tests.support.http.client import JSON, Answer, Request, ask, post, refused

ALL: Final = "/v1/rulesets"
PATHS: Final = (ALL, *(f"{ALL}/{name}" for name in RULESETS))


def get(path: str, *headers: tuple[str, str], method: str = "GET") -> Answer:
    """Get a path."""
    return ask(Request(path, method=method, headers=headers))


def test_every_ruleset_is_listed_as_it_is_shown_alone() -> None:
    listed = get(ALL).read(dict[str, list[Any]])["rulesets"]
    assert [ruleset["id"] for ruleset in listed] == list(RULESETS)
    assert listed == [get(f"{ALL}/{name}").read(dict[str, Any]) for name in RULESETS]


@pytest.mark.parametrize("name", RULESETS)
def test_a_ruleset_is_shown_whole_with_the_source_of_every_field(name: str) -> None:
    answer = get(f"{ALL}/{name}")
    assert (answer.status, answer.media) == (200, JSON)
    assert answer.read(Ruleset) == RULESETS[name]
    assert all(source["where"] and source["says"] for source in answer.read(dict[str, Any])["sources"].values())


@pytest.mark.parametrize("path", PATHS)
def test_what_is_shown_may_be_kept_and_has_a_name_of_its_own(path: str) -> None:
    answer = get(path)
    assert answer.headers["cache-control"] == "public, max-age=3600"
    assert answer.headers["etag"] == get(path).headers["etag"]
    assert answer.headers["etag"][0] == answer.headers["etag"][-1] == '"'


def test_no_two_have_the_same_name() -> None:
    assert len({get(path).headers["etag"] for path in PATHS}) == len(PATHS)


@pytest.mark.parametrize("path", PATHS)
def test_a_client_that_has_it_compressed_by_a_proxy_gets_nothing_again(path: str) -> None:
    for coding in ("gzip", "br"):
        tag = get(path).headers["etag"].removesuffix('"') + f'-{coding}"'
        assert get(path, ("if-none-match", tag)).status == 304


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("known", ["{}", "W/{}", '"a", {}', '{}, "b"', ' "a" ,W/{} ', "*"])
def test_a_client_that_has_it_already_gets_nothing_again(path: str, known: str) -> None:
    shown = get(path)
    answer = get(path, ("if-none-match", known.format(shown.headers["etag"])))
    assert (answer.status, answer.body) == (304, b"")
    assert answer.headers["etag"] == shown.headers["etag"]
    assert answer.headers["cache-control"] == shown.headers["cache-control"]
    assert "content-length" not in answer.headers


@pytest.mark.parametrize("known", ["", '"other"', "W/", "etag", '"' + "a" * 5000, ","])
def test_a_client_that_has_something_else_gets_it_whole(known: str) -> None:
    answer = get(ALL, ("if-none-match", known))
    assert answer.status == 200
    assert answer.body == get(ALL).body


@pytest.mark.parametrize("path", PATHS)
def test_head_tells_the_same(path: str) -> None:
    request_id = ("x-request-id", "the-same")
    shown, told = get(path, request_id), get(path, request_id, method="HEAD")
    assert told.status == 200
    assert told.headers == shown.headers


@pytest.mark.parametrize("name", ["bridge", "Trebor", "trebor\n", "..", "é", "%00", "x" * 450])
def test_a_ruleset_that_is_none_is_refused_with_the_names_of_all(name: str) -> None:
    problem = refused(get(f"{ALL}/{name}"), "not_found")
    assert all(known in problem.detail for known in RULESETS)
    assert len(problem.detail) < 500


def test_a_ruleset_has_nothing_below_it() -> None:
    refused(get(f"{ALL}/trebor/tables"), "not_found")


TABLES: Final = [(name, rule.players) for name, ruleset in RULESETS.items() for rule in ruleset.tables]


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_every_ruleset_is_taken_back_as_house_rules_and_plays_the_same(name: str, players: int) -> None:
    house = get(f"{ALL}/{name}").read(dict[str, Any])
    printed, own = (
        post("/v1/deals", {"rules": rules, "players": players, "dealer": 0, "seed": "s"}) for rules in (name, house)
    )
    told = own.read(dict[str, Any])["position"]
    assert (told["state"].pop("rules"), told.pop("notation")) == (house, None)
    expected = printed.read(dict[str, Any])["position"]
    assert (expected["state"].pop("rules"), type(expected.pop("notation"))) == (name, str)
    assert told == expected


def test_a_state_with_house_rules_comes_back_as_it_was_sent() -> None:
    house = {**msgspec.to_builtins(RULESETS["trebor"]), "id": "house", "ten": "diamonds"}
    dealt = post("/v1/deals", {"rules": house, "players": 2, "dealer": 0}).read(dict[str, Any])["position"]
    assert post("/v1/positions", {"state": dealt["state"]}).read(dict[str, Any]) == dealt
