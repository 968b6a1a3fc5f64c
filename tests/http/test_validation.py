"""Faults of shape: each has its own code, the most precise pointer, and a detail that a person understands."""

import json
from collections import Counter
from datetime import UTC, datetime
from functools import cache
from random import Random
from typing import Any, Final, get_args

import jsonschema_rs
import msgspec
import pytest

from service.api.openapi.components import Components
from service.api.openapi.texts import DESCRIPTION
from service.game.faults import MAX_FAULTS
from service.http.decoding import MAX_SEARCHED_BYTES
from service.http.validation import SHAPE_FAULTS, ShapeCode, find_shape_faults, list_faults
from tests.support.effort import choose_effort
from tests.support.http.client import MSGPACK, Request, ask, post, refused
from tests.support.http.hostile import broken_tree
from tests.support.http.pointers import Json
from tests.support.http.samples import BODIES, PATHS, RECORD, STATE, Body
from tests.support.http.sound import KINDS, sound_body
from tests.support.questions import QUESTIONS
from tests.support.wire import Error

TYPES: Final[dict[str, Any]] = {question.kind: question.body for question in QUESTIONS}
CASES: Final = choose_effort(daily=150, nightly=400)
"""Of each kind."""


def state(**changes: Json) -> Body:
    """The body of a question about a state with these fields changed."""
    return {"state": STATE | changes}


ONE_FAULT: Final[tuple[tuple[str, Json, str, str, str], ...]] = (
    ("verdicts", BODIES["verdicts"] | {"seat": 9}, "/seat", "out_of_range", '"seat": 9 is larger than 7.'),
    ("verdicts", BODIES["verdicts"] | {"seat": "4"}, "/seat", "wrong_type", '"seat": "4" is not an integer.'),
    ("verdicts", BODIES["verdicts"] | {"seat": True}, "/seat", "wrong_type", '"seat": true is not an integer.'),
    ("verdicts", BODIES["verdicts"] | {"seat": 4.5}, "/seat", "wrong_type", '"seat": 4.5 is not an integer.'),
    ("verdicts", BODIES["verdicts"] | {"card": 7}, "/card", "wrong_type", '"card": 7 is not a string.'),
    ("verdicts", BODIES["verdicts"] | {"card": None}, "/card", "wrong_type", '"card": null is not a string.'),
    (
        "verdicts",
        BODIES["verdicts"] | {"card": "1C"},
        "/card",
        "not_allowed_value",
        '"card": "1C" is not one of "6C", "6D", "6H" or 33 others.',
    ),
    (
        "verdicts",
        BODIES["verdicts"] | {"card": "10H"},
        "/card",
        "not_allowed_value",
        '"card": "10H" is not one of "6C", "6D", "6H" or 33 others. A ten is T: "TH".',
    ),
    (
        "deals",
        {"rules": "trebor", "players": 4, "seed": "Friday night"},
        "/seed",
        "wrong_pattern",
        '"seed": "Friday night" has the character U+0020, which is not allowed here.',
    ),
    (
        "deals",
        {"rules": "trebor", "players": 4, "seed": ""},
        "/seed",
        "wrong_pattern",
        '"seed": "" does not match ^[A-Za-z0-9._~-]{1,128}$.',
    ),
    (
        "verdicts",
        BODIES["verdicts"] | {"card": "as"},
        "/card",
        "not_allowed_value",
        '"card": "as" is not one of "6C", "6D", "6H" or 33 others. Write "AS".',
    ),
    ("positions", [], "", "wrong_type", "An array is not an object."),
    ("positions", {}, "", "missing_field", '"state" is missing.'),
    ("positions", {"state": STATE, "a/b~": 1}, "/a~1b~0", "unknown_field", 'There is no field "a/b~" here.'),
    ("positions", {"state": STATE, "n" * 999: 1}, "", "unknown_field", f'There is no field "{"n" * 39}…" here.'),
    (
        "positions",
        state(hands=[9, "all", 9, 9]),
        "/state/hands/1",
        "wrong_type",
        '"hands[1]": "all" is not an array or an integer.',
    ),
    ("positions", state(hands=[9, 19, 9, 9]), "/state/hands/1", "out_of_range", '"hands[1]": 19 is larger than 18.'),
    ("positions", state(hands=[9, -1, 9, 9]), "/state/hands/1", "out_of_range", '"hands[1]": -1 is smaller than 0.'),
    ("positions", state(hands=[9, [1], 9, 9]), "/state/hands/1/0", "wrong_type", '"hands[1][0]": 1 is not a string.'),
    ("positions", state(hands=[9]), "/state/hands", "too_short", '"hands": its length is 1; the least is 2.'),
    ("positions", state(scores=[*range(9)]), "/state/scores", "too_long", '"scores": its length is 9; the most is 8.'),
    ("positions", state(rules=7), "/state/rules", "wrong_type", '"rules": 7 is not a string or an object.'),
    ("positions", state(rules=""), "/state/rules", "too_short", '"rules": its length is 0; the least is 1.'),
    ("positions", state(rules="x" * 41), "/state/rules", "too_long", '"rules": its length is 41; the most is 40.'),
    (
        "deals",
        BODIES["deals"] | {"three_at_a_time": 1},
        "/three_at_a_time",
        "wrong_type",
        '"three_at_a_time": 1 is not true or false.',
    ),
    (
        "deals",
        BODIES["deals"] | {"players": 10**30},
        "/players",
        "out_of_range",
        f'"players": {10**30} is larger than 8.',
    ),
)


