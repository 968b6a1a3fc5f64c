"""The service answers every body, and says what is wrong in the one form that all refusals have."""

import asyncio
from collections.abc import Iterable
from random import Random
from typing import Final

import pytest

from tests.support.call_counts import CallCount
from tests.support.effort import choose_effort
from tests.support.http.checks import check_answer
from tests.support.http.client import Request, send_request, the_app
from tests.support.http.hostile import HEAVY, hostile_request

SHARDS: Final = 10
BODIES: Final = choose_effort(daily=75, nightly=2000)
"""In each shard."""
MAX_CALLS: Final = 20_000
"""The calls of Python functions that an answer may take."""


@pytest.mark.parametrize("shard", range(SHARDS))
def test_every_body_is_answered_and_every_refusal_explains_itself(shard: int) -> None:
    chance = Random(shard)
    statuses = asyncio.run(_ask_all(hostile_request(chance) for _ in range(BODIES)))
    assert {200, 400, 422} <= statuses


@pytest.mark.parametrize("kind", ["suggestions", *HEAVY])
def test_every_question_that_is_thought_about_is_answered(kind: str) -> None:
    chance, app = Random(0), the_app()

    async def ask_all() -> set[int]:
        requests = [hostile_request(chance, (kind,)) for _ in range(choose_effort(daily=30, nightly=250))]
        statuses = set[int]()
        for request in requests:
            answer = await send_request(request, app)
            assert answer is not None
            check_answer(request, answer)
            statuses.add(answer.status)
        return statuses

    assert asyncio.run(ask_all()) >= {200, 400, 409, 422}


async def _ask_all(requests: Iterable[Request]) -> set[int]:
    statuses = set[int]()
    count, app = CallCount(), the_app()
    for request in requests:
        with count.counted():
            answer = await send_request(request, app)
        assert answer is not None
        check_answer(request, answer)
        assert count.calls < MAX_CALLS, request
        statuses.add(answer.status)
    return statuses
