"""The OpenAPI document is valid, whole and current, and says what the service does."""

import builtins
import re
import typing
from collections.abc import Iterator
from itertools import chain
from typing import Any

import msgspec
import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator, OpenAPIV32SpecValidator

from openapi.document import write_document
from openapi.examples.questions import MID_TRICK_LINE
from service.api.batches.items import BATCHED
from service.api.examples import read_examples
from service.api.openapi.document import encoded_document
from service.api.openapi.links import links_of
from service.api.operation_list import OPERATIONS
from service.app import create_app
from service.game.cards import CODES
from service.game.faults import FAULTS
from service.game.notation.record import MEDIA_TYPE
from service.game.state import Claim
from service.http.operation import Operation
from service.http.problem_kinds import PROBLEM_KINDS
from service.platform.settings import Settings
from service.schemas.refusal import ProblemCode
from tests.api.openapi.reading import (
    COMMITTED,
    DOCUMENT,
    SCHEMAS,
    find,
    operation,
    operations,
    parts,
    reachable,
    references,
    resolved,
    validator,
)
from tests.support.http.client import JSON, Request, ask, framework_of, read_problem, the_app

ALL = [pytest.param(path, method, found, id=found["operationId"]) for path, method, found in operations()]
OF_NO_OPERATION = {"no_answer", "stopping", "too_many_suggestions"}
"""The codes of problems that a balancer answers with, a process that is stopped, or a replica of version 1.0."""


def test_the_committed_document_is_current() -> None:
    assert COMMITTED.read_text(encoding="utf-8") == write_document(), "it is out of date: run make openapi"


def test_the_document_is_smaller_than_370_kilobytes() -> None:
    assert len(encoded_document()) < 370_000


def test_the_document_is_valid() -> None:
    assert [str(error) for error in OpenAPIV31SpecValidator(DOCUMENT).iter_errors()] == []


def test_the_newer_document_differs_in_queries_events_and_parents_of_tags_alone() -> None:
    newer = msgspec.json.decode(encoded_document("3.2.0"))
    assert [str(error) for error in OpenAPIV32SpecValidator(newer).iter_errors()] == []
    queries = {path: item.pop("query") for path, item in newer["paths"].items() if "query" in item}
    assert queries.keys() == {op.path for op in OPERATIONS if op.allows_query}
    for path, query in queries.items():
        post = newer["paths"][path]["post"]
        assert query["operationId"] == f"query_{post['operationId']}"
        assert query["requestBody"] == post["requestBody"]
        assert query["responses"].keys() - {"304"} == post["responses"].keys()
    older_events = _events_of(DOCUMENT)["text/event-stream"]
    events = _events_of(newer)
    assert events["text/event-stream"] == {
        "itemSchema": older_events["schema"]["anyOf"][1],
        "examples": {"shown": {"serializedValue": older_events["example"]}},
    }
    events["text/event-stream"] = older_events
    parents = {tag["name"]: tag.pop("parent") for tag in newer["tags"] if "parent" in tag}
    assert parents == {"Reasoning": "Questions", "Seats": "Live games"}
    assert {**newer, "openapi": DOCUMENT["openapi"]} == DOCUMENT


def _events_of(document: dict[str, Any]) -> dict[str, Any]:
    content: dict[str, Any] = document["paths"]["/v1/games/{game_id}/events"]["get"]["responses"]["200"]["content"]
    return content


def test_every_reference_leads_somewhere() -> None:
    for reference in references(DOCUMENT):
        assert find(reference)


def test_every_component_is_used() -> None:
    used = reachable(DOCUMENT["paths"])
    kinds = {kind: names for kind, names in DOCUMENT["components"].items() if kind != "securitySchemes"}
    assert {f"#/components/{kind}/{name}" for kind, names in kinds.items() for name in names} == used
    schemes = {name for _, _, found in operations() for choice in found.get("security", []) for name in choice}
    assert schemes == set(DOCUMENT["components"]["securitySchemes"])