@pytest.mark.parametrize(("kind", "body", "pointer", "code", "detail"), ONE_FAULT)
def test_a_fault_has_its_code_its_place_and_its_words(
    kind: str, body: Json, pointer: str, code: str, detail: str
) -> None:
    problem = refused(post(PATHS[kind], json.dumps(body).encode()), "invalid_body")
    assert problem.errors == (Error(pointer, code, detail),)
    assert problem.detail == detail


def faults(kind: str, body: object, *headers: tuple[str, str]) -> list[tuple[str, str]]:
    """The pointers and codes of all faults of a body."""
    problem = refused(post(PATHS[kind], body, *headers), "invalid_body")
    return [(error.pointer, error.code) for error in problem.errors]


def test_all_faults_are_listed_at_once() -> None:
    body = {"state": STATE | {"dealer": 8, "trick": ["6C", "ZZ", 3], "extra": 0}, "card": "6c", "who": 1}
    problem = refused(post(PATHS["verdicts"], body), "invalid_body")
    assert {(error.pointer, error.code) for error in problem.errors} == {
        ("/state/dealer", "out_of_range"),
        ("/state/trick/1", "not_allowed_value"),
        ("/state/trick/2", "wrong_type"),
        ("/state/extra", "unknown_field"),
        ("/card", "not_allowed_value"),
        ("/who", "unknown_field"),
    }
    assert problem.detail.endswith("In all, 6 faults were found.")


@pytest.mark.parametrize("name", ["Trebor", "TREBOR", "trebor ", "trebor\n", "10", "nope"])
def test_an_unknown_ruleset_of_any_form_is_told_the_ids_that_there_are(name: str) -> None:
    problem = refused(post(PATHS["positions"], state(rules=name)), "unknown_ruleset")
    assert [error.pointer for error in problem.errors] == ["/state/rules"]
    assert all(known in problem.detail for known in ("denexa", "trebor", "french-whist"))


def test_a_fault_at_which_the_decoder_stops_names_its_field() -> None:
    stopped = msgspec.ValidationError("Expected `array` of length <= 8 - at `$.state.hands`")
    (error,) = list_faults(stopped, dict, None)
    assert (error.pointer, error.detail) == ("/state/hands", '"hands": Expected `array` of length <= 8.')


@pytest.mark.parametrize("name", STATE)
def test_a_missing_field_is_named_at_the_object_that_lacks_it(name: str) -> None:
    problem = refused(
        post(PATHS["positions"], {"state": {k: v for k, v in STATE.items() if k != name}}), "invalid_body"
    )
    assert problem.errors == (Error("/state", "missing_field", f'"{name}" is missing.'),)


