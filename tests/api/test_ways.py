"""A question has one answer, in each way to ask it; tests/python_client/test_questions.py asks by the client, too."""

import pytest

from tests.support.http.client import ask
from tests.support.ways import WAYS, draw_questions


@pytest.mark.parametrize("seed", range(8))
def test_a_question_is_answered_in_the_same_way_however_it_is_asked(seed: int) -> None:
    for asked in draw_questions(ask, str(seed), 15):
        outcomes = {name: way(ask, asked) for name, way in WAYS.items()}
        assert all(outcome in (None, outcomes["POST"]) for outcome in outcomes.values()), (asked, outcomes)
