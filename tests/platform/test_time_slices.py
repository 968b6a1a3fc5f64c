"""Heavy work is done in time slices: one at a time, with the event loop coming round in between."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Generator

import pytest

from service.game.generators import run_to_end
from service.platform import time_slices
from service.platform.limits import HEAVY_REQUESTS
from service.platform.time_slices import TimeSlice, take_slices
from service.schemas.ids import Caller
from tests.programs.attacks.games import long_record
from tests.support.http.client import Request, send_request, the_app
from tests.support.patience import WAIT


def in_pieces(made: list[str], name: str, pieces: int) -> Generator[None, None, str]:
    """Note each piece of work."""
    for _ in range(pieces):
        made.append(name)
        yield
    return name


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every piece take longer than a slice."""
    clock = iter(range(10**9))
    monkeypatch.setattr(time_slices, "perf_counter", lambda: float(next(clock)))


def run(*works: Callable[[], Awaitable[None]]) -> None:
    """Run these at once."""

    async def all_of_them() -> None:
        async with asyncio.timeout(WAIT):
            await asyncio.gather(*(work() for work in works))

    asyncio.run(all_of_them())


@pytest.mark.usefixtures("slow")
def test_requests_work_by_turns() -> None:
    made: list[str] = []

    def asking(name: str) -> Callable[[], Awaitable[None]]:
        async def work() -> None:
            async with take_slices(Caller("caller")) as time_slice:
                assert await time_slice.run(in_pieces(made, name, 3)) == name

        return work

    run(*map(asking, "abc"))
    assert "".join(made) == "abcabcabc"


@pytest.mark.usefixtures("slow")
def test_the_loop_comes_round_after_each_piece_of_any_request() -> None:
    made: list[str] = []

    async def heavy() -> None:
        async with take_slices(Caller("caller")) as time_slice:
            await time_slice.run(in_pieces(made, "heavy", 20))

    async def decode() -> None:
        async with TimeSlice():
            made.append("heavy")

    async def light() -> None:
        while made.count("heavy") < 90:
            made.append("light")
            await asyncio.sleep(0)

    run(light, heavy, heavy, heavy, heavy, *[decode] * 10)
    assert "heavyheavy" not in "".join(made)


def test_no_more_than_a_few_are_under_way_at_once() -> None:
    under_way, most = Counter[str](), Counter[str]()

    def asking(caller: Caller) -> Callable[[], Awaitable[None]]:
        async def work() -> None:
            async with take_slices(caller) as time_slice:
                for name in (caller, "all"):
                    under_way[name] += 1
                    most[name] = max(most[name], under_way[name])
                await time_slice.yield_slice()
                under_way.subtract((caller, "all"))

        return work

    places = HEAVY_REQUESTS.in_all
    run(*[asking(Caller("a")) for _ in range(places)])
    assert most == {"a": places // 2, "all": places // 2}
    run(*[asking(Caller(f"caller {number % 40}")) for number in range(120)])
    assert (most["all"], under_way.total()) == (places, 0)


def test_a_cancelled_task_leaves_its_slice_to_the_others() -> None:
    done: list[int] = []

    async def work(number: int) -> None:
        async with take_slices(Caller("caller")) as time_slice:
            for _ in range(5):
                await time_slice.yield_slice()
        done.append(number)

    async def cancel_some() -> None:
        for steps in range(30):
            tasks = [asyncio.create_task(work(number)) for number in range(12)]
            for _ in range(steps):
                await asyncio.sleep(0)
            for task in tasks[::3]:
                task.cancel()
            async with asyncio.timeout(WAIT):
                await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(cancel_some())
    assert done.count(1) == 30


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
    assert run_to_end(in_pieces(made, "all", 3)) == "all"
    assert made == ["all"] * 3