@pytest.mark.parametrize(("path", "method", "found"), ALL)
def test_every_operation_is_described(path: str, method: str, found: dict[str, Any]) -> None:
    assert found["summary"]
    assert found["description"]
    assert found["tags"][0] in {tag["name"] for tag in DOCUMENT["tags"]}
    for parameter in found.get("parameters", []):
        assert parameter["description"], (path, method)


@pytest.mark.parametrize(("path", "method", "found"), ALL)
def test_every_operation_has_examples(path: str, method: str, found: dict[str, Any]) -> None:
    bodies = [found["requestBody"]] if "requestBody" in found else []
    for holder in (*bodies, *map(resolved, found["responses"].values())):
        for medium, content in holder.get("content", {}).items():
            assert content.get("examples") or "example" in content, (path, method, medium)


def test_operation_ids_are_unique_and_in_snake_case() -> None:
    names = [found["operationId"] for _, _, found in operations()]
    assert len(names) == len(set(names))
    assert all(name.isidentifier() and name == name.lower() for name in names)


@pytest.mark.parametrize(("path", "method", "found"), ALL)
def test_what_is_structured_is_json_and_records_are_texts_as_well(
    path: str, method: str, found: dict[str, Any]
) -> None:
    if method == "post" and "requestBody" in found:
        texts = [MEDIA_TYPE] if found["operationId"] == "adjudications" else []
        assert list(found["requestBody"]["content"]) == ["application/json", *texts]
    success = next(response for status, response in found["responses"].items() if status < "300")
    media = list(success.get("content", {}))
    if found["operationId"] == "get_record":
        assert media.pop() == MEDIA_TYPE
    assert media in ([], ["application/json"]) or found["operationId"] == "follow_events", path


def refusals_of(found: dict[str, Any]) -> Iterator[tuple[str, set[ProblemCode]]]:
    """List every refusal of an operation: its status, and the codes of its examples."""
    for status, response in found["responses"].items():
        content = resolved(response).get("content", {}).get("application/problem+json")
        if content:
            problems = [resolved(example)["value"] for example in content["examples"].values()]
            yield status, {problem["code"] for problem in problems}


@pytest.mark.parametrize("op", OPERATIONS, ids=lambda op: op.operation_id)
def test_the_refusals_of_an_operation_are_its_problems_though_others_share_them(op: Operation) -> None:
    listed = set[ProblemCode]().union(*(codes for _, codes in refusals_of(operation(op.operation_id))))
    assert listed == {*op.every_problem, "method_not_allowed", "internal_error"}


def test_every_kind_of_problem_stands_under_its_status() -> None:
    seen = set[str]()
    for status, codes in chain.from_iterable(refusals_of(found) for _, _, found in operations()):
        assert {str(PROBLEM_KINDS[code].status) for code in codes} == {status}
        seen |= codes
    assert seen == set(PROBLEM_KINDS) - OF_NO_OPERATION


def test_every_status_of_an_operation_is_in_the_document() -> None:
    for op in OPERATIONS:
        documented = {int(status) for status in operation(op.operation_id)["responses"]}
        assert documented == op.statuses | {405, 500}


def test_the_bounds_of_the_game_are_in_the_document() -> None:
    assert SCHEMAS["Card"]["enum"] == list(CODES)
    assert (SCHEMAS["Players"]["minimum"], SCHEMAS["Players"]["maximum"]) == (2, 8)
    assert (SCHEMAS["Seat"]["minimum"], SCHEMAS["Seat"]["maximum"]) == (0, 7)
    assert (SCHEMAS["Sides"]["minItems"], SCHEMAS["Sides"]["maxItems"]) == (2, 8)
    assert SCHEMAS["Suit"]["enum"] == ["C", "D", "H", "S"]
    assert (SCHEMAS["QuestionBatch"]["properties"]["questions"]["maxItems"]) == 1000
    assert set(SCHEMAS["FaultCode"]["x-extensible-enum"]) == set(FAULTS)
    assert set(SCHEMAS["ProblemCode"]["x-extensible-enum"]) == set(PROBLEM_KINDS)
    assert "pattern" in SCHEMAS["RulesetId"]
    assert "pattern" in SCHEMAS["Seed"]


