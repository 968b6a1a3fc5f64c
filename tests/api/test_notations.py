"""Every question takes a notation for a state, and answers as it answers the state itself."""

from collections.abc import Callable
from itertools import islice
from typing import Any, Final

import msgspec
import pytest

from service.game.cards import CODES
from service.game.notation.position import format_position
from service.game.state import to_claim
from service.schemas.refusal import Refusal
from tests.game.notation.positions import draw_states
from tests.programs.agreement.asking import Json, ask
from tests.support.http.client import JSON, MSGPACK, post, read_problem

LINE: Final = "ctt1_trebor_02.13_1_0.0_3-Ad_JhK97d86c.AQ9hQ8dAc.J6dQ97c.AQsATdJc_2-7hTc_KJT9876sKT86hKc.0"
STATES: Final = 60
SEARCHED: Final = {"claims", "analyses"}
"""Questions that take a hundred times as long as the others, and so are asked of fewer states."""
ASKED: Final[dict[str, Callable[[Any], Json]]] = {
    "positions": lambda state: {"state": state},
    "legal_moves": lambda state: {"state": state},
    "verdicts": lambda state: {"state": state, "card": "7H"},
    "trick_winners": lambda state: {"state": state},
    "next_states": lambda state: {"state": state, "cards": ["JH"]},
    "scores": lambda state: {"state": state},
    "diagnoses": lambda state: {"state": state},
    "views": lambda state: {"state": state, "seat": 1},
    "knowledge": lambda state: {"state": state, "seat": 1},
    "claims": lambda state: {"state": state, "seat": 1, "tricks": 1},
    "analyses": lambda state: {"state": state},
    "deals": lambda state: {"after": state, "seed": "again"},
}


def told(kind: str, body: Json) -> tuple[str, object]:
    """Ask a question: return its answer, or its refusal without the places of the faults."""
    try:
        return "answered", ask(kind, **body)
    except Refusal as refusal:
        return refusal.code, (refusal.detail, [error.code for error in refusal.errors], refusal.fact)


@pytest.mark.parametrize("kind", ASKED)
def test_a_notation_is_answered_as_its_state_is(kind: str) -> None:
    for state in islice(draw_states(1), STATES // 6 if kind in SEARCHED else STATES):
        claim = msgspec.to_builtins(to_claim(state))
        assert told(kind, ASKED[kind](format_position(state))) == told(kind, ASKED[kind](claim))


@pytest.mark.parametrize("code", CODES)
def test_every_card_is_judged_in_a_notation_as_in_its_state(code: str) -> None:
    for state in islice(draw_states(2), STATES // 4):
        claim = msgspec.to_builtins(to_claim(state))
        line = format_position(state)
        assert told("verdicts", {"state": line, "card": code}) == told("verdicts", {"state": claim, "card": code})


@pytest.mark.parametrize("media", [JSON, MSGPACK])
def test_a_position_gives_its_notation(media: str) -> None:
    encode = msgspec.json.encode if media == JSON else msgspec.msgpack.encode
    answer = post("/v1/positions", encode({"state": LINE}), ("content-type", media)).read(dict[str, Any])
    assert (answer["notation"], answer["trump"]) == (LINE, "D")
    assert post("/v1/positions", {"state": answer["state"]}).read(dict[str, Any]) == answer


_REVOKE: Final = LINE.replace("7hTc", "") + "_revoke"
REFUSED: Final = [
    ("positions", LINE[:-1], "malformed_notation", "malformed_notation", 90),
    ("diagnoses", "ctt2", "malformed_notation", "malformed_notation", 1),
    ("positions", LINE.replace("Ad", "7D"), "malformed_notation", "malformed_notation", 25),
    ("verdicts", _REVOKE, "malformed_notation", "malformed_notation", 68),
    ("scores", LINE.replace("J6d", "J7d"), "impossible_state", "card_twice", 50),
    ("views", LINE.replace("trebor", "mine"), "unknown_ruleset", "unknown_ruleset", 6),
    ("deals", LINE, "deal_not_over", "deal_not_over", 1),
    ("deals", "x", "malformed_notation", "malformed_notation", 1),
    ("legal_moves", LINE.replace("JhK97d86c.AQ9hQ8dAc", "6.6"), "hand_not_seen", "hand_not_seen", 30),
    ("positions", "c" * 301, "invalid_body", "too_long", None),
]


@pytest.mark.parametrize(("kind", "line", "code", "error", "column"), REFUSED)
def test_a_fault_of_a_notation_has_its_column(kind: str, line: str, code: str, error: str, column: int | None) -> None:
    problem = read_problem(post(f"/v1/{kind.replace('_', '-')}", ASKED[kind](line)))
    [found] = list(problem.errors)
    place = "/after" if kind == "deals" else "/state"
    assert (problem.code, found.pointer, found.code) == (code, place, error)
    assert found.column == column


def test_a_state_that_is_no_object_and_no_text_is_refused() -> None:
    problem = read_problem(post("/v1/positions", {"state": 7}))
    assert problem.detail == '"state": 7 is not an object or a string.'


def test_a_diagnosis_of_a_notation_has_the_columns_of_its_faults() -> None:
    answer = post("/v1/diagnoses", {"state": LINE.replace("J6d", "J7d")}).read(dict[str, Any])
    (fault,) = answer["faults"]
    assert (fault["pointer"], fault["code"], fault["column"]) == ("/state", "card_twice", 50)


def test_house_rules_are_refused_with_what_to_send_instead() -> None:
    problem = read_problem(post("/v1/positions", {"state": LINE.replace("trebor", "our-house")}))
    assert "house rules" in problem.detail
    assert "object" in problem.detail


def test_a_notation_in_a_batch_points_into_the_batch() -> None:
    questions = [{"kind": "scores", "state": LINE}, {"kind": "scores", "state": LINE + "_"}]
    answer = post("/v1/batches", {"questions": questions}).read(dict[str, Any])
    assert [told["status"] for told in answer["answers"]] == [200, 422]
    (error,) = answer["answers"][1]["problem"]["errors"]
    assert (error["pointer"], error["column"]) == ("/questions/1/state", 91)
