"""A card of the computer counts for the quota of the caller who made it the computer's turn, and waits for it."""

import asyncio
import itertools
from collections.abc import Callable, Iterator
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.api.reasoning.thinking import price_card
from service.game.level import LEVELS, Level
from service.game.rules.view import view
from service.game.state import State
from service.http.guards.rate_limit import RateLimit, RateLimitResult
from service.live import computers
from service.live.computers import LIMITS, Limits
from service.live.entries import PlayEntry
from service.live.log import Step, steps
from service.live.pending_task import find_task
from service.live.store.protocol import Store
from service.platform.settings import Settings
from tests.platform.metrics.readings import value
from tests.support.games.callers import GAMES, Live, Table
from tests.support.games.course import until
from tests.support.games.listeners import Follow
from tests.support.strategies import states

QUOTA: Final = 100
"""In a day: even on a busy machine, no whole request of it comes back during a test."""
_NUMBERS: Final = itertools.count(1)


def an_address() -> str:
    """Return an address that has asked for nothing yet; other tests may use the same store."""
    return f"192.0.2.{next(_NUMBERS)}"


@pytest.fixture
def process(live: Live, store: Store) -> Iterator[Callable[..., Live]]:
    """Make processes with a quota, each asked from an address of its own."""
    made: list[Live] = []

    def begin(rate: str, limits: Limits = LIMITS) -> Live:
        made.append(Live(live.runner, store, Settings(rate_limit=rate), limits=limits))
        made[-1].client = an_address()
        return made[-1]

    yield begin
    for one in made:
        one.stop.end()


class Quota:
    """The quota of the computer players, who wait for it until it is refilled."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.waits: list[float] = []
        self._refilled = asyncio.Event()
        self._patch = patch
        patch.setattr(computers, "sleep", self._wait)

    async def _wait(self, seconds: float) -> None:
        if seconds < 60:  # not for a quota, and perhaps of a game of another test
            await asyncio.sleep(seconds)
        else:
            self.waits.append(seconds)
            await self._refilled.wait()

    def refill(self) -> None:
        async def admit(*_: object) -> RateLimitResult:
            """Admit everybody."""
            return RateLimitResult(0, ())

        self._patch.setattr(RateLimit, "try_consume", admit)
        self._refilled.set()


@pytest.fixture
def quota(monkeypatch: pytest.MonkeyPatch) -> Quota:
    return Quota(monkeypatch)


def spent(live: Live) -> int:
    """Return what an address has spent of its quota, before the request that asks for it."""
    answer = live.call("GET", f"{GAMES}/{'A' * 22}")
    return QUOTA - int(answer.headers["ratelimit"].partition(";r=")[2].partition(";t=")[0]) - 1


def course(table: Table) -> list[Step]:
    return list(steps(table.live.run(table.live.store.load(table.opened.id)).entries))


def computer_is_next(table: Table) -> bool:
    return find_task(course(table)[-1].game) is not None


@pytest.mark.parametrize("level", LEVELS)
def test_a_card_of_the_computer_costs_its_caller_what_everybody_can_work_out(
    process: Callable[[str], Live], level: Level
) -> None:
    live = process(f"{QUOTA}/day")
    table = live.open("trebor", 4, computers=(None, level, level, level), first_dealer=0)
    table.deal(0)
    until(live, lambda: not computer_is_next(table))
    played = course(table)
    costs = [
        1 + price_card(view(before.game.state, None), level)
        for before, step in itertools.pairwise(played)
        if before.game.state is not None and isinstance(step.entry, PlayEntry)
    ]
    assert len(costs) == 3
    assert costs == ([19, 18, 18] if level == "hard" else [1, 1, 1])
    assert spent(live) == 2 + sum(costs)


@given(states(playing=True), st.sampled_from(LEVELS))
def test_the_price_of_a_card_tells_nothing_of_the_hand(state: State, level: Level) -> None:
    assert price_card(state, level) == price_card(view(state, None), level)


def test_where_another_process_goes_on_the_caller_who_saw_the_game_there_is_charged(
    process: Callable[[str], Live], follow: Follow
) -> None:
    one, two = process(f"{QUOTA}/day"), process(f"{QUOTA}/day")
    table = one.open("trebor", 4, computers=(None, "easy", "easy", "easy"), first_dealer=0)
    follow(table.over(two), client=two.client).hear(1)
    one.stop.end()
    table.deal(0)
    until(two, lambda: not computer_is_next(table))
    assert spent(one) == 2
    assert spent(two) == 1 + 3


def test_the_computer_waits_for_the_quota_and_plays_then(process: Callable[[str], Live], quota: Quota) -> None:
    live = process("3/day")
    table = live.open("trebor", 8, computers=(None, *["medium"] * 7), first_dealer=0)
    table.deal(0)
    until(live, lambda: quota.waits != [])
    assert len(course(table)) == 3
    quota.refill()
    until(live, lambda: not computer_is_next(table))
    assert len(course(table)) == 2 + 7


def test_nobody_thinks_after_the_wait_where_a_person_has_taken_the_seat_back(
    process: Callable[[str], Live], quota: Quota
) -> None:
    one, two = process("2/day"), process(f"{QUOTA}/day")
    thoughts = value("catchten_thinking_seconds_count", level="medium")
    table = one.open("trebor", 4, computers=(None, "medium", None, None), first_dealer=0)
    table.deal(0)
    until(one, lambda: quota.waits != [])
    assert quota.waits == [pytest.approx(43200, abs=600)]
    assert table.over(two).call(1, "DELETE", "/seats/1/computer", version=table.last_seen).status == 200
    quota.refill()
    one.run(asyncio.sleep(0.1))
    assert value("catchten_thinking_seconds_count", level="medium") == thoughts


def test_where_too_many_wait_a_turn_is_begun_by_a_later_look(
    process: Callable[..., Live],
) -> None:
    full, dropped = process(f"{QUOTA}/day", Limits(max_tasks=0)), value("catchten_computer_turns_dropped_total")
    table = full.open("trebor", 4, computers=(None, "easy", "easy", "easy"), first_dealer=0)
    table.deal(0)
    full.run(asyncio.sleep(0.1))
    assert computer_is_next(table)
    assert value("catchten_computer_turns_dropped_total") > dropped
    later = process(f"{QUOTA}/day")
    table.over(later).see()
    until(later, lambda: not computer_is_next(table))
