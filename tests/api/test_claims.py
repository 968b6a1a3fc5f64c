"""Claims over HTTP: refusals, and the cost of a batch."""

import msgspec
import pytest

from openapi.examples.questions import DEAL_OVER, LAST_TRICKS_LINE, MID_TRICK, SEAT_0_SEES
from service.api.batches.items import MAX_HEAVY_ITEMS, Batch, decode_batch, price_batch
from service.api.reasoning.claims import MOST_COST
from service.game.generators import run_to_end
from tests.support.http.client import JSON, Answer, Request, ask
from tests.support.http.pointers import Json

CLAIM: Json = {"kind": "claims", "state": LAST_TRICKS_LINE, "seat": 1}


def asked(path: str, body: Json) -> Answer:
    """Ask in JSON."""
    return ask(Request(path, (msgspec.json.encode(body),), headers=(("content-type", JSON),)))


def batch_of(*questions: Json) -> Batch:
    """Decode a batch."""
    return run_to_end(decode_batch(msgspec.json.encode({"questions": questions}), "json"))


@pytest.mark.parametrize(
    ("body", "code", "pointer"),
    [
        pytest.param(
            {"state": MID_TRICK, "seat": 0, "tricks": 1, "points": 1}, "impossible_request", "/points", id="both"
        ),
        pytest.param({"state": MID_TRICK, "seat": 4}, "impossible_request", "/seat", id="no such seat"),
        pytest.param(
            {"state": SEAT_0_SEES, "seat": 1}, "hand_not_seen", "/state/hands/1", id="a hand that is not shown"
        ),
        pytest.param({"state": DEAL_OVER, "seat": 1}, "deal_over", "/state", id="a deal that is over"),
        pytest.param(
            {"state": MID_TRICK, "seat": 0, "plays": [{"seat": 0, "card": "6C"}]},
            "impossible_request",
            "/plays",
            id="plays that do not lead to the state",
        ),
    ],
)
def test_what_cannot_be_claimed_is_refused_at_its_place(body: Json, code: str, pointer: str) -> None:
    answer = asked("/v1/claims", body)
    problem = msgspec.json.decode(answer.body)
    assert (answer.status, problem["code"]) == (409 if code == "deal_over" else 422, code)
    assert problem["errors"][0]["pointer"].startswith(pointer)


def test_hands_that_the_seat_does_not_see_make_no_difference() -> None:
    bodies: list[Json] = [{"state": state, "seat": 0, "tricks": 1} for state in (MID_TRICK, SEAT_0_SEES)]
    first, second = [msgspec.json.decode(asked("/v1/claims", body).body) for body in bodies]
    assert first == second


def test_a_batch_is_charged_for_its_claims_before_they_are_judged() -> None:
    light: Json = {"kind": "scores", "state": DEAL_OVER}
    assert price_batch(batch_of(CLAIM, light, CLAIM)) == 2 + 2 * MOST_COST


def test_a_claim_is_charged_beside_a_question_of_the_wrong_shape() -> None:
    wrong: Json = {"kind": "scores"}
    assert price_batch(batch_of(CLAIM, wrong)) == 1 + MOST_COST


def test_a_question_without_a_kind_is_charged_as_one() -> None:
    assert price_batch(batch_of({"kind": 7}, {"kind": "scores"})) == 1


@pytest.mark.parametrize("extra", [[], [{"kind": "scores"}]], ids=["well-formed", "beside a wrong shape"])
def test_a_batch_takes_a_limited_number_of_heavy_questions(extra: list[Json]) -> None:
    answer = asked("/v1/batches", {"questions": [*[CLAIM] * (MAX_HEAVY_ITEMS + 1), *extra]})
    assert (answer.status, msgspec.json.decode(answer.body)["code"]) == (400, "invalid_body")
