from typing import Final

from tests.programs.agreement.claims import compare_claims
from tests.support.effort import choose_effort

CLAIMS: Final = choose_effort(daily=150, nightly=400)
"""Claims in the suite; `python -m tests.programs.agreement.claims` compares as many as it is told."""


def test_a_claim_holds_exactly_where_trying_everything_says_so() -> None:
    outcomes = compare_claims(CLAIMS, "claims")
    assert outcomes.keys() == {"holds", "refuted"}
    assert min(outcomes.values()) > CLAIMS // 10
