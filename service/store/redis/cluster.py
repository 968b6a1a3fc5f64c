"""The nodes of a Redis Cluster, each with the slots that it keeps."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import count
from typing import Any, Final

from redis.exceptions import AskError, MovedError, SlotNotCoveredError

from service.store.redis.client import ClusterClient, Connection, PooledNode, renew
from service.store.redis.failures import log_failure
from service.store.redis.topology import Node

REFRESH_EVERY: Final = 0.25
"""Seconds between two refreshes, at least."""
LOOK_EVERY: Final = 2.0
"""Seconds between two looks at what a node says of who keeps what."""


class ClusterNode:
    """One node of a cluster."""

    def __init__(self, pool: PooledNode) -> None:
        self.pool = pool

    async def acquire(self) -> Connection:
        """Take a connection that works, as far as can be seen."""
        return await renew(self.pool.acquire_connection(), self.pool.release)

    async def release(self, connection: Connection) -> None:
        """Give a connection back."""
        self.pool.release(connection)

    async def disconnect_idle(self) -> None:
        """Disconnect all idle connections."""
        await self.pool.disconnect_free_connections()


class Cluster:
    """The topology of a cluster.

    Unit: `timeout` bounds a refresh, in seconds.
    """

    is_cluster = True

    def __init__(self, make_client: Callable[[Iterable[tuple[str, int]]], ClusterClient], timeout: float) -> None:
        self._make_client = make_client
        self._timeout = timeout
        self._client = make_client(())
        self._addresses: list[tuple[str, int]] = []
        self._nodes: dict[str, ClusterNode] = {}
        self._refresh: asyncio.Task[None] | None = None
        self._looking: asyncio.Task[None] | None = None
        self._not_before = 0.0
        self._turns = count()
        self._changed: Callable[[], None] | None = None

    def known_node(self, key: str) -> Node | None:
        """Return the node that keeps a key; None if none is known."""
        try:
            return self._node(self._client.get_node_from_key(key))
        except SlotNotCoveredError:
            return None

    async def find_node(self, key: str) -> Node:
        """Return the node that keeps a key, once that is known."""
        await self._know_slots()
        return self._node(self._client.get_node_from_key(key))

    async def redirect(self, to: AskError) -> Node:
        """Return the node that another one names; it keeps the key from now on, or only for this once.

        Errors: AskError, if the node is not known yet.
        """
        if isinstance(to, MovedError):
            await self._client.nodes_manager.move_slot(to)
        # The library sets these without saying of which type.
        untyped: Any = to
        node = self._client.get_node(host=untyped.host, port=untyped.port)
        if node is None:
            raise to
        return self._node(node)

    async def primaries(self) -> Sequence[Node]:
        """Return every primary."""
        await self._know_slots()
        return [self._node(node) for node in self._client.get_primaries()]

    def refresh_soon(self) -> None:
        """Ask again who keeps what, and go on with what is known meanwhile."""
        if self._refresh is None or self._refresh.done():
            self._refresh = asyncio.create_task(self._ask_for_slots())

    def follow(self, changed: Callable[[], None]) -> None:
        """Ask one node after the other who keeps what, and call back after each refresh."""
        self._changed = changed
        self._looking = asyncio.create_task(self._look())

    async def close(self) -> None:
        """Disconnect from all nodes."""
        for task in (self._looking, self._refresh):
            if task is not None:
                task.cancel()
                await asyncio.wait([task])
        await self._disconnect()

    def _node(self, pool: PooledNode) -> ClusterNode:
        known = self._nodes.get(pool.name)
        if known is None or known.pool is not pool:
            known = self._nodes[pool.name] = ClusterNode(pool)
        return known

    async def _know_slots(self) -> None:
        while not self._client.nodes_manager.slots_cache:
            self.refresh_soon()
            if self._refresh is not None:
                await asyncio.shield(self._refresh)

    async def _ask_for_slots(self) -> None:
        """Ask any node who keeps what; if none answers, begin again with those that the URL names or were known."""
        clock = asyncio.get_running_loop().time
        await asyncio.sleep(self._not_before - clock())
        try:
            async with asyncio.timeout(self._timeout):
                await self._client.nodes_manager.initialize()
            self._addresses = [(node.host, node.port) for node in self._client.get_nodes()]
        except Exception as exc:  # noqa: BLE001 – the library and the event loop raise all kinds
            log_failure(exc)
            await self._disconnect()
            self._client = self._make_client(self._addresses)
        self._not_before = clock() + REFRESH_EVERY
        if self._changed is not None:
            self._changed()

    async def _look(self) -> None:
        """Refresh when a node says otherwise than is known: a node that has left tells nobody."""
        while True:
            await asyncio.sleep(LOOK_EVERY)
            nodes = self._client.get_nodes()
            if not nodes or not await self._agrees(nodes[next(self._turns) % len(nodes)]):
                self.refresh_soon()

    async def _agrees(self, node: PooledNode) -> bool:
        """Return whether a node answers, and names the primaries that are known."""
        try:
            async with asyncio.timeout(self._timeout):
                ranges = await node.execute_command("CLUSTER SLOTS")
        except Exception as exc:  # noqa: BLE001 – the library and the event loop raise all kinds
            log_failure(exc)
            return False
        slots = self._client.nodes_manager.slots_cache
        for first, last, (host, port, *_), *_ in ranges:
            primary = self._client.get_node(host=host.decode() if host else node.host, port=port)
            if any(slots.get(slot, (None,))[0] is not primary for slot in range(first, last + 1)):
                return False
        return True

    async def _disconnect(self) -> None:
        manager = self._client.nodes_manager
        for nodes in ("nodes_cache", "startup_nodes"):
            with suppress(Exception):  # the connections are given up in any case
                await manager.aclose(nodes)