def test_house_rules_are_told_from_an_id_and_their_own_faults_listed() -> None:
    found = faults("positions", state(rules={"id": "Mine", "ten": "hearts"}))
    assert Counter(found) == {
        ("/state/rules/id", "wrong_pattern"): 1,
        ("/state/rules/ten", "not_allowed_value"): 1,
        ("/state/rules", "missing_field"): 9,
    }


def test_a_limited_number_of_faults_is_listed() -> None:
    problem = refused(post(PATHS["positions"], {str(name): 1 for name in range(5000)}), "invalid_body")
    assert len(problem.errors) == MAX_FAULTS
    assert problem.detail.endswith("In all, 100 or more faults were found.")


def test_a_list_is_not_searched_beyond_its_greatest_length() -> None:
    found = faults("positions", state(trick=["AS" if at < 8 else "ZZ" for at in range(10_000)]))
    # The decoder, which goes by the order of the text, stops before it knows the length.
    assert found == [("/state/trick/8", "not_allowed_value"), ("/state/trick", "too_long")]


def test_a_huge_body_is_not_searched_for_further_faults() -> None:
    faulty = {"rules": 1, "more": 1}
    assert len(faults("adjudications", faulty)) > 2
    assert faults("adjudications", msgspec.json.encode(faulty) + b" " * MAX_SEARCHED_BYTES) == [
        ("/rules", "wrong_type")
    ]


def test_of_two_fields_with_one_name_a_wrong_first_one_is_named_too() -> None:
    raw = b'{"players": 99, "players": 4, "more": 1}'
    assert faults("draws", raw) == [("/players", "out_of_range"), ("/more", "unknown_field")]


@pytest.mark.parametrize(
    ("text", "code"),
    [("9" * 5000, "out_of_range"), ("1e999", "out_of_range"), ("1.5", "wrong_type"), ("-0", "out_of_range")],
)
def test_a_number_that_cannot_be_is_named_where_it_stands(text: str, code: str) -> None:
    assert faults("draws", b'{"players": %b}' % text.encode()) == [("/players", code)]


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"players": b"4"}, "/players"),
        ({"players": float("nan")}, "/players"),
        ({"players": datetime(2020, 1, 1, tzinfo=UTC)}, "/players"),
        ({"players": msgspec.msgpack.Ext(5, b"x")}, "/players"),
        ({"players": 4, 5: 6}, ""),
        ({b"players": 4}, ""),
        (b"\x91\x01", ""),
    ],
)
def test_what_only_messagepack_has_is_of_the_wrong_type(body: object, pointer: str) -> None:
    assert (pointer, "wrong_type") in faults("draws", body, ("content-type", MSGPACK))


def test_a_whole_number_of_json_may_be_written_with_a_decimal_point() -> None:
    floats = state(dealer=3.0, sides=[[0.0, 2], [1, 3.0]], hands=[9.0, 9, 9, 9])
    written, plain = (post(PATHS["views"], {**body, "seat": None}) for body in (floats, state(hands=[9, 9, 9, 9])))
    assert (written.status, written.body) == (200, plain.body)
    assert faults("draws", {"players": 9.0}) == [("/players", "out_of_range")]
    assert faults("draws", {"players": 2.5}) == [("/players", "wrong_type")]


def test_a_whole_number_of_messagepack_is_an_integer_of_messagepack() -> None:
    raw = msgspec.msgpack.encode({"players": 4.0, "more": 1})
    assert faults("draws", raw, ("content-type", MSGPACK)) == [("/players", "wrong_type"), ("/more", "unknown_field")]


def test_in_a_huge_body_a_whole_number_has_no_decimal_point() -> None:
    raw = msgspec.json.encode({**RECORD, "deal": 1.0}).ljust(MAX_SEARCHED_BYTES)
    assert post(PATHS["adjudications"], raw).status == 200
    assert faults("adjudications", raw + b" ") == [("/deal", "wrong_type")]
    assert f"up to {MAX_SEARCHED_BYTES // 1024} KiB may write 3 as 3.0." in " ".join(DESCRIPTION.split())


def test_a_number_nested_deeper_than_any_type_is_left_alone() -> None:
    nested = b'{"players": 4, "seed": ' + b"[" * 900 + b"3.0" + b"]" * 900 + b"}"
    assert ("/seed", "wrong_type") in faults("draws", nested)


