"""Redis says how full it is, and whether it drops games to make room."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree

import pytest
from redis import Redis

from service.app import make_store
from service.live.store.protocol import StoreDown, StoreMisconfigured, StoreStats
from service.platform.settings import Settings
from tests.support import redis_server
from tests.support.processes import Redis as Server
from tests.support.redis_groups import QUICKLY, cluster, node_id, wait_until


def _stats(url: str, replicas: int = 0) -> StoreStats:
    async def ask() -> StoreStats:
        store = make_store(Settings(redis_url=url, store_timeout=2, store_replicas=replicas))
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
    with cluster(tmp_path, replicas=0) as nodes:
        with Redis(port=nodes.primaries[1].port) as redis:
            redis.config_set("maxmemory", "64mb")
            redis.config_set("maxmemory-policy", "allkeys-lru")
        stats = _stats(nodes.url)
    assert stats.used is not None
    assert 0.005 < stats.used < 0.2
    assert stats.evicts


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[list[Server]]:
    """A primary, and its two replicas."""
    with Server(tmp_path / "primary", *QUICKLY) as primary:
        following = (*QUICKLY, "--replicaof", "127.0.0.1", str(primary.port))
        with Server(tmp_path / "one", *following) as one, Server(tmp_path / "two", *following) as two:
            _until_it_has(2, primary)
            yield [primary, one, two]


def _until_it_has(replicas: int, primary: Server) -> None:
    wait_until(lambda: primary.answers("INFO", "replication").count(b"state=online") == replicas, "replicas")


@pytest.mark.parametrize(("awaited", "unawaited"), [(0, 0), (1, 1), (2, 0), (3, 0)])
def test_where_fewer_replicas_are_awaited_than_could_take_over_that_is_told_and_logged(
    servers: list[Server], awaited: int, unawaited: int, caplog: pytest.LogCaptureFixture
) -> None:
    stats = _stats(servers[0].url, awaited)
    assert (stats.unawaited, stats.missing) == (unawaited, max(awaited - 2, 0))
    line = "STORE_REPLICAS is 1, but a Redis primary has 2 replicas: a failover may lose acknowledged changes"
    assert [record.getMessage() for record in caplog.records] == [line] * unawaited


def test_a_replica_too_many_is_logged_once_and_again_when_it_comes_back(
    servers: list[Server], caplog: pytest.LogCaptureFixture
) -> None:
    primary, _, replica = servers

    async def ask() -> None:
        store = make_store(Settings(redis_url=primary.url, store_timeout=60, store_replicas=1))
        try:
            for times in (1, 2):
                assert [(await store.stats()).unawaited for _ in range(3)] == [1, 1, 1]
                assert len(caplog.records) == times
                replica.kill()
                await asyncio.to_thread(_until_it_has, 1, primary)
                assert (await store.stats()).unawaited == 0
                await asyncio.to_thread(replica.start)
                await asyncio.to_thread(_until_it_has, 2, primary)
        finally:
            await store.close()

    asyncio.run(ask())


def test_of_a_cluster_the_primary_with_most_replicas_counts(tmp_path: Path) -> None:
    with cluster(tmp_path) as nodes:
        assert _stats(nodes.url, 1).unawaited == 0
        mover, to = nodes.replicas[0], nodes.primaries[1]
        assert mover.answers("CLUSTER", "REPLICATE", node_id(to)) == b"+OK\r\n"
        _until_it_has(2, to)
        assert _stats(nodes.url, 1).unawaited == 1


def test_a_disk_on_which_redis_cannot_write_is_told_until_it_can(tmp_path: Path) -> None:
    with Server(tmp_path / "redis") as server, Redis(port=server.port) as redis:
        assert not _stats(server.url).disk_fails
        in_the_way = tmp_path / "redis" / "dump.rdb"
        (in_the_way / "full").mkdir(parents=True)
        redis.bgsave()
        wait_until(lambda: b"rdb_last_bgsave_status:err" in server.answers("INFO", "persistence"), "it can write")
        assert _stats(server.url).disk_fails
        rmtree(in_the_way)
        redis.bgsave()
        wait_until(lambda: b"rdb_last_bgsave_status:ok" in server.answers("INFO", "persistence"), "it cannot write")
        assert not _stats(server.url).disk_fails


def test_of_a_user_who_may_not_ask_nothing_is_known() -> None:
    with redis_server.running() as port:
        with Redis(port=port) as redis:
            redis.acl_setuser("guest", enabled=True, nopass=True, keys=["*"], commands=["+@all", "-info"])
        assert _stats(f"redis://guest:any@127.0.0.1:{port}") == StoreStats()


@pytest.mark.parametrize("kind", ["", "+cluster"])
def test_a_store_that_is_away_says_so(kind: str) -> None:
    with pytest.raises(StoreDown):
        _stats(f"redis{kind}://127.0.0.1:{redis_server.free_port()}")


@pytest.mark.parametrize("user", ["another:any", "guest:any"])
def test_a_store_that_refuses_the_password_or_a_right_says_so(user: str) -> None:
    with redis_server.running() as port:
        with Redis(port=port) as redis:
            redis.acl_setuser("guest", enabled=True, nopass=True, keys=["*"], commands=["+@connection", "-ping"])
        with pytest.raises(StoreMisconfigured):
            _stats(f"redis://{user}@127.0.0.1:{port}")
