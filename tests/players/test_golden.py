"""The computer players answer as they did, to the last figure."""

import pytest

from tests.players.golden import ANSWERS, POSITIONS, answers


@pytest.mark.parametrize("number", range(POSITIONS))
def test_a_position_gets_the_answers_it_got(number: int) -> None:
    recorded = ANSWERS.read_text(encoding="utf-8").splitlines()
    assert list(answers(number)) == [line for line in recorded if line.split()[0] == str(number)]
