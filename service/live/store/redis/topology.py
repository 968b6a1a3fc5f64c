"""The servers that keep the games: one, the one that sentinels name, or the nodes of a cluster.

redis-py over hiredis connects, authenticates, parses, and finds nodes. It retries nothing here and hides no error,
because it cannot know if a change may be repeated. Some parts used here are not documented: a test compares them with
the installed version.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any, Final, TypeAlias

import hiredis
from redis.asyncio.cluster import ClusterNode, RedisCluster
from redis.asyncio.connection import ConnectionPool
from redis.asyncio.sentinel import Sentinel
from redis.crc import key_slot
from redis.exceptions import AskError, MovedError, SlotNotCoveredError

from service.live.store.redis.failures import log_failure

REFRESH_PAUSE: Final = 0.25
"""Minimum seconds between two refreshes."""
REFRESH_EVERY: Final = 4.0
"""Seconds after which the map of slots is refreshed: a node that leaves tells nobody."""
CANCEL_EVERY: Final = 0.05
"""Seconds after which a refresh that survived its cancellation is canceled again."""
MAX_SEEN: Final = 100
"""Most addresses of nodes that are remembered: those listed last, then earlier ones."""
Argument: TypeAlias = str | bytes | int
"""A part of a command."""

_hiredis: Any = hiredis
pack: Final[Callable[[tuple[Argument, ...]], bytes]] = _hiredis.pack_command
"""Encode a command. On an asynchronous connection the library does so in Python, which is much slower."""

Connection: TypeAlias = Any
"""A connection of the library, which is only partly typed."""


class UnexpectedCluster(Exception):
    """A single server redirects to another one: it belongs to a cluster."""


class Node:
    """One server with its idle connections: the library's own pool takes ten times as long, and has a lock."""

    def __init__(self, pool: ConnectionPool) -> None:
        self._pool: Any = pool
        self._idle: list[Connection] = []

    async def acquire(self) -> Connection:
        """Take a connection that seems to work."""
        connection: Connection = self._idle.pop() if self._idle else self._pool.make_connection()
        try:
            if getattr(self._pool, "master_address", None) not in {None, (connection.host, connection.port)}:
                await connection.disconnect(nowait=True)  # sentinels named another primary since
            await self._pool.ensure_connection(connection)
        except BaseException:
            await connection.disconnect(nowait=True)
            raise
        return connection

    def release(self, connection: Connection) -> None:
        """Return a connection without outstanding answers."""
        self._idle.append(connection)

    async def disconnect_idle(self) -> None:
        """Disconnect all idle connections."""
        idle, self._idle = self._idle, []
        for connection in idle:
            await connection.disconnect(nowait=True)


class Topology:
    """One server, or the primary that sentinels name: it keeps all games."""

    is_cluster = False
    """True if keys and channels are on slots, spread over nodes."""
    addresses: Sequence[tuple[str, int]] = ()
    """The addresses that the URL names."""
    tls = False
    """True if the URL asks for TLS."""
    fault: Exception | None = None
    """The failure of the last refresh; None if it succeeded."""
    on_change: Callable[[], Awaitable[None]] | None = None
    """Called whenever slots have moved."""

    def __init__(self, node: Node, sentinels: Sentinel | None = None) -> None:
        self._node = node
        self._sentinels = sentinels

    def find(self, key: str) -> Node | None:  # noqa: ARG002 – all keys are here
        """Return the node that keeps a key; None if that is not known."""
        return self._node

    async def discover(self, key: str) -> Node:  # noqa: ARG002 – all keys are here
        """Return the node that keeps a key, once that is known."""
        return self._node

    async def redirect(self, to: AskError) -> Node:
        """Return the node of a redirection: it keeps the key from now on, or for this command only."""
        raise UnexpectedCluster(str(to)) from to

    def primaries(self) -> Sequence[Node]:
        """Return the known primaries."""
        return (self._node,)

    def refresh_soon(self) -> None:
        """Start a refresh without waiting for it; sentinels are asked before each connection anyway."""

    async def close(self) -> None:
        """Disconnect."""
        await self._node.disconnect_idle()
        if self._sentinels is not None:
            await self._sentinels.aclose()