@pytest.mark.parametrize("name", ["hands", "scores", "taken"])
def test_a_state_has_two_to_eight_of(name: str) -> None:
    field = resolved(SCHEMAS["DealState"]["properties"][name])
    assert (field["minItems"], field["maxItems"]) == (2, 8)


def test_the_state_of_the_document_is_the_claim_that_is_decoded() -> None:
    assert set(SCHEMAS["DealState"]["properties"]) == set(Claim.__struct_fields__)
    assert set(SCHEMAS["DealState"]["required"]) == set(Claim.__struct_fields__)


def test_requests_take_no_unknown_fields() -> None:
    bodies = [found["requestBody"] for _, _, found in operations() if "requestBody" in found]
    schemas = {
        reference: find(reference)
        for reference in reachable([b["content"] for b in bodies])
        if "/schemas/" in reference
    }
    objects = {name: schema for name, schema in schemas.items() if schema.get("type") == "object"}
    assert len(objects) > 20
    assert {name for name, schema in objects.items() if schema.get("additionalProperties") is not False} == set()


def test_every_property_has_a_sentence_in_one_place() -> None:
    """A question of a batch has the fields of its body, where they are described; so has an outcome, in its list."""
    parts = {f"{op.operation_id.title().replace('_', '')}{part}" for op in BATCHED for part in ("Item", "Outcome")}
    of_batches = {*parts, "UnknownOutcome"}
    assert of_batches <= SCHEMAS.keys()
    named = {
        f"{name}.{field}": part
        for name in SCHEMAS.keys() - of_batches
        for field, part in SCHEMAS[name].get("properties", {}).items()
    }
    assert len(named) > 250
    assert not any("description" in part for name in of_batches for part in SCHEMAS[name]["properties"].values())
    for op in BATCHED:
        body = SCHEMAS[
            DOCUMENT["paths"][op.path]["post"]["requestBody"]["content"]["application/json"]["schema"][
                "$ref"
            ].rpartition("/")[2]
        ]
        item = SCHEMAS[f"{op.operation_id.title().replace('_', '')}Item"]
        assert item["properties"].keys() == body["properties"].keys() | {"kind"}
    assert [name for name, part in named.items() if not re.match(r"\w.*\.$", part.get("description", ""))] == []


def test_no_field_has_a_default_for_which_generators_call_it_needed() -> None:
    fields = [field for part in parts(DOCUMENT) for field in part.get("properties", {}).values()]
    assert not [field for field in fields if "default" in field]
    assert SCHEMAS["NextStateQuestion"]["properties"]["on_revoke"]["description"].endswith("If left out: `refuse`.")


def test_no_schema_has_the_name_of_a_type_that_languages_or_most_programs_have() -> None:
    taken = {
        "Error",
        "Event",
        "Exception",
        "Map",
        "Object",
        "Record",
        "Set",
        "String",
        "Type",
    }  # of TypeScript and Java
    taken |= {"Array", "Function", "List", "Module", "Nothing", "Number", "Pair", "Process", "Range", "Result", "Unit"}
    taken |= {"Batch", "Change", "Level", "Phase", "Position", "Reason", "Role", "Rule", "Source", "Sources", "State"}
    taken |= {"Action", "Client", "Message", "Option", "Page", "Request", "Response", "Session", "Token", "User"}
    taken |= {"Version", "View"}
    assert set(SCHEMAS).isdisjoint(taken | set(dir(builtins)) | set(dir(typing)))


def test_cards_have_names_for_languages_in_which_none_begins_with_a_digit() -> None:
    names = dict(zip(SCHEMAS["Card"]["x-enum-varnames"], SCHEMAS["Card"]["enum"], strict=True))
    assert all(map(str.isidentifier, names))
    assert [names[f"{rank}_OF_{suit}"] for rank, suit in (("SIX", "CLUBS"), ("TEN", "DIAMONDS"))] == ["6C", "TD"]
    assert [names[f"{rank}_OF_{suit}"] for rank, suit in (("JACK", "HEARTS"), ("ACE", "SPADES"))] == ["JH", "AS"]


