"""A server that became a replica, and a primary without one: old connections to neither are used again."""

import asyncio
from collections.abc import Iterator

import pytest
from redis import Redis
from redis.exceptions import ReadOnlyError

from service.live.store.protocol import StoreDown
from service.live.store.redis.pipeline import NotReplicated
from service.live.store.redis.store import RedisStore
from service.live.store.redis.url import connect
from service.schemas.ids import GameId
from tests.support import redis_server


@pytest.fixture
def port() -> Iterator[int]:
    with redis_server.running() as port:
        yield port


def _store(port: int, replicas: int = 0) -> RedisStore:
    return RedisStore(connect(f"redis://127.0.0.1:{port}", 5), 5, replicas, wait_share=0.01)


def _connections(port: int) -> int:
    with Redis(port=port) as redis:
        count: int = redis.info("clients")["connected_clients"]
    return count - 1


def test_a_replica_is_a_store_out_of_reach_and_one_again_once_it_is_a_primary(port: int) -> None:
    async def change() -> None:
        store = _store(port)
        try:
            assert await store.create(GameId("one"), b"entry", 60) == (b"entry", True)
            with Redis(port=port) as redis:
                redis.replicaof("127.0.0.1", 1)
                with pytest.raises(StoreDown) as failure:
                    await store.create(GameId("two"), b"entry", 60)
                assert isinstance(failure.value.__cause__, ReadOnlyError)
                redis.replicaof("NO", "ONE")
            assert await store.create(GameId("two"), b"entry", 60) == (b"entry", True)
        finally:
            await store.close()

    asyncio.run(change())


def test_a_primary_without_the_replicas_asked_for_loses_its_connections(port: int) -> None:
    async def change() -> None:
        store = _store(port, replicas=1)
        try:
            await store.ping()
            assert _connections(port) == 1
            with pytest.raises(StoreDown) as failure:
                await store.create(GameId("one"), b"entry", 60)
            assert isinstance(failure.value.__cause__, NotReplicated)
            for _ in range(100):
                if not _connections(port):
                    return
                await asyncio.sleep(0.01)
            raise AssertionError(_connections(port))
        finally:
            await store.close()

    asyncio.run(change())