class Cluster(Topology):
    """The nodes of a cluster.

    Shape: `addresses` are those of some nodes, `make_node` connects to one.
    Unit: `timeout` bounds a refresh, in seconds.
    """

    is_cluster = True

    def __init__(
        self,
        addresses: Sequence[tuple[str, int]],
        make_node: Callable[[str, int], Node],
        timeout: float,
        **options: Any,
    ) -> None:
        self.addresses = addresses
        self._seen: list[tuple[str, int]] = []
        self._make_node = make_node
        self._timeout = timeout
        named = [ClusterNode(host, port) for host, port in addresses]
        self._map = RedisCluster(startup_nodes=named, require_full_coverage=False, **options).nodes_manager
        self._nodes: dict[tuple[str, int], Node] = {}
        self._owners: dict[int, str] = {}
        self._known, self._stale = asyncio.Event(), asyncio.Event()
        self._refreshing: asyncio.Task[None] | None = None

    def find(self, key: str) -> Node | None:
        """Return the node that keeps a key; None if that is not known."""
        nodes = self._map.slots_cache.get(key_slot(key.encode()))
        return self._node_at(nodes[0].host, nodes[0].port) if nodes else None

    async def discover(self, key: str) -> Node:
        """Return the node that keeps a key, once that is known.

        Errors: SlotNotCoveredError.
        """
        self.refresh_soon()
        await self._known.wait()
        if (node := self.find(key)) is None:
            raise SlotNotCoveredError
        return node

    async def redirect(self, to: AskError) -> Node:
        """Return the node of a redirection: it keeps the key from now on, or for this command only."""
        if isinstance(to, MovedError):
            await self._map.move_slot(to)
        untyped: Any = to  # the library sets these without a type
        return self._node_at(untyped.host, untyped.port)

    def primaries(self) -> Sequence[Node]:
        """Return the known primaries."""
        addresses = {(nodes[0].host, nodes[0].port) for nodes in self._map.slots_cache.values()}
        return [self._node_at(host, port) for host, port in addresses]

    def refresh_soon(self) -> None:
        """Start a refresh of the map of slots, and use the old one meanwhile."""
        self._stale.set()
        if self._refreshing is None:
            self._refreshing = asyncio.create_task(self._keep_fresh())

    async def close(self) -> None:
        """Disconnect from all nodes."""
        while self._refreshing is not None and not self._refreshing.done():
            self._refreshing.cancel()  # the library may swallow a cancellation while it connects
            await asyncio.wait([self._refreshing], timeout=CANCEL_EVERY)
        for node in self._nodes.values():
            await node.disconnect_idle()
        for kind in ("nodes_cache", "startup_nodes"):
            with suppress(Exception):  # the connections are dropped in any case
                await self._map.aclose(kind)

    def _node_at(self, host: str, port: str | int) -> Node:
        address = (host, int(port))
        if address not in self._nodes:
            self._nodes[address] = self._make_node(*address)
        return self._nodes[address]

    async def _keep_fresh(self) -> None:
        while True:
            self._stale.clear()
            try:
                async with asyncio.timeout(self._timeout):
                    await self._map.initialize()
                self.fault = None
                await self._note_owners()
            except Exception as exc:  # noqa: BLE001 – the library and the event loop raise all kinds
                log_failure(exc)
                self.fault = exc
                self._stale.set()
                # Perhaps none of the last known nodes is left: a replica may list only its dead primary.
                for host, port in (*self.addresses, *self._seen):
                    named = ClusterNode(host, port, **self._map.connection_kwargs)
                    self._map.startup_nodes.setdefault(named.name, named)
            await asyncio.sleep(REFRESH_PAUSE)
            with suppress(TimeoutError):
                async with asyncio.timeout(REFRESH_EVERY):
                    await self._stale.wait()

    async def _note_owners(self) -> None:
        self._known.set()
        listed = [(node.host, int(node.port)) for node in self._map.nodes_cache.values()]
        others = [address for address in self._seen if address not in listed]
        self._seen = [*others, *listed][-MAX_SEEN:]
        owners = {slot: nodes[0].name for slot, nodes in self._map.slots_cache.items()}
        if owners != self._owners and self.on_change is not None:
            await self.on_change()
        self._owners = owners