def test_no_choice_is_told_by_the_fields_that_are_there() -> None:
    """A validator says of such a choice only that none fits; fields that go together are described instead."""
    told = [part for part in parts(DOCUMENT) if "oneOf" in part and "discriminator" not in part]
    assert [part["description"] for part in told] == ["One event of the stream."]


@pytest.mark.parametrize("code", PROBLEM_KINDS)
def test_just_the_problems_that_have_more_than_a_text_have_its_field(code: ProblemCode) -> None:
    example = read_examples().problems[code]
    own = {kind.field for kind in PROBLEM_KINDS.values() if kind.field and example[kind.field] is not None}
    assert own == {PROBLEM_KINDS[code].field} - {None}
    validator("#/components/schemas/Problem").validate(example)


def test_the_version_that_was_seen_is_named_just_where_it_is_needed() -> None:
    needed = {
        found["operationId"]: parameter["required"]
        for _, _, found in operations()
        for parameter in found.get("parameters", [])
        if parameter["name"] == "If-Match"
    }
    assert needed == dict.fromkeys(
        ("play_card", "deal_next", "resign", "seat_computer", "take_seat_back", "take_back", "change_seats"), True
    )


def test_just_a_body_that_is_all_optional_may_be_missing() -> None:
    bodies = {f["operationId"]: f["requestBody"] for _, _, f in operations() if "requestBody" in f}
    bare = {name for name, body in bodies.items() if not body["required"]}
    assert bare == {"change_seats", "deal_next", "renew_token", "resign"}
    assert all(SCHEMAS[name]["required"] == [] for name in ("ChosenSeats", "DealSetup", "NewToken", "NewResignation"))


def test_unions_are_told_apart_by_a_field() -> None:
    unions = [part for part in parts(SCHEMAS) if "discriminator" in part]
    assert len(unions) == 3
    for union in unions:
        field, mapping = union["discriminator"]["propertyName"], union["discriminator"]["mapping"]
        assert [{"$ref": reference} for reference in mapping.values()] == union.get("oneOf", union.get("anyOf"))
        for tag, reference in mapping.items():
            assert find(reference)["properties"][field]["enum"] == [tag]
    assert set(SCHEMAS["BatchItem"]["discriminator"]["mapping"]) == {op.operation_id for op in BATCHED}


def test_no_schema_is_written_out_twice() -> None:
    """Each named schema stands once, under its name, so that a generated client has one type for it."""
    for part in parts(DOCUMENT["components"]["schemas"]):
        for inner in part.get("properties", {}).values():
            assert inner.get("title") not in SCHEMAS


@pytest.mark.parametrize("source", [op.operation_id for op in OPERATIONS if links_of(op.operation_id)])
def test_links_lead_to_fields_that_are_there(source: str) -> None:
    path, _, found = next(each for each in operations() if each[2]["operationId"] == source)
    content = next(one for status, one in found["responses"].items() if status < "300")["content"][JSON]
    examples = [resolved(example)["value"] for example in content.get("examples", {}).values()]
    for link in links_of(source).values():
        target, _, linked = next(each for each in operations() if each[2]["operationId"] == link["operationId"])
        ((name, expression),) = link["parameters"].items()
        assert name in {parameter["name"] for parameter in linked["parameters"]}
        if expression == f"$request.path.{name}":
            assert f"{{{name}}}" in path
            continue
        for value in [_look_up(expression, example) for example in examples or [content["example"]]]:
            asked = Request(target.format(**{name: value}), method="GET")
            assert name == "game_id" or ask(asked).status in {200, 422}  # some facts of unseen hands are unknown


def _look_up(expression: str, answer: Any) -> str:
    """Return the part of an answer that an expression of a link stands for."""
    for step in expression.removeprefix("$response.body#/").split("/"):
        answer = answer[int(step) if isinstance(answer, list) else step]
    assert isinstance(answer, str)
    return answer


def test_a_link_fills_in_parameters_alone() -> None:
    """A body in a link is one expression to generators, not an object of them."""
    links = [link for part in parts(DOCUMENT) for link in part.get("links", {}).values()]
    assert len(links) > 10
    assert all(link.keys() == {"operationId", "description", "parameters"} for link in links)


