"""The cases of openapi/conformance: current, well-formed, passed by the service and by the second engine."""

# JSON of any shape is compared here.
# pyright: reportUnknownVariableType=none, reportUnknownArgumentType=none

import json
import re
from collections import Counter
from collections.abc import Generator, Iterator
from copy import copy
from pathlib import Path
from typing import Any, Final

import jsonschema_rs
import msgspec
import pytest

from openapi.conformance import runner
from openapi.conformance.generate.__main__ import format_cases
from openapi.conformance.generate.cases import make_cases
from openapi.conformance.runner import (
    CASES,
    RECORD_TEXT,
    UNASKED,
    Case,
    Json,
    Reply,
    Request,
    check_case,
    compare,
    read_cases,
)
from service.game.faults import FAULTS
from service.game.notation import position
from service.players.order import order
from tests.conformance import second_engine
from tests.conformance.mutants import Mutant, planted, read_mutants
from tests.conformance.second_engine import Unknown
from tests.support.effort import choose_effort
from tests.support.http import client
from tests.support.http.client import JSON
from tests.support.http.server import serving

FILES: Final = sorted(CASES.glob("*.jsonl"))
ALL: Final = list(read_cases(FILES))
PORTION: Final = 50
"""The cases of a test: few, so that a mutant is asked those that reach it (tests/programs/mutation.py)."""
SECOND_KNOWS_AT_LEAST: Final = 0.75
"""The share of the questions that the second engine answers."""
OF_OTHERS: Final = {"name_not_shown", "plays_do_not_fit", "ruleset_not_shown"}
"""The faults that follow from no rule: of texts, and those that only suggestions and live games find."""


@pytest.mark.nightly  # every time, each case is asked in process
def test_what_is_made_from_the_service_is_current() -> None:
    for name, cases in make_cases().items():
        written = (CASES / f"{name}.jsonl").read_text(encoding="utf-8")
        assert written == format_cases(cases), f"{name}.jsonl is not current. If that is meant: make cases"


def test_every_case_has_its_own_id_and_the_form_that_the_schema_says() -> None:
    checker = jsonschema_rs.Draft202012Validator(json.loads((CASES.parent / "case.schema.json").read_bytes()))
    for case in ALL:
        checker.validate(case)
    assert len({case["id"] for case in ALL}) == len(ALL)


def test_the_guide_explains_every_kind_of_question_and_every_file() -> None:
    guide = (CASES.parent / "README.md").read_text(encoding="utf-8")
    _, kinds, files, *_ = [part.partition("\n## ")[0] for part in guide.split("\n## The ")]
    assert set(re.findall(r"`([a-z_]+)`", _first_column(kinds))) == {question["kind"] for question in _questions()}
    assert set(re.findall(r"`([a-z_]+)`", _first_column(files))) == {path.stem for path in FILES}


def _first_column(table: str) -> str:
    return "\n".join(line.split("|")[1] for line in table.splitlines() if line.startswith("|"))


def test_the_files_are_of_a_reasonable_size() -> None:
    assert sum(path.stat().st_size for path in FILES) <= 3e6


def test_every_fault_of_a_state_a_ruleset_and_a_deal_is_in_some_case() -> None:
    found = {place["code"] for question in _questions() for place in _faults(question)}
    assert set(FAULTS) - OF_OTHERS <= found


def _questions() -> Iterator[Json]:
    for case in ALL:
        yield from case["questions"]


def _faults(question: Json) -> list[Json]:
    told: list[Json] = question.get("problem", {}).get("errors", [])
    return told + list(question.get("answer", {}).get("faults", []))


