"""Heavy work is done in turns: a piece at a time, with the event loop coming round in between."""

import asyncio
from collections.abc import Awaitable, Callable, Generator

import pytest

from service.http import turns
from service.http.turns import PLACES, FairQueue, Turn, take_turns
from service.rules.adjudication import finish
from tests.attacks.games import long_record
from tests.support.http.client import Request, send_request, the_app


def in_pieces(made: list[str], name: str, pieces: int) -> Generator[None, None, str]:
    """Note each piece of work."""
    for _ in range(pieces):
        made.append(name)
        yield
    return name


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every piece take longer than a turn."""
    clock = iter(range(10**9))
    monkeypatch.setattr(turns, "perf_counter", lambda: float(next(clock)))


def run(*works: Callable[[], Awaitable[None]]) -> None:
    """Run these at once."""

    async def all_of_them() -> None:
        async with asyncio.timeout(10):
            await asyncio.gather(*(work() for work in works))

    asyncio.run(all_of_them())


@pytest.mark.usefixtures("slow")
def test_requests_take_turns() -> None:
    made: list[str] = []

    def asking(name: str) -> Callable[[], Awaitable[None]]:
        async def work() -> None:
            async with take_turns() as turn:
                assert await turn.run(in_pieces(made, name, 3)) == name

        return work

    run(*map(asking, "abc"))
    assert "".join(made) == "abcabcabc"


@pytest.mark.usefixtures("slow")
def test_the_loop_comes_round_after_each_piece_of_any_request() -> None:
    made: list[str] = []

    async def heavy() -> None:
        async with take_turns() as turn:
            await turn.run(in_pieces(made, "heavy", 20))

    async def decode() -> None:
        async with Turn():
            made.append("heavy")

    async def light() -> None:
        while made.count("heavy") < 90:
            made.append("light")
            await asyncio.sleep(0)

    run(light, heavy, heavy, heavy, heavy, *[decode] * 10)
    assert "heavyheavy" not in "".join(made)


def test_no_more_than_a_few_are_under_way_at_once() -> None:
    under_way = most = 0

    async def work() -> None:
        nonlocal under_way, most
        async with take_turns() as turn:
            under_way += 1
            most = max(most, under_way)
            await turn.pass_on()
            under_way -= 1

    run(*[work] * 30)
    assert (under_way, most) == (0, PLACES)


def test_whoever_is_cancelled_leaves_its_turn_to_the_others() -> None:
    done: list[int] = []

    async def work(number: int) -> None:
        async with take_turns() as turn:
            for _ in range(5):
                await turn.pass_on()
        done.append(number)

    async def cancel_some() -> None:
        for steps in range(30):
            tasks = [asyncio.create_task(work(number)) for number in range(12)]
            for _ in range(steps):
                await asyncio.sleep(0)
            for task in tasks[::3]:
                task.cancel()
            async with asyncio.timeout(10):
                await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(cancel_some())
    assert done.count(1) == 30


async def visit(queue: FairQueue, inside: list[str], caller: str, stays: asyncio.Event) -> None:
    async with queue.place(caller):
        inside.append(caller)
        await stays.wait()


def test_one_caller_has_half_of_the_places_and_the_others_have_one_by_turns() -> None:
    queue, inside = FairQueue(4), list[str]()
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

    async def work(queue: FairQueue, number: int) -> None:
        async with queue.place("ab"[number % 2]):
            for _ in range(5):
                await asyncio.sleep(0)
        done.append(number)

    async def cancel_some() -> None:
        for steps in range(40):
            queue = FairQueue(3)
            tasks = [asyncio.create_task(work(queue, number)) for number in range(12)]
            for _ in range(steps):
                await asyncio.sleep(0)
            for task in tasks[::3]:
                task.cancel()
            async with asyncio.timeout(10):
                await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(cancel_some())
    assert done.count(1) == done.count(2) == 40


def test_a_long_record_is_read_in_pieces() -> None:
    async def rounds() -> int:
        task = asyncio.create_task(send_request(Request("/v1/adjudications", (long_record(),)), the_app()))
        count = 0
        while not task.done():
            count += 1
            await asyncio.sleep(0)
        answer = task.result()
        assert answer is not None
        assert answer.status == 200
        return count

    assert asyncio.run(rounds()) > 3


def test_work_can_be_done_at_once_too() -> None:
    made: list[str] = []
    assert finish(in_pieces(made, "all", 3)) == "all"
    assert made == ["all"] * 3