def test_no_type_has_the_name_of_the_constructor_of_another_one() -> None:
    """Go makes a function `NewX` for every type `X`."""
    assert [name for name in SCHEMAS if f"New{name}" in SCHEMAS] == []
    assert not {"NewGame", "NewDeal"} & SCHEMAS.keys()


def test_no_type_is_null_alone() -> None:
    """It would have no name in Go."""
    choices = [choice for part in parts(DOCUMENT) for word in ("anyOf", "oneOf") for choice in part.get(word, [])]
    alone = [part for part in parts(DOCUMENT["components"]) if part.get("type") == "null" and part not in choices]
    assert alone == []


def test_a_state_or_its_notation_is_one_type() -> None:
    reference = {"$ref": "#/components/schemas/StateOrNotation"}
    state = {"$ref": "#/components/schemas/DealState"}
    two = [part for part in parts(DOCUMENT) if state in part.get("anyOf", ())]
    assert two == [SCHEMAS["StateOrNotation"]]
    assert SCHEMAS["StateQuestion"]["properties"]["state"]["$ref"] == reference["$ref"]
    assert reference in SCHEMAS["GameSetup"]["properties"]["state"]["anyOf"]


def test_a_pattern_has_no_character_that_ends_a_line() -> None:
    patterns = [part["pattern"] for part in parts(DOCUMENT) if isinstance(part.get("pattern"), str)]
    assert any("u2027-" in pattern for pattern in patterns)
    assert not [pattern for pattern in patterns if re.search(r"\\u202[89]", pattern)], "a generator writes it raw"
    assert all(pattern.isascii() and pattern.isprintable() for pattern in patterns)


def routes() -> set[str]:
    """List the paths of the app that the framework knows."""
    return {route.path_format for route in framework_of(the_app()).routes}


def test_just_the_routes_of_the_api_are_in_the_document() -> None:
    assert {path for path in routes() if path.startswith("/v1/")} == set(DOCUMENT["paths"])


@pytest.mark.parametrize("path", DOCUMENT["paths"])
def test_every_path_of_the_document_is_a_route_that_knows_just_these_methods(path: str) -> None:
    known = {method.upper() for method in DOCUMENT["paths"][path]}
    real = path.replace("{ruleset_id}", "trebor").replace("{game_id}", "x" * 22).replace("{notation}", "x")
    for method in {"GET", "POST", "PUT", "PATCH", "DELETE"} - known:
        answer = ask(Request(real, method=method))
        assert read_problem(answer).code == "method_not_allowed"
        assert set(answer.headers["allow"].split(", ")) - {"HEAD", "OPTIONS", "QUERY"} == known
    for method in known:
        answer = ask(Request(real, method=method))
        assert answer.status != 405
        assert answer.status != 404 or "{game_id}" in path


def test_every_answer_has_the_headers_of_its_request_and_of_its_quota_where_the_document_lists_them() -> None:
    app = create_app(Settings(rate_limit="600/minute"))
    asked = {
        "draws": Request("/v1/draws", (b'{"players": 2}',), headers=(("content-type", JSON),)),
        "get_position": Request(f"/v1/positions/{MID_TRICK_LINE}", method="GET"),
        "list_rulesets": Request("/v1/rulesets", method="GET"),
        "open_game": Request("/v1/games", (b'{"rules": "denexa", "players": 2}',), headers=(("content-type", JSON),)),
        "get_game": Request("/v1/games/HybaVEduloQ2CRUKMB7JoQ", method="GET"),
    }
    own = {"X-Request-ID", "RateLimit", "RateLimit-Policy"}
    for name, request in asked.items():
        answer = ask(request, app)
        listed = resolved(operation(name)["responses"][str(answer.status)])["headers"]
        assert own & listed.keys() == {header for header in own if header.lower() in answer.headers}, (name, answer)


def test_every_response_lists_the_id_of_its_request() -> None:
    listed = [resolved(response)["headers"] for _, _, found in operations() for response in found["responses"].values()]
    assert all("X-Request-ID" in headers for headers in listed)
