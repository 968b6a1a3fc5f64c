"""The workflows name operations as the document does; `make neighbors` follows every step of them."""

from typing import Any, Final

import msgspec
import pytest

from tests.api.openapi.reading import ARAZZO, COMMITTED, operation

WORKFLOWS: Final[dict[str, Any]] = msgspec.json.decode(ARAZZO.read_bytes())
STEPS: Final = [step for workflow in WORKFLOWS["workflows"] for step in workflow["steps"]]


def test_the_workflows_are_of_the_document_beside_them() -> None:
    (source,) = WORKFLOWS["sourceDescriptions"]
    assert ARAZZO.with_name(source["url"]) == COMMITTED
    assert len(WORKFLOWS["workflows"]) == 4


@pytest.mark.parametrize("step", STEPS, ids=[step["stepId"] for step in STEPS])
def test_a_step_is_an_operation_with_its_parameters_and_a_status_of_its_own(step: dict[str, Any]) -> None:
    asked = operation(step["operationId"])
    secrets = {("Authorization", "header"), ("X-API-Key", "header")}
    known = {(field["name"], field["in"]) for field in asked.get("parameters", ())} | secrets
    assert {(field["name"], field["in"]) for field in step.get("parameters", ())} <= known
    status = step["successCriteria"][0]["condition"].removeprefix("$statusCode == ")
    assert status in asked["responses"]
    assert "requestBody" not in step or "requestBody" in asked
