from typing import Final

from tests.programs.agreement.hidden_hands import compare_endings
from tests.support.effort import choose_effort

ENDINGS: Final = choose_effort(daily=150, nightly=400)
"""Endings in the suite; `python -m tests.programs.agreement.hidden_hands` compares as many as it is told."""


def test_every_answer_about_hidden_hands_is_the_answer_of_all_fillings() -> None:
    possible, impossible = compare_endings(ENDINGS, "endings")
    assert possible > ENDINGS // 2
    assert impossible > ENDINGS // 20
