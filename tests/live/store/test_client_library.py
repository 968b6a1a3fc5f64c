"""The parts of redis-py and hiredis that are used though their documentation does not promise them."""

import asyncio
import inspect
from collections.abc import Callable
from functools import partial
from importlib import metadata
from typing import Any, Final

import hiredis
import pytest
import redis.asyncio.sentinel
from redis.asyncio.cluster import ClusterNode, RedisCluster
from redis.asyncio.connection import Connection, ConnectionPool, SSLConnection
from redis.crc import key_slot

from service.live.store.redis.topology import Cluster, pack
from service.live.store.redis.url import connect
from tests.support.patience import WAIT

_Make = Callable[[], Any]


# Without its types: it has only some.
_sentinel: Any = redis.asyncio.sentinel


def _sentinels() -> Any:
    return _sentinel.Sentinel([("127.0.0.1", 1)])


_CONNECTIONS: Final[tuple[_Make, ...]] = (
    Connection,
    SSLConnection,
    partial(_sentinel.SentinelManagedConnection, connection_pool=None),
    partial(_sentinel.SentinelManagedSSLConnection, connection_pool=None),
)
_POOLS: Final[tuple[_Make, ...]] = (ConnectionPool, lambda: _sentinel.SentinelConnectionPool("game", _sentinels()))


def _map() -> Any:
    return RedisCluster("127.0.0.1", 1).nodes_manager


USED: Final[list[tuple[tuple[_Make, ...], str, dict[str, object] | None]]] = [
    (_CONNECTIONS, "host", None),
    (_CONNECTIONS, "port", None),
    (_CONNECTIONS, "disconnect", {"nowait": False}),
    (_CONNECTIONS, "send_packed_command", {"command": inspect.Parameter.empty, "check_health": True}),
    (_CONNECTIONS, "read_response", {"timeout": None}),
    (_POOLS, "ensure_connection", {"connection": inspect.Parameter.empty}),
    (_POOLS[1:], "master_address", None),
    ((lambda: ClusterNode("127.0.0.1", 1),), "name", None),
    ((_map,), "slots_cache", None),
    ((_map,), "startup_nodes", None),
    ((_map,), "nodes_cache", None),
    ((_map,), "connection_kwargs", None),
    ((_map,), "initialize", {}),
    ((_map,), "move_slot", {"e": inspect.Parameter.empty}),
    ((_map,), "aclose", {"attr": "nodes_cache"}),
]
"""Makers of the objects, a member and, for a coroutine function, the parameters that are used, with their defaults."""
PARTS: Final = [
    pytest.param(make, name, declared, id=f"{name} {at}")
    for makers, name, declared in USED
    for at, make in enumerate(makers)
]


@pytest.mark.parametrize(("make", "name", "declared"), PARTS)
def test_the_library_has_what_is_used(make: _Make, name: str, declared: dict[str, object] | None) -> None:
    async def made() -> Any:
        return getattr(make(), name)

    found = asyncio.run(made())
    if declared is not None:
        theirs = inspect.signature(found).parameters
        assert inspect.iscoroutinefunction(found)
        assert {parameter: theirs[parameter].default for parameter in declared} == declared


@pytest.mark.parametrize("make", _POOLS)
def test_a_pool_makes_connections_that_it_does_not_keep(make: _Make) -> None:
    async def made() -> None:
        pool = make()
        assert pool.make_connection() is not pool.make_connection()

    asyncio.run(made())


def test_the_slot_of_a_key_is_the_slot_of_its_tag() -> None:
    assert key_slot(b"catchten:{game}") == key_slot(b"catchten:changes:{game}") == key_slot(b"game")


def test_a_command_is_packed() -> None:
    assert pack(("SET", b"\xff", 1)) == b"*3\r\n$3\r\nSET\r\n$1\r\n\xff\r\n$1\r\n1\r\n"
    assert hiredis.__version__.split(".")[0] == "3"


def test_an_answer_is_awaited_as_long_as_is_asked_for_and_a_connection_that_is_of_no_use_is_renewed(
    redis_url: str,
) -> None:
    async def read() -> None:
        pool: Any = ConnectionPool(host="127.0.0.1", port=int(redis_url.rpartition(":")[2]), protocol=2)
        pool.connection_kwargs["socket_timeout"] = None
        connection = pool.make_connection()
        await pool.ensure_connection(connection)
        assert await connection.read_response(timeout=0.02) is None
        reading = asyncio.create_task(connection.read_response())
        await asyncio.sleep(0.1)
        assert not reading.done()
        for _ in range(2):
            await connection.send_packed_command([pack(("PING",))], check_health=False)
        assert await reading == b"PONG"
        async with asyncio.timeout(WAIT):
            while not await connection.can_read():  # noqa: ASYNC110 – the library has no event for it
                await asyncio.sleep(0.01)
        await pool.ensure_connection(connection)
        assert not await connection.can_read()
        await connection.disconnect(nowait=True)

    asyncio.run(read())


@pytest.mark.parametrize(
    "url", ["redis://127.0.0.1:1", "redis+sentinel://127.0.0.1:1/game", "redis+cluster://127.0.0.1:1"]
)
def test_a_connection_is_made_without_reading_the_metadata_of_the_library(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def make_connection() -> None:
        topology = connect(url, 1)
        monkeypatch.setattr(metadata, "version", _refuse)  # it takes over a millisecond
        node = topology._node_at("127.0.0.1", 1) if isinstance(topology, Cluster) else topology._node
        assert node._pool.make_connection().driver_info.formatted_name == "redis-py"

    asyncio.run(make_connection())


def _refuse(name: str) -> str:
    raise AssertionError(name)
