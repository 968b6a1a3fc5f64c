"""One caller does not fill the Redis of all."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from itertools import count
from random import Random

import pytest

from service.app import make_store
from service.live.store.protocol import ShareUsed, Store, StoreDown
from service.live.store.redis.store import RedisStore
from service.live.store.redis.url import connect
from service.platform.settings import Settings
from service.schemas.ids import Caller, GameId
from tests.support import redis_server
from tests.support.games.callers import Live

GAME = b"x" * 2000


@pytest.fixture
def store(runner: asyncio.Runner) -> Iterator[Store]:
    with redis_server.running("--maxmemory", "8mb", "--maxmemory-policy", "noeviction") as port:
        made = make_store(Settings(redis_url=f"redis://127.0.0.1:{port}", store_timeout=60))
        runner.run(made.stats())
        yield made
        runner.run(made.close())


async def write(store: Store, call: Callable[[int], Awaitable[object]]) -> float:
    """Call with 1, 2, 3 … until the share of the caller is used up, and return how full the store is."""
    for at in count(1):
        try:
            await call(at)
        except ShareUsed:
            return (await store.stats()).used or 0
    raise AssertionError


def test_games_of_one_caller_leave_room_for_others(store: Store, runner: asyncio.Runner) -> None:
    used = runner.run(write(store, lambda at: store.create(GameId(f"a{at}"), GAME, 60, owner=Caller("a"))))
    assert 0.2 < used < 0.6
    assert runner.run(store.create(GameId("b"), GAME, 60, owner=Caller("b"))) == (GAME, True)


def test_keys_of_one_caller_leave_room_for_others(store: Store, runner: asyncio.Runner) -> None:
    assert runner.run(write(store, lambda at: store.remember(f"a{at}", GAME, 60, Caller("a")))) < 0.6
    assert runner.run(store.remember("b", GAME, 60, Caller("b"))) == GAME


def test_what_is_there_is_found_again_and_does_not_count_once_more(store: Store, runner: asyncio.Runner) -> None:
    game, key, owner = GameId("first"), "key:first", Caller("a")

    async def repeat(times: int) -> None:
        for _ in range(times):
            assert await store.remember(key, b"other", 60, owner) == b"value"
            assert await store.create(game, b"other", 60, owner=owner) == (GAME, False)

    runner.run(store.remember(key, b"value", 60, owner))
    runner.run(store.create(game, GAME, 60, owner=owner))
    runner.run(repeat(2000))
    runner.run(write(store, lambda at: store.create(GameId(f"a{at}"), GAME, 60, owner=owner)))
    runner.run(repeat(1))
    runner.run(store.drop(game))
    assert runner.run(store.create(game, GAME, 60, owner=owner)) is None


@pytest.mark.parametrize("size", [*(pytest.param(size, marks=pytest.mark.nightly) for size in (40, 64, 233)), 600])
def test_changes_count_for_the_caller_who_opened_the_game_and_go_on_for_longer_than_openings(
    store: Store, runner: asyncio.Runner, size: int
) -> None:
    entry, hog = b"y" * size, Caller("a")
    runner.run(write(store, lambda at: store.create(GameId(f"a{at}"), GAME, 60, owner=hog)))

    async def append(version: int) -> None:
        assert await store.append(GameId("a1"), version, entry, 60, GAME if version == 1 else entry, hog)

    assert 0.4 < runner.run(write(store, append)) < 0.75
    live = Live(runner, store, Settings())
    live.client = "192.0.2.2"
    table = live.open("trebor", 4)
    table.deal()
    table.play_deal(Random(size))
    live.stop.end()


def test_changes_that_others_forestall_do_not_count(store: Store, runner: asyncio.Runner) -> None:
    game, entry, owner = GameId("a"), b"y" * 4000, Caller("a")

    async def append_too_late() -> None:
        for _ in range(1500):
            assert not await store.append(game, 1, entry, 60, b"another entry", owner)
        assert await store.append(game, 1, entry, 60, GAME, owner)

    runner.run(store.create(game, GAME, 60, owner=owner))
    runner.run(append_too_late())


def test_counting_the_room_of_a_game_may_take_as_long_as_opening_it(runner: asyncio.Runner) -> None:
    async def open_game(url: str) -> tuple[bytes, bool] | None:
        store = RedisStore(connect(url, 10), 10, charge_timeout=0)
        try:
            await store.stats()
            with pytest.raises(StoreDown):
                await store.consume("rate", 1, 1)
            return await store.create(GameId("a"), GAME, 60, owner=Caller("a"))
        finally:
            await store.close()

    with redis_server.running() as port:
        assert runner.run(open_game(f"redis://127.0.0.1:{port}")) == (GAME, True)
