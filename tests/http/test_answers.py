"""The answers to a corpus of requests are, byte for byte, those that are kept in answers.txt."""

from difflib import unified_diff
from itertools import zip_longest
from typing import Final

import pytest

from service.api.operation_list import OPERATIONS
from service.http.problem_kinds import PROBLEM_KINDS
from tests.http.golden import operation_of, read_answers, write_all
from tests.support.http.client import Request

OTHERWISE: Final = {
    "answer_too_large",
    "body_too_slow",
    "computer_plays",
    "internal_error",
    "no_answer",
    "not_away",
    "share_used_up",
    "stopping",
    "store_down",
    "store_full",
    "suggestions_off",
    "too_busy",
    "too_many_changes",
    "too_many_streams",
    "too_many_suggestions",
}
"""The problems that take more than a request to a service at rest; other tests provoke them."""

ALL: Final = "\nFor the answers behind a digest, compare what python -m tests.http.golden all prints before and after."


def test_every_request_gets_the_answer_that_is_kept() -> None:
    for kept, got in zip_longest(read_answers(), write_all(), fillvalue=""):
        if kept != got:
            diff = "\n".join(unified_diff(_by_field(kept), _by_field(got), "kept", "answered", n=2, lineterm=""))
            head = (got or kept).partition("\n")[0]
            pytest.fail(
                f"{head}: if this is meant, make golden, and review what it writes:\n{diff}{ALL}", pytrace=False
            )


def _by_field(text: str) -> list[str]:
    """Break an answer into lines, so that each field of a body has its own."""
    return text.replace(',"', ',\n"').replace("{", "{\n").splitlines()


def test_every_operation_and_every_problem_that_a_request_can_provoke_is_among_them() -> None:
    *answers, _ = read_answers()
    asked = {operation_of(Request(path, method=method)) for method, path in (kept.split()[:2] for kept in answers)}
    assert {op.operation_id for op in OPERATIONS} <= asked
    assert {code for code in PROBLEM_KINDS if not any(f'"code":"{code}"' in kept for kept in answers)} == OTHERWISE