# ── Batches ──


def test_a_whole_number_of_a_question_in_a_batch_may_be_written_with_a_decimal_point() -> None:
    answer = post(PATHS["batches"], {"questions": [{"kind": "draws", "players": 2.0}, {"kind": "draws", "players": 3}]})
    assert [item["status"] for item in answer.read(dict[str, list[dict[str, Any]]])["answers"]] == [200, 200]


def batch(item: object) -> list[tuple[str, str, str]]:
    """The faults of the second of two questions in a batch."""
    answer = post(PATHS["batches"], {"questions": [{"kind": "draws", "players": 2}, item]})
    refusal = answer.read(dict[str, list[dict[str, Any]]])["answers"][1]["problem"]
    return [(error["pointer"], error["code"], error["detail"]) for error in refusal["errors"]]


def test_only_the_branch_of_its_own_kind_counts_for_a_question_of_a_batch() -> None:
    assert batch({"kind": "draws", "players": 9}) == [
        ("/questions/1/players", "out_of_range", '"players": 9 is larger than 8.')
    ]


@pytest.mark.parametrize("kind", ["cheats", "", "problem", 7, None, [], {}])
def test_a_kind_that_is_none_is_one_fault_that_names_all_kinds(kind: Json) -> None:
    ((pointer, code, detail),) = batch({"kind": kind, "players": 9})
    assert (pointer, code) == ("/questions/1/kind", "not_allowed_value")
    assert all(f'"{name}"' in detail for name in KINDS)


def test_a_kind_that_is_missing_is_one_fault_that_names_all_kinds() -> None:
    ((pointer, code, detail),) = batch({"players": 9})
    assert (pointer, code) == ("/questions/1", "missing_field")
    assert all(f'"{name}"' in detail for name in KINDS)


@pytest.mark.parametrize("item", [None, 1, "draws", []])
def test_a_question_that_is_no_object_is_of_the_wrong_type(item: Json) -> None:
    ((pointer, code, _),) = batch(item)
    assert (pointer, code) == ("/questions/1", "wrong_type")


# ── Laws ──


@cache
def _validator(kind: str) -> jsonschema_rs.Validator:
    components = Components(TYPES[kind])
    return jsonschema_rs.Draft202012Validator(
        {**components.of(TYPES[kind]), "components": {"schemas": components.schemas}}
    )


@pytest.mark.parametrize("kind", KINDS)
def test_the_decoder_the_search_for_faults_and_the_json_schema_agree_on_what_is_sound(kind: str) -> None:
    chance = Random(kind)
    for _ in range(CASES):
        raw = msgspec.json.encode(broken_tree(sound_body(kind, chance), chance, chance.randrange(4)))
        found = find_shape_faults(TYPES[kind], msgspec.json.decode(raw))
        assert (found == ()) == _decodes(TYPES[kind], raw), raw
        sound = _validator(kind).is_valid(json.loads(raw))
        # To JSON Schema, 3.0 is an integer; it is one to the body's decoder, but not to what it goes through first.
        assert (found == ()) >= sound or b".0" in raw, (raw, found)
        # The document alone names the printed rulesets, and has an object for each way to ask, without nulls.
        assert (found == ()) <= sound or post(PATHS[kind], raw).status == 422 or b"null" in raw, raw


def _decodes(kind: object, raw: bytes) -> bool:
    """Return whether a body is of a type; all that the decoder finds is among the faults, unless a list is too long."""
    try:
        msgspec.json.decode(raw, type=kind)
    except msgspec.ValidationError as exc:
        whole = msgspec.json.decode(raw)
        found, listed = find_shape_faults(kind, whole), list_faults(exc, kind, whole)
        assert found == listed or (found == listed[1:] and any(error.code == "too_long" for error in found)), raw
        return False
    return True


def test_every_code_is_explained_on_the_page_of_the_problem() -> None:
    assert set(SHAPE_FAULTS) == set(get_args(ShapeCode))
    page = ask(Request("/problems/invalid-body", method="GET")).body.decode()
    assert all(f"<code>{code}</code>" in page for code in SHAPE_FAULTS)
