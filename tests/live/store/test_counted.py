"""The store of live games: its games, and how its calls end."""

import asyncio
from collections.abc import Iterator

import pytest

from service.live.store.counted import LABELS, OUTCOMES, count_calls
from service.live.store.memory import MemoryStore
from service.live.store.protocol import Store
from service.schemas.ids import GameId
from tests.platform.metrics.readings import changed, series, value
from tests.support.games.callers import Live
from tests.support.games.stores import Failing

GAME = b"a game"


class Clock:
    """A clock that goes on when it is told to."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(clock: Clock) -> Store:
    return count_calls(MemoryStore(100, 2**20, clock))


def test_every_call_has_every_outcome_from_the_start() -> None:
    for call in LABELS.values():
        assert value("catchten_store_call_duration_seconds_count", call=call) >= 0
        for outcome in OUTCOMES:
            assert value("catchten_store_calls_total", call=call, outcome=outcome) >= 0


def test_games_are_counted_when_they_are_made_and_forgotten(store: Store, clock: Clock, runner: asyncio.Runner) -> None:
    before = series()
    for game, ttl, entry in (("one", 10, b"1"), ("two", 20, b"2"), ("three", 30, b"3"), ("three", 30, b"again")):
        runner.run(store.create(GameId(game), entry, ttl))
    runner.run(store.remember("key:one", b"no game", 10))
    runner.run(store.drop(GameId("three")))
    runner.run(store.drop(GameId("three")))
    clock.now = 10
    assert runner.run(store.stats()).expired == 1
    grown = changed(before)
    assert (grown["games_created_total"], grown["games_expired_total"]) == (3, 1)


def test_a_game_that_is_played_expires_later(store: Store, clock: Clock, runner: asyncio.Runner) -> None:
    runner.run(store.create(GameId("one"), GAME, 10))
    clock.now = 9
    assert runner.run(store.append(GameId("one"), 1, GAME, 10, GAME))
    clock.now = 18
    assert runner.run(store.stats()).expired == 0
    clock.now = 19
    assert runner.run(store.stats()).expired == 1


def test_a_game_that_expired_before_another_was_made_is_counted_too(
    store: Store, clock: Clock, runner: asyncio.Runner
) -> None:
    runner.run(store.create(GameId("one"), GAME, 10))
    clock.now = 10
    runner.run(store.create(GameId("two"), GAME, 10))
    assert runner.run(store.stats()).expired == 1


def test_each_call_is_counted_by_how_it_ended(runner: asyncio.Runner) -> None:
    failing = Failing()
    live = Live(runner, failing)
    table = live.open()
    before = series()
    failing.before.append("load")
    assert [table.call("host", "GET").status for _ in range(2)] == [503, 200]
    failing.away = True
    assert live.call("POST", "/v1/games", {"rules": "trebor", "players": 4}).status == 503
    grown = changed(before)
    assert {name: times for name, times in grown.items() if name.startswith("store_calls")} == {
        "store_calls_total load down": 1,
        "store_calls_total load ok": 1,
        "store_calls_total create down": 1,
    }


def test_a_store_that_is_full_is_counted_so(runner: asyncio.Runner) -> None:
    live = Live(runner, MemoryStore(1, 2**20))
    live.open()
    before = series()
    assert live.call("POST", "/v1/games", {"rules": "trebor", "players": 4}).status == 503
    grown = changed(before)
    assert grown["store_calls_total create full"] == 1
    assert "games_created_total" not in grown


def test_a_caller_whose_share_is_used_up_is_counted_apart_from_a_store_that_is_full(runner: asyncio.Runner) -> None:
    live = Live(runner, MemoryStore(4, 2**20))
    for _ in range(2):
        live.open()
    before = series()
    assert live.call("POST", "/v1/games", {"rules": "trebor", "players": 4}).status == 429
    assert changed(before)["store_calls_total create share"] == 1


def test_deleted_games_are_counted_and_a_repeated_opening_is_one(runner: asyncio.Runner) -> None:
    live = Live(runner, MemoryStore(10, 2**20))
    before = series()
    key = (("idempotency-key", "0123456789abcdef"),)
    for _ in range(3):
        assert live.call("POST", "/v1/games", {"rules": "trebor", "players": 4}, key).status == 201
    table = live.open()
    assert table.call("host", "DELETE").status == 204
    grown = changed(before)
    assert (grown["games_created_total"], grown["games_deleted_total"]) == (2, 1)


@pytest.mark.parametrize(("games", "size", "used"), [(4, 2**20, 0.5), (100, 2048, 0.63)])
def test_metrics_say_how_full_the_store_is_by_what_is_fuller(
    runner: asyncio.Runner, games: int, size: int, used: float
) -> None:
    store = count_calls(MemoryStore(games, size))
    for name in ("one", "two"):
        runner.run(store.create(GameId(name), b"x" * 70, 60))
    runner.run(store.stats())
    assert round(value("catchten_store_used_ratio"), 2) == used
    assert value("catchten_store_evicts") == 0
