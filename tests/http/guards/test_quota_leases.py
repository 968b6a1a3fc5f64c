"""Far from its limit a caller is counted in the process, and the store is told the sum."""

import asyncio
from random import Random
from typing import Final

import pytest

from service.http.guards import rate_limit
from service.http.guards.rate_limit import UNREPORTED_DIVISOR, RateLimit
from service.live.store.memory import MemoryStore
from service.schemas.ids import Caller
from tests.support.games.stores import Failing

QUOTA: Final = 160
RATE: Final = f"{QUOTA}/day"
SOMEBODY: Final = Caller("somebody")


class Asked(Failing):
    """A store that notes the costs that it is told."""

    def __init__(self) -> None:
        super().__init__()
        self.costs = list[int]()

    async def consume(self, name: str, cost: int, at_most: int) -> tuple[bool, int]:
        self.costs.append(cost)
        return await super().consume(name, cost, at_most)


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Report to the store after a hundredth of a second."""
    monkeypatch.setattr(rate_limit, "REPORT_SECONDS", 0.01)


def left(headers: tuple[tuple[bytes, bytes], ...]) -> int:
    return int(dict(headers)[b"ratelimit"].split(b"r=")[1].split(b";")[0])


def test_the_store_is_told_the_sum_of_what_was_counted_here() -> None:
    async def ask() -> tuple[list[int], int]:
        limit = RateLimit(store := Asked(), RATE, lambda: 0.0)
        for admitted in range(1, 11):
            assert left((await limit.try_consume(SOMEBODY)).headers) == QUOTA - admitted
        before = len(store.costs)
        await asyncio.sleep(0.1)
        return store.costs, before

    costs, before = asyncio.run(ask())
    assert before == 1
    assert [cost // costs[0] for cost in costs] == [1, 9]


def test_near_the_limit_the_store_is_asked_for_each_request_and_the_quota_is_exact() -> None:
    async def ask() -> tuple[int, list[int]]:
        limit = RateLimit(store := Asked(), RATE, lambda: 0.0)
        admitted = sum([not (await limit.try_consume(SOMEBODY)).retry_after for _ in range(QUOTA + 20)])
        return admitted, store.costs

    admitted, costs = asyncio.run(ask())
    assert admitted == QUOTA
    assert costs[-QUOTA // 2 :] == [costs[0]] * (QUOTA // 2)
    assert len(costs) < QUOTA


@pytest.mark.parametrize("processes", [2, 3, 8])
def test_processes_together_admit_at_most_what_each_has_not_told_beyond_the_quota(
    processes: int, chance: Random
) -> None:
    async def ask() -> tuple[int, int]:
        store = MemoryStore(0, 0, lambda: 0.0)
        limits = [RateLimit(store, RATE, lambda: 0.0) for _ in range(processes)]
        admitted = 0
        for at in range(3 * QUOTA):
            admitted += not (await chance.choice(limits).try_consume(SOMEBODY)).retry_after
            if at % 25 == 0:
                await asyncio.sleep(0.02)
        await asyncio.sleep(0.05)
        return admitted, sum([not (await limit.try_consume(SOMEBODY)).retry_after for limit in limits])

    admitted, after = asyncio.run(ask())
    assert QUOTA <= admitted <= QUOTA + processes * QUOTA // UNREPORTED_DIVISOR
    assert after == 0


def test_a_store_that_goes_away_forgets_nothing_that_was_counted_here() -> None:
    async def ask() -> int:
        limit = RateLimit(store := Asked(), RATE, lambda: 0.0)
        for _ in range(5):
            await limit.try_consume(SOMEBODY)
        store.away = True
        await asyncio.sleep(0.1)
        return left((await limit.try_consume(SOMEBODY)).headers)

    assert asyncio.run(ask()) <= QUOTA - 5
