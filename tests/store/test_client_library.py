"""The parts of redis-py and hiredis that are used though their documentation does not promise them."""

import asyncio
import inspect
import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import hiredis
import pytest
import redis.asyncio.sentinel
from redis.asyncio.cluster import ClusterNode, RedisCluster
from redis.asyncio.connection import Connection, ConnectionPool, SSLConnection

from service.store.redis import client, server

_Make = Callable[[], Any]


# Without its types, of which it has some only.
_sentinel: Any = redis.asyncio.sentinel


def _sentinels() -> Any:
    return _sentinel.Sentinel([("127.0.0.1", 1)])


USED: dict[type, tuple[_Make, ...]] = {
    client.Connection: (
        Connection,
        SSLConnection,
        partial(_sentinel.SentinelManagedConnection, connection_pool=None),
        partial(_sentinel.SentinelManagedSSLConnection, connection_pool=None),
    ),
    client.Pool: (ConnectionPool, lambda: _sentinel.SentinelConnectionPool("game", _sentinels())),
    client.PooledNode: (lambda: ClusterNode("127.0.0.1", 1),),
    client.Nodes: (lambda: RedisCluster("127.0.0.1", 1).nodes_manager,),
    client.ClusterClient: (lambda: RedisCluster("127.0.0.1", 1),),
    server.Sentinels: (_sentinels,),
}


def _members(protocol: type) -> Iterator[tuple[str, Any]]:
    """Return what a protocol declares: attributes with None, and methods."""
    yield from ((name, None) for name in protocol.__annotations__)
    for name, member in vars(protocol).items():
        if isinstance(member, property):
            yield name, None
        elif inspect.isfunction(member) and not name.startswith("_"):
            yield name, member


PARTS = [
    pytest.param(make, name, member, id=f"{protocol.__name__} {name} {at}")
    for protocol, makers in USED.items()
    for at, make in enumerate(makers)
    for name, member in _members(protocol)
]


def test_every_protocol_of_the_library_is_compared() -> None:
    declared = {
        member for member in vars(client).values() if inspect.isclass(member) and member.__module__ == client.__name__
    }
    assert declared == set(USED) - {server.Sentinels}


@pytest.mark.parametrize(("make", "name", "declared"), PARTS)
def test_the_library_has_what_is_declared(make: _Make, name: str, declared: Any) -> None:
    async def made() -> Any:
        return getattr(make(), name)

    found = asyncio.run(made())
    if declared is not None:
        parameters = list(inspect.signature(declared).parameters.values())[1:]
        theirs = inspect.signature(found).parameters
        assert {each.name for each in parameters} <= set(theirs)
        assert inspect.iscoroutinefunction(found) == inspect.iscoroutinefunction(declared)
        assert [theirs[each.name].default for each in parameters] == [each.default for each in parameters]


def test_a_command_is_packed() -> None:
    assert client.pack(("SET", b"\xff", 1)) == b"*3\r\n$3\r\nSET\r\n$1\r\n\xff\r\n$1\r\n1\r\n"
    assert hiredis.__version__.split(".")[0] == "3"


def test_an_answer_is_awaited_as_long_as_is_asked_for_and_what_nobody_awaits_can_be_seen(redis_url: str) -> None:
    async def read() -> None:
        port = int(redis_url.rpartition(":")[2])
        connection: Any = Connection(host="127.0.0.1", port=port, socket_timeout=0.02, protocol=2)
        await connection.connect()
        assert await connection.read_response(timeout=0.02) is None
        assert not await connection.can_read()
        reading = asyncio.create_task(connection.read_response(timeout=math.inf))
        await asyncio.sleep(0.1)
        assert not reading.done()
        for _ in range(2):
            await connection.send_packed_command([client.pack(("PING",))], check_health=False)
        assert await reading == b"PONG"
        async with asyncio.timeout(5):
            while not await connection.can_read():  # noqa: ASYNC110 – the library has no event for it
                await asyncio.sleep(0.01)
        await connection.disconnect(nowait=True)

    asyncio.run(read())
