"""Where in Redis a game is kept: on one server, on the one that sentinels name, or on a node of a cluster.

The client library connects, authenticates, parses and knows who is who. It retries nothing here and hides no error:
whether a change may be made again is not for it to decide. It is typed only in part, hence Any in this file alone.
"""

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from random import choice
from typing import Any, Final, Protocol
from urllib.parse import urlsplit, urlunsplit

from redis.asyncio.cluster import ClusterNode, RedisCluster
from redis.asyncio.connection import ConnectionPool, parse_url
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel
from redis.backoff import NoBackoff
from redis.exceptions import AskError, MovedError

CONNECTIONS: Final = 64
"""Connections to one server, at most; what holds the number low is that few batches are under way at once."""
SENTINEL_PORT: Final = 26379
REFRESH_EVERY: Final = 0.25
"""A cluster that is in doubt is looked at again no sooner, in seconds."""


class Connection(Protocol):
    """What is used of a connection of the client library."""

    def pack_commands(self, commands: Iterable[Iterable[Any]]) -> list[bytes]:
        """Write commands as bytes."""
        ...

    async def send_packed_command(self, command: list[bytes], check_health: bool = True) -> None:  # noqa: FBT001, FBT002 – the library's
        """Send them."""
        ...

    async def read_response(self, *, timeout: float | None = None) -> Any:  # noqa: ASYNC109 – the library's
        """Read one answer; None when there is none in time."""
        ...

    async def disconnect(self, nowait: bool = False) -> None:  # noqa: FBT001, FBT002 – the library's
        """Break the connection; it connects again by itself."""
        ...


class Place(Protocol):
    """One server."""

    async def lease(self) -> Connection:
        """Take a connection that works as far as can be seen."""
        ...

    async def give_back(self, connection: Connection) -> None:
        """Give it back; one that was disconnected is good, too."""
        ...

    async def distrust(self) -> None:
        """Break all idle connections: one has just failed."""
        ...


class Places(Protocol):
    """All servers that hold games."""

    async def find(self, key: str) -> Place:
        """Tell where a key is kept, as far as known."""
        ...

    async def follow(self, told: AskError) -> Place:
        """Tell where a server says that a key is kept."""
        ...

    async def any(self) -> Place:
        """Tell some server that hears all announcements."""
        ...

    def doubt(self) -> None:
        """Look afresh who keeps what, soon and without waiting for it."""
        ...

    async def close(self) -> None:
        """Let go of all connections."""
        ...


def connect(url: str, timeout: float) -> Places:
    """Make the places that a URL names, not yet connected.

    Shape: redis:// and rediss:// (TLS) name one server; redis+sentinel:// and rediss+sentinel:// name sentinels,
    `host:port,host:port/service/database`; redis+cluster:// and rediss+cluster:// name some nodes, `host:port,…`.
    The query may hold options of the client library, such as ssl_ca_certs, and sentinel_username, sentinel_password.
    Unit: `timeout` in seconds, of a whole call; a step that has alternatives gets a quarter of it.
    Errors: ValueError, which shows nothing of the URL, for one that cannot be read.
    """
    try:
        return _connect(url, timeout)
    except Exception:
        # The text of the fault, and what stands behind it, may show a password.
        raise ValueError("REDIS_URL is no URL of a Redis server, of sentinels or of a cluster") from None


def _connect(url: str, timeout: float) -> Places:
    parts = urlsplit(url)
    scheme, _, kind = parts.scheme.partition("+")
    credentials, at, hosts = parts.netloc.rpartition("@")
    addresses = [_address(host, SENTINEL_PORT if kind == "sentinel" else 6379) for host in hosts.split(",")]
    first = urlunsplit((scheme, f"{credentials}{at}{hosts.split(',')[0]}", parts.path, parts.query, ""))
    options: dict[str, Any] = {**parse_url(first)}
    # With protocol 2 nothing but answers arrives on a connection; no step waits longer than a whole call may.
    options |= {"protocol": 2, "retry": Retry(NoBackoff(), 0), "socket_connect_timeout": timeout}
    if kind == "sentinel":
        return _sentinels(addresses, parts.path, scheme == "rediss", timeout, options)
    if kind == "cluster":
        return _cluster(addresses, scheme == "rediss", timeout, options)
    if kind or len(addresses) > 1:
        raise ValueError
    return Server(ConnectionPool(max_connections=CONNECTIONS, **options, socket_timeout=None))


def _address(text: str, port: int) -> tuple[str, int]:
    parts = urlsplit(f"//{text}")
    if not parts.hostname:
        raise ValueError
    return parts.hostname, parts.port or port


def _sentinels(
    addresses: list[tuple[str, int]], path: str, tls: bool, timeout: float, options: dict[str, Any]
) -> "Server":
    service, _, database = path.strip("/").partition("/")
    tls_options = {name: value for name, value in options.items() if name.startswith("ssl_")}
    asked: dict[str, Any] = {
        "protocol": 2,
        "retry": options["retry"],
        "socket_timeout": timeout / 4,
        "socket_connect_timeout": timeout / 4,
        "ssl": tls,
        "username": options.pop("sentinel_username", None),
        "password": options.pop("sentinel_password", None),
        **tls_options,
    }
    for name in ("host", "port", "db", "connection_class"):
        options.pop(name, None)
    sentinel: Any = Sentinel(addresses, sentinel_kwargs=asked)  # type: ignore[no-untyped-call]  # the library's
    options |= {"db": int(database or 0), "ssl": tls, "max_connections": CONNECTIONS, "socket_timeout": None}
    return Server(sentinel.master_for(service or "mymaster", **options).connection_pool, sentinel)


