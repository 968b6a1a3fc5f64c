from typing import Final

from tests.programs.agreement.analyses import compare_analyses

ANALYSES: Final = 150
"""Analyses in the suite; `python -m tests.programs.agreement.analyses` compares as many as it is told."""


def test_each_card_is_worth_what_trying_every_line_says() -> None:
    sides = compare_analyses(ANALYSES, "analyses")
    assert sides.keys() >= {2, 3, 4}
