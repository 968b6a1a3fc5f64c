"""A server that is a replica, and a primary that has none: neither is asked again on the connections of before."""

import asyncio
from collections.abc import Iterator

import pytest
from redis import Redis
from redis.exceptions import ReadOnlyError

from service.app import make_store
from service.settings import Settings
from service.store.protocol import StoreDown
from service.store.redis import pipeline
from service.store.redis.pipeline import NotReplicated
from service.store.redis.store import RedisStore
from tests.support import redis_server


@pytest.fixture
def port() -> Iterator[int]:
    with redis_server.running() as port:
        yield port


def _store(port: int, replicas: int = 0) -> RedisStore:
    store = make_store(Settings(redis_url=f"redis://127.0.0.1:{port}", store_timeout=5, store_replicas=replicas))
    assert isinstance(store, RedisStore)
    return store


def _connections(port: int) -> int:
    with Redis(port=port) as redis:
        count: int = redis.info("clients")["connected_clients"]
    return count - 1


def test_a_replica_is_a_store_out_of_reach_and_one_again_once_it_is_a_primary(port: int) -> None:
    async def change() -> None:
        store = _store(port)
        try:
            assert await store.create("one", b"entry", 60) == b"entry"
            with Redis(port=port) as redis:
                redis.replicaof("127.0.0.1", 1)
                with pytest.raises(StoreDown) as failure:
                    await store.create("two", b"entry", 60)
                assert isinstance(failure.value.__cause__, ReadOnlyError)
                redis.replicaof("NO", "ONE")
            assert await store.create("two", b"entry", 60) == b"entry"
        finally:
            await store.close()

    asyncio.run(change())


def test_a_primary_without_the_replicas_asked_for_loses_its_connections(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "WAIT_SHARE", 0.01)

    async def change() -> None:
        store = _store(port, replicas=1)
        try:
            await store.ping()
            assert _connections(port) == 1
            with pytest.raises(StoreDown) as failure:
                await store.create("one", b"entry", 60)
            assert isinstance(failure.value.__cause__, NotReplicated)
            for _ in range(100):
                if not _connections(port):
                    return
                await asyncio.sleep(0.01)
            raise AssertionError(_connections(port))
        finally:
            await store.close()

    asyncio.run(change())