@pytest.mark.parametrize("files", [FILES[:1], pytest.param(FILES, marks=pytest.mark.nightly)], ids=["one file", "all"])
def test_the_service_passes_over_http(files: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    with serving() as server:
        assert runner.main([f"http://127.0.0.1:{server.port}", *map(str, files)]) == 0
    assert capsys.readouterr().out == f"{len(list(read_cases(files)))} cases, 0 of them differ\n"


def test_a_service_that_is_not_there_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert runner.main(["http://127.0.0.1:9"]) == 2
    assert "127.0.0.1:9" in capsys.readouterr().err


def test_the_second_engine_passes_as_far_as_it_knows() -> None:
    known, unknown = Counter[str](), Counter[str]()
    for case in ALL[:: choose_effort(daily=3, nightly=1)]:
        for question in case["questions"]:
            kind = question["kind"]
            if kind in UNASKED | {"rulesets", "notations", "records", "diagnoses"}:
                continue
            try:
                differences = list(_compare_second(case, question))
            except Unknown:
                unknown[kind] += 1
                continue
            known[kind] += 1
            assert differences == [], (case["id"], question, differences)
    assert known.total() > SECOND_KNOWS_AT_LEAST * (known + unknown).total(), (known, unknown)
    kinds = ("positions", "next_states", "scores", "knowledge", "claims", "adjudications")
    assert min(known[kind] for kind in kinds) > choose_effort(daily=5, nightly=15)


def _compare_second(case: Case, question: Json) -> Iterator[str]:
    """Compare the second engine's answers with a case."""
    body = {**({"state": case["state"]} if "state" in case else {}), **question.get("ask", {})}
    reply = second_engine.ask(Request("POST", "/v1/" + question["kind"], json.loads(json.dumps(body))))
    if reply.status != 200:
        yield from compare(reply.body, question.get("problem", {}))
    elif "problem" in question:
        yield f"answered, not {question['problem']['code']}"
    else:
        yield from compare(_shared(reply.body, question["answer"]), question["answer"])


def test_every_mix_of_a_bare_hand_is_judged_alike_by_both_engines() -> None:
    bare = [case["questions"][0].get("answer", {}) for case in ALL if case["id"].startswith("hands-")]
    assert len(bare) > 400
    reasons = Counter(verdict["reason"] for each in bare for verdict in each.get("verdicts", ()))
    assert min(reasons[reason] for reason in (None, "must_follow_suit", "must_trump", "no_trump_lead")) >= 5


def _shared(told: Any, wanted: Any) -> Any:
    """Return an answer without unwanted fields."""
    if isinstance(told, dict) and isinstance(wanted, dict):
        return {name: _shared(value, wanted[name]) for name, value in told.items() if name in wanted}
    if isinstance(told, list) and isinstance(wanted, list) and len(told) == len(wanted):
        return [_shared(one, other) for one, other in zip(told, wanted, strict=True)]
    return told


def ask_in_process(request: Request) -> Reply:
    """Send a request to the service inside this process."""
    is_text = isinstance(request.body, str)
    raw = request.body.encode() if isinstance(request.body, str) else msgspec.json.encode(request.body)
    headers = (("content-type", RECORD_TEXT if is_text else JSON),)
    answer = client.ask(client.Request(request.path, (raw,), request.method, headers))
    return Reply(answer.status, msgspec.json.decode(answer.body))


@pytest.fixture
def forgetting(monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    """Remember the states that a wrong rule admits, and the orders that it makes, in this test only."""
    monkeypatch.setattr(position, "_READ", copy(position._READ))
    order.cache_clear()
    yield
    order.cache_clear()


@pytest.mark.usefixtures("forgetting")
@pytest.mark.parametrize("mutant", read_mutants(), ids=lambda mutant: mutant.name)
def test_a_wrong_rule_is_found_by_a_case(mutant: Mutant) -> None:
    soon = sorted(ALL, key=lambda case: case["id"] != mutant.case)
    with planted(mutant):
        assert any(True for case in soon for _ in check_case(case, ask_in_process))


@pytest.mark.parametrize("first", range(0, len(ALL), PORTION))
def test_without_a_wrong_rule_no_case_differs_in_process(first: int) -> None:
    assert [found for case in ALL[first : first + PORTION] for found in check_case(case, ask_in_process)] == []
