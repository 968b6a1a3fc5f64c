"""One caller keeps all the turns that it may, or has spent its quota: the tables of others go on beside it."""

import itertools
from collections.abc import Callable, Iterator
from typing import Final

import pytest

from service.live.computers import LIMITS, Limits
from service.live.pending_task import find_task
from service.live.store.protocol import Store
from service.platform.limits import THINKING
from service.platform.settings import Settings
from tests.platform.metrics.readings import value
from tests.support.games.callers import Live, Table
from tests.support.games.course import course, until
from tests.support.games.listeners import Follow

NUMBERS: Final = itertools.count(1)
PLACES: Final = THINKING.in_all
FEW: Final = Limits(max_tasks=8, takeover={"easy": 0.0, "medium": 0.0, "hard": 0.0})


@pytest.fixture
def process(live: Live, store: Store) -> Iterator[Callable[..., Live]]:
    """Make processes over the store, which end with the test."""
    made: list[Live] = []

    def begin(settings: Settings | None = None, limits: Limits = FEW) -> Live:
        made.append(Live(live.runner, store, settings or Settings(), limits=limits))
        return made[-1]

    yield begin
    for one in made:
        one.stop.end()


def an_address() -> str:
    """Return an address that has asked for nothing yet; other tests may use the same store."""
    return f"198.51.100.{next(NUMBERS)}"


def computer_is_next(table: Table) -> bool:
    return find_task(course(table)[-1].game) is not None


def test_beside_a_caller_of_many_games_with_a_limit_for_moves_the_computers_of_others_play(
    process: Callable[..., Live],
) -> None:
    live, dropped = process(), value("catchten_computer_turns_dropped_total")
    for games in (12, 6):
        live.client = an_address()
        for _ in range(games):
            live.open("trebor", 4, first_dealer=0, move_seconds=60).deal()
    assert value("catchten_computer_turns_dropped_total") >= dropped + 8
    live.client = an_address()
    table = live.open("trebor", 4, computers=(None, "easy", "easy", "easy"), first_dealer=0)
    table.deal(0)
    until(live, lambda: not computer_is_next(table))


def test_beside_a_caller_whose_computers_think_the_computers_of_others_play(process: Callable[..., Live]) -> None:
    live = process(limits=LIMITS)
    live.client = an_address()
    thinking = [live.open("trebor", 8, computers=(None, *["hard"] * 7), first_dealer=0) for _ in range(2 * PLACES)]
    for table in thinking:
        table.deal()
    live.client = an_address()
    table = live.open("trebor", 4, computers=(None, "easy", "easy", "easy"), first_dealer=0)
    table.deal(0)
    until(live, lambda: not computer_is_next(table))
    assert sum(map(computer_is_next, thinking)) > PLACES


@pytest.mark.parametrize("streams", [True, False])
def test_a_computer_whose_caller_has_spent_the_quota_plays_for_the_next_who_follows_the_game(
    process: Callable[..., Live], follow: Follow, *, streams: bool
) -> None:
    live = process(Settings(rate_limit="4/day"))
    live.client = an_address()
    table = live.open("trebor", 8, computers=(None, *["easy"] * 7), first_dealer=0)
    table.deal(0)
    until(live, lambda: len(course(table)) == 4)
    for _ in range(2):
        live.client = an_address()
        if streams:
            follow(table, client=live.client)
        else:
            table.see()
    until(live, lambda: not computer_is_next(table))


def test_a_computer_plays_at_once_for_somebody_who_followed_before_the_quota_was_spent(
    process: Callable[..., Live], follow: Follow
) -> None:
    live = process(Settings(rate_limit="4/day"))
    live.client = an_address()
    table = live.open("trebor", 8, computers=(None, *["easy"] * 7), first_dealer=0)
    streams = [follow(table, client=an_address()) for _ in range(2)]
    for stream in streams:
        stream.hear(1)
    table.deal(0)
    until(live, lambda: not computer_is_next(table))
