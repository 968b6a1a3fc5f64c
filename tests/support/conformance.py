"""The cases of openapi/conformance, by their kind."""

from typing import Any

from openapi.conformance.runner import CASES, Json, read_cases

__all__ = ["Json", "read_questions"]


def read_questions(name: str, kind: str, outcome: str = "answer") -> list[Json]:
    """Return the questions of one kind in a file that have an answer, or else a problem: what is asked, and that."""
    found: list[Any] = [
        {"says": case.get("says", case["id"]), **question["ask"], **question[outcome]}
        for case in read_cases([CASES / f"{name}.jsonl"])
        for question in case["questions"]
        if question["kind"] == kind and outcome in question
    ]
    return found
