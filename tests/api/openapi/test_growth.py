"""Answers may grow, requests stay strict, and nothing of the last release is removed."""

from copy import deepcopy
from typing import Any

import pytest

from service.api.openapi.growth import open_answers
from tests.api.openapi.comparison import list_breaks
from tests.api.openapi.evolution import NEW, evolve, list_evolved
from tests.api.openapi.reading import DOCUMENT, RELEASED, SCHEMAS, find, operations, parts, reachable, validator

ANSWERS = {
    reference
    for reference in reachable([found["responses"] for _, _, found in operations()])
    if reference.startswith("#/components/schemas/")
}
REQUESTS = {
    reference
    for reference in reachable(
        [[found.get(part, {}) for part in ("requestBody", "parameters")] for _, _, found in operations()]
    )
    if reference.startswith("#/components/schemas/")
}
OF_ANSWERS = ANSWERS - REQUESTS
"""The types that only answers have."""


def test_no_type_of_answers_has_a_field_or_value_that_cannot_be_joined_by_another() -> None:
    assert len(OF_ANSWERS) > 60
    for reference in OF_ANSWERS:
        for part in parts(find(reference)):
            assert "pattern" not in part, reference
            assert len(part.get("enum", [""])) == 1, reference
            assert part.get("additionalProperties", True) is True, reference
            assert ("properties" in part) == ("additionalProperties" in part) or "x-variants" not in part, reference


def test_only_unions_whose_kinds_the_caller_knows_have_arms_told_by_a_tag() -> None:
    unions = {ref for ref in OF_ANSWERS for part in parts(find(ref)) if "discriminator" in part}
    assert unions == {"#/components/schemas/BatchOutcome", "#/components/schemas/ChangePage"}


def test_a_type_of_requests_is_strict_in_answers_too_so_that_a_state_goes_back_as_it_came() -> None:
    assert {f"#/components/schemas/{name}" for name in ("DealState", "Ruleset", "GameRecord")} <= ANSWERS & REQUESTS
    for reference in REQUESTS:
        for part in parts(find(reference)):
            assert "x-extensible-enum" not in part, reference
            assert part.get("additionalProperties", False) is False, reference


def test_two_events_with_different_fields_of_one_name_are_no_document() -> None:
    document = deepcopy(EVENTS)
    assert open_answers(deepcopy(document))["components"]["schemas"]["GameEvent"]["properties"].keys() == {
        "type",
        "seat",
    }
    document["components"]["schemas"]["B"]["properties"]["seat"] = {"type": "string", "description": "."}
    with pytest.raises(ValueError, match="two kinds of one field"):
        open_answers(document)


def _event(tag: str) -> dict[str, Any]:
    seat = {"type": "integer", "description": f"The seat of {tag}."}
    return {"description": ".", "properties": {"type": {"type": "string", "enum": [tag]}, "seat": seat}}


EVENTS: dict[str, Any] = {
    "paths": {"/": {"get": {"responses": {"200": {"$ref": "#/components/schemas/GameEvent"}}}}},
    "components": {
        "responses": {},
        "schemas": {
            "GameEvent": {
                "description": "An event.",
                "discriminator": {
                    "propertyName": "type",
                    "mapping": {"a": "#/components/schemas/A", "b": "#/components/schemas/B"},
                },
            },
            "A": _event("a"),
            "B": _event("b"),
        },
    },
}


def test_the_evolved_answers_have_new_events_codes_fields_and_values() -> None:
    evolved = list(list_evolved())
    text = repr(evolved)
    assert len(evolved) > 100
    for new in (f"'type': '{NEW}'", f"'code': '{NEW}'", f"'reason': '{NEW}'", f"'phase': '{NEW}'", "'added_later': "):
        assert new in text, new


def test_every_evolved_answer_is_one_of_the_last_release() -> None:
    for name, answer in list_evolved():
        validator(f"#/components/schemas/{name}").validate(answer)


def test_an_answer_evolves_where_its_schema_is_open() -> None:
    found = evolve(SCHEMAS["GameEvent"], {"type": "card_played", "seat": 1, "card": "6C"})
    assert found == {"type": NEW, "seat": 1, "card": "6C", "added_later": {"new": 1}}


def test_nothing_of_the_last_release_is_gone_or_narrower() -> None:
    assert list_breaks(RELEASED, DOCUMENT) == []


def _schemas(document: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = document["components"]["schemas"]
    return found


def drop_type(document: dict[str, Any]) -> None:
    del _schemas(document)["WonBy"]


def drop_field(document: dict[str, Any]) -> None:
    del _schemas(document)["LegalMoves"]["properties"]["legal_cards"]


def drop_status(document: dict[str, Any]) -> None:
    del document["paths"]["/v1/games/{game_id}/plays"]["post"]["responses"]["412"]


def drop_operation(document: dict[str, Any]) -> None:
    del document["paths"]["/v1/deals"]["post"]


def let_field_be_missing(document: dict[str, Any]) -> None:
    _schemas(document)["LegalMoves"]["required"].remove("legal_cards")


def drop_value(document: dict[str, Any]) -> None:
    _schemas(document)["GameEvent"]["properties"]["type"]["x-extensible-enum"].remove("card_played")


def let_field_be_null(document: dict[str, Any]) -> None:
    field = _schemas(document)["GameChange"]["properties"]
    field["version"] = {"anyOf": [field["version"], {"type": "null"}]}


def narrow_request(document: dict[str, Any]) -> None:
    _schemas(document)["Players"]["maximum"] = 7


def need_field(document: dict[str, Any]) -> None:
    _schemas(document)["DealQuestion"]["required"].append("dealer")


@pytest.mark.parametrize(
    ("spoil", "named"),
    [
        (drop_type, "WonBy is gone"),
        (drop_field, "LegalMoves.legal_cards is gone"),
        (drop_status, "POST /v1/games/{game_id}/plays 412 is gone"),
        (drop_operation, "POST /v1/deals is gone"),
        (let_field_be_missing, "LegalMoves.legal_cards may be missing"),
        (drop_value, "GameEvent.type lacks card_played"),
        (let_field_be_null, "GameChange.version is another type"),
        (narrow_request, "Players.maximum is another one"),
        (need_field, "DealQuestion.dealer is needed"),
    ],
)
def test_a_break_is_found_with_its_name(spoil: Any, named: str) -> None:
    document = deepcopy(DOCUMENT)
    spoil(document)
    assert list_breaks(DOCUMENT, document) == [named]


def test_what_is_added_breaks_nothing() -> None:
    document = deepcopy(DOCUMENT)
    _schemas(document)["LegalMoves"]["properties"]["added_later"] = {"type": "integer"}
    _schemas(document)["GameEvent"]["properties"]["type"]["x-extensible-enum"].append(NEW)
    _schemas(document)["DealQuestion"]["properties"]["added_later"] = {"type": ["integer", "null"]}
    _schemas(document)["Added"] = {"type": "string"}
    assert list_breaks(DOCUMENT, document) == []
