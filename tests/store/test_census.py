"""The census: the games in Redis, counted by one process at a time for all."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from redis import Redis

from service.app import make_store
from service.settings import Settings
from service.store.protocol import Room, Store, StoreDown
from service.store.redis import census as redis_census
from service.store.redis.pipeline import Command
from service.store.redis.store import RedisStore
from tests.support import redis_server
from tests.support.redis_groups import cluster

GAMES: Final = 23
ANSWER_TIMEOUT: Final = 10


@pytest.fixture
def small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redis_census, "PAGE", 3)
    monkeypatch.setattr(redis_census, "PAUSE", 0.001)


@pytest.fixture
def url() -> Iterator[str]:
    with redis_server.running() as port:
        yield f"redis://127.0.0.1:{port}"


def _store(url: str) -> RedisStore:
    store = make_store(Settings(redis_url=url, store_timeout=ANSWER_TIMEOUT))
    assert isinstance(store, RedisStore)
    return store


async def _fill(store: Store) -> None:
    """Open some games, and keep other things beside them."""
    for number in range(GAMES + 1):
        await store.create(f"game-{number}", b"entry", 600, once=number % 2 * 600)
    await store.drop("game-0")
    await store.remember("key:one", b"value", 600)


async def _counted(store: Store, *, other_than: int | None = None) -> int | None:
    """Ask until somebody has counted."""
    for _ in range(2000):
        games = (await store.census()).open
        if games != other_than:
            return games
        await asyncio.sleep(0.01)
    raise AssertionError(other_than)


async def _of_url(url: str) -> None:
    one, other = _store(url), _store(url)
    try:
        await _fill(one)
        assert (await one.census()).open is None
        assert await _counted(one) == GAMES
        assert await _counted(other) == GAMES
        assert other._census._scan is None
    finally:
        await one.close()
        await other.close()


@pytest.mark.usefixtures("small_pages")
def test_one_process_counts_for_all(url: str) -> None:
    asyncio.run(_of_url(url))


@pytest.mark.usefixtures("small_pages")
def test_every_primary_of_a_cluster_is_counted(tmp_path: Path) -> None:
    with cluster(tmp_path) as nodes:
        asyncio.run(_of_url(nodes.url))


def test_games_are_counted_again_when_the_turn_is_over(url: str) -> None:
    async def count_again() -> None:
        store = _store(url)
        try:
            assert await _counted(store) == 0
            await _fill(store)
            assert await _counted(store) == 0
            await store._execute(redis_census.NAME, Command(("DEL", redis_census.LOCK)))
            assert await _counted(store, other_than=0) == GAMES
        finally:
            await store.close()

    asyncio.run(count_again())


def test_a_store_without_room_for_the_number_does_not_tell_it() -> None:
    async def count() -> None:
        store = _store(f"redis://127.0.0.1:{port}")
        try:
            assert [(await store.census()).open for _ in range(3)] == [None, None, None]
        finally:
            await store.close()

    with redis_server.running("--maxmemory", "1", "--maxmemory-policy", "noeviction") as port:
        asyncio.run(count())


def test_a_store_that_is_away_says_so() -> None:
    async def count() -> None:
        store = _store(f"redis://127.0.0.1:{redis_server.free_port()}")
        try:
            with pytest.raises(StoreDown):
                await store.census()
        finally:
            await store.close()

    asyncio.run(count())


@pytest.mark.usefixtures("small_pages")
def test_a_process_that_stops_leaves_off_counting(url: str) -> None:
    async def stop() -> None:
        store = _store(url)
        await _fill(store)
        await store.census()
        await store.close()
        assert store._census._scan is not None
        assert store._census._scan.done()

    asyncio.run(stop())


async def _room(url: str) -> Room | None:
    store = _store(url)
    try:
        return (await store.census()).room
    finally:
        await store.close()


@pytest.mark.parametrize(("policy", "evicts"), [("noeviction", False), ("allkeys-lru", True)])
def test_redis_says_how_full_it_is_and_whether_it_drops_games(policy: str, evicts: bool) -> None:
    with redis_server.running("--maxmemory", "64mb", "--maxmemory-policy", policy) as port:
        room = asyncio.run(_room(f"redis://127.0.0.1:{port}"))
    assert room is not None
    assert 0.005 < room.used < 0.2
    assert room.evicts == evicts


def test_redis_without_a_limit_may_use_the_memory_of_the_machine(url: str) -> None:
    room = asyncio.run(_room(url))
    assert room is not None
    assert 0 < room.used < 0.01


def test_of_a_user_who_may_not_ask_the_room_is_not_known(url: str) -> None:
    with Redis.from_url(url) as redis:
        redis.acl_setuser("guest", enabled=True, nopass=True, keys=["*"], commands=["+@all", "-info"])
    assert asyncio.run(_room(url.replace("//", "//guest:any@"))) is None
