"""Redis says how full it is, and whether it drops games to make room."""

import asyncio
from pathlib import Path

import pytest
from redis import Redis

from service.app import make_store
from service.settings import Settings
from service.store.protocol import StoreDown, StoreStats
from tests.support import redis_server
from tests.support.redis_groups import cluster


def _stats(url: str) -> StoreStats:
    async def ask() -> StoreStats:
        store = make_store(Settings(redis_url=url, store_timeout=2))
        try:
            return await store.stats()
        finally:
            await store.close()

    return asyncio.run(ask())


@pytest.mark.parametrize(("policy", "evicts"), [("noeviction", False), ("allkeys-lru", True)])
def test_redis_says_how_full_it_is_and_whether_it_drops_games(policy: str, evicts: bool) -> None:
    with redis_server.running("--maxmemory", "64mb", "--maxmemory-policy", policy) as port:
        stats = _stats(f"redis://127.0.0.1:{port}")
    assert stats.used is not None
    assert 0.005 < stats.used < 0.2
    assert stats.evicts == evicts


def test_redis_without_a_limit_may_use_the_memory_of_the_machine(redis_url: str) -> None:
    used = _stats(redis_url).used
    assert used is not None
    assert 0 < used < 0.01


def test_of_a_cluster_the_fullest_primary_counts(tmp_path: Path) -> None:
    with cluster(tmp_path, replicas=False) as nodes:
        with Redis(port=nodes.primaries[1].port) as redis:
            redis.config_set("maxmemory", "64mb")
            redis.config_set("maxmemory-policy", "allkeys-lru")
        stats = _stats(nodes.url)
    assert stats.used is not None
    assert 0.005 < stats.used < 0.2
    assert stats.evicts


def test_of_a_user_who_may_not_ask_nothing_is_known() -> None:
    with redis_server.running() as port:
        with Redis(port=port) as redis:
            redis.acl_setuser("guest", enabled=True, nopass=True, keys=["*"], commands=["+@all", "-info"])
        assert _stats(f"redis://guest:any@127.0.0.1:{port}") == StoreStats()


@pytest.mark.parametrize("kind", ["", "+cluster"])
def test_a_store_that_is_away_says_so(kind: str) -> None:
    with pytest.raises(StoreDown):
        _stats(f"redis{kind}://127.0.0.1:{redis_server.free_port()}")
