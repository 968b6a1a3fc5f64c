"""Of what a process has at once, one caller has at most half, and those who wait are let in by turns."""

import asyncio

import pytest

from service.platform.capacity import CapacityLimiter, FairSemaphore


@pytest.mark.parametrize(("limit", "share"), [(0, 0), (1, 1), (2, 1), (4, 2), (5, 3), (4000, 2000)])
def test_one_caller_has_at_most_half_rounded_up(limit: int, share: int) -> None:
    capacity = CapacityLimiter(limit)
    assert [capacity.try_acquire("a") for _ in range(limit + 1)].count(True) == share
    assert [capacity.try_acquire("b") for _ in range(limit + 1)].count(True) == limit // 2
    assert capacity.taken == limit
    for _ in range(share):
        capacity.release("a")
    assert capacity.taken == limit // 2
    assert [capacity.try_acquire("c") for _ in range(limit + 1)].count(True) == share


async def visit(queue: FairSemaphore, inside: list[str], caller: str, stays: asyncio.Event) -> None:
    await queue.acquire(caller)
    inside.append(caller)
    await stays.wait()
    queue.release(caller)


def test_one_caller_has_half_of_the_places_and_the_others_have_one_by_turns() -> None:
    queue, inside = FairSemaphore(4), list[str]()
    leave = {caller: [asyncio.Event() for _ in range(6)] for caller in "abc"}

    async def visit_all() -> None:
        tasks = [asyncio.create_task(visit(queue, inside, "a", event)) for event in leave["a"]]
        await asyncio.sleep(0)
        assert inside == ["a"] * 2
        tasks += [asyncio.create_task(visit(queue, inside, one, event)) for one in "bc" for event in leave[one]]
        await asyncio.sleep(0.01)
        assert inside == [*"aabb"]
        for event in (*leave["b"][:2], leave["a"][0], leave["c"][0]):
            event.set()
            await asyncio.sleep(0.01)
        assert inside == [*"aabb" + "bcab"]
        for event in (event for events in leave.values() for event in events):
            event.set()
        async with asyncio.timeout(10):
            await asyncio.gather(*tasks)
        assert sorted(inside) == [*"aaaaaabbbbbbcccccc"]

    asyncio.run(visit_all())


def test_whoever_is_cancelled_leaves_the_place_or_the_line() -> None:
    done: list[int] = []

    async def work(queue: FairSemaphore, number: int) -> None:
        await queue.acquire("ab"[number % 2])
        try:
            for _ in range(5):
                await asyncio.sleep(0)
        finally:
            queue.release("ab"[number % 2])
        done.append(number)

    async def cancel_some() -> None:
        for steps in range(40):
            queue = FairSemaphore(3)
            tasks = [asyncio.create_task(work(queue, number)) for number in range(12)]
            for _ in range(steps):
                await asyncio.sleep(0)
            for task in tasks[::3]:
                task.cancel()
            async with asyncio.timeout(10):
                await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(cancel_some())
    assert done.count(1) == done.count(2) == 40