def _cluster(addresses: list[tuple[str, int]], tls: bool, timeout: float, options: dict[str, Any]) -> "Cluster":
    for name in ("host", "port", "connection_class"):
        options.pop(name, None)
    options |= {
        "ssl": tls,
        "require_full_coverage": False,
        "max_connections": CONNECTIONS,
        "socket_timeout": timeout / 4,
        "socket_connect_timeout": timeout / 4,
    }

    def make() -> Any:
        return RedisCluster(startup_nodes=[ClusterNode(host, port) for host, port in addresses], **options)

    return Cluster(make, timeout)


class Server:
    """One server, or the one that sentinels name: all games are there."""

    def __init__(self, pool: Any, sentinel: Any = None) -> None:
        self._pool = pool
        self._sentinel = sentinel
        # Made for the sake of its errors: an option that nobody knows is better found now.
        pool.connection_class(**pool.connection_kwargs)

    async def find(self, key: str) -> Place:  # noqa: ARG002 – all keys are here
        """Tell that a key is kept here."""
        return self

    async def follow(self, told: AskError) -> Place:
        """Refuse to go elsewhere: only a cluster sends one there.

        Errors: AskError.
        """
        raise told

    async def any(self) -> Place:
        """Tell that announcements are heard here."""
        return self

    def doubt(self) -> None:
        """Nothing to look for: sentinels are asked before each connection."""

    async def lease(self) -> Connection:
        """Take a connection."""
        connection: Connection = await self._pool.get_connection()
        return connection

    async def give_back(self, connection: Connection) -> None:
        """Give it back."""
        await self._pool.release(connection)

    async def distrust(self) -> None:
        """Break all idle connections."""
        await self._pool.disconnect(inuse_connections=False)

    async def close(self) -> None:
        """Let go of all connections."""
        await self._pool.aclose()
        if self._sentinel is not None:
            await self._sentinel.aclose()


class _Node:
    """One node of a cluster."""

    def __init__(self, node: Any) -> None:
        self.node = node

    async def lease(self) -> Connection:
        connection = self.node.acquire_connection()
        try:
            if connection.should_reconnect() or (connection.is_connected and await connection.can_read()):
                await connection.disconnect(nowait=True)
            await connection.connect()
        except BaseException:
            await connection.disconnect(nowait=True)
            self.node.release(connection)
            raise
        leased: Connection = connection
        return leased

    async def give_back(self, connection: Connection) -> None:
        self.node.release(connection)

    async def distrust(self) -> None:
        await self.node.disconnect_free_connections()


class Cluster:
    """The nodes of a cluster, each with the slots that it keeps as far as known.

    Unit: `timeout` in seconds, of looking afresh who keeps what.
    """

    def __init__(self, make: Callable[[], Any], timeout: float) -> None:
        self._make = make
        self._timeout = timeout
        self._client = make()
        self._nodes: dict[str, _Node] = {}
        self._looking: asyncio.Task[None] | None = None
        self._not_before = 0.0

    async def find(self, key: str) -> Place:
        """Tell which node keeps a key, as far as known."""
        await self._know()
        return self._node(self._client.get_node_from_key(key))

    async def follow(self, told: AskError) -> Place:
        """Tell the node that another one names; it keeps the key from now on, or only for this once."""
        manager = self._client.nodes_manager
        if isinstance(told, MovedError):
            await manager.move_slot(told)
        node = self._client.get_node(host=told.host, port=told.port)
        return self._node(node or ClusterNode(told.host, told.port, **manager.connection_kwargs))

    async def any(self) -> Place:
        """Tell some node: announcements reach all of them."""
        await self._know()
        return self._node(choice(self._client.get_nodes()))

    def doubt(self) -> None:
        """Look afresh who keeps what, soon, and while it is not known go on with what was."""
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())

    async def close(self) -> None:
        """Let go of all connections."""
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.wait([self._looking])
        await self._disconnect()

    def _node(self, node: Any) -> _Node:
        known = self._nodes.get(node.name)
        if known is None or known.node is not node:
            known = self._nodes[node.name] = _Node(node)
        return known

    async def _know(self) -> None:
        while not self._client.nodes_manager.slots_cache:
            self.doubt()
            if self._looking is not None:
                await asyncio.shield(self._looking)

    async def _look(self) -> None:
        """Ask any node who keeps what; where none answers, begin again with those that the URL names."""
        clock = asyncio.get_running_loop().time
        await asyncio.sleep(self._not_before - clock())
        try:
            async with asyncio.timeout(self._timeout):
                await self._client.nodes_manager.initialize()
        except Exception:  # noqa: BLE001 – whatever it is, the cure is to begin again
            await self._disconnect()
            self._client = self._make()
        self._not_before = clock() + REFRESH_EVERY

    async def _disconnect(self) -> None:
        manager = self._client.nodes_manager
        for nodes in ("nodes_cache", "startup_nodes"):
            with suppress(Exception):
                await manager.aclose(nodes)
