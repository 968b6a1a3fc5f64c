"""Where in Redis a game is kept: on one server, on the one that sentinels name, or on a node of a cluster.

The client library connects, authenticates, parses and knows who is who. It retries nothing here and hides no error:
whether a change may be made again is not for it to decide. It is typed only in part, hence Any, in this file alone.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import count
from typing import Any, Final, Protocol, TypeAlias

import hiredis
from redis.exceptions import AskError, MovedError

Theirs: TypeAlias = Any
"""What is the client library's, or what Redis answered."""

Word: TypeAlias = str | bytes | int

_hiredis: Theirs = hiredis
pack: Final[Callable[[tuple[Word, ...]], bytes]] = _hiredis.pack_command
"""Write a command as bytes. On an asynchronous connection the library's own way is Python and takes much longer."""

REFRESH_EVERY: Final = 0.25
"""A cluster that is in doubt is looked at again no sooner, in seconds."""


class Connection(Protocol):
    """What is used of a connection of the client library."""

    async def send_packed_command(self, command: list[bytes], check_health: bool = True) -> None:  # noqa: FBT001, FBT002 – the library's
        """Send them."""
        ...

    async def read_response(self, *, timeout: float | None = None) -> Theirs:  # noqa: ASYNC109 – the library's
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

    def known(self, key: str) -> Place | None:
        """Tell where a key is kept, if that can be told without waiting."""
        ...

    async def find(self, key: str) -> Place:
        """Tell where a key is kept, as far as known."""
        ...

    async def follow(self, told: AskError) -> Place:
        """Tell where a server says that a key is kept."""
        ...

    async def any(self) -> Place:
        """Tell some server that hears all announcements."""
        ...

    async def primaries(self) -> Sequence[Place]:
        """Tell all servers that hold games, none twice for its replicas."""
        ...

    def doubt(self) -> None:
        """Look afresh who keeps what, soon and without waiting for it."""
        ...

    async def close(self) -> None:
        """Let go of all connections."""
        ...


class Server:
    """One server, or the one that sentinels name: all games are there."""

    def __init__(self, pool: Theirs, sentinel: Theirs = None) -> None:
        self._pool = pool
        self._sentinel = sentinel
        self._idle: list[Connection] = []
        # Made for the sake of its errors: an option that nobody knows is better found now.
        pool.connection_class(**pool.connection_kwargs)

    def known(self, key: str) -> Place:  # noqa: ARG002 – all keys are here
        """Tell that a key is kept here."""
        return self

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

    async def primaries(self) -> Sequence[Place]:
        """Tell that all games are here."""
        return (self,)

    def doubt(self) -> None:
        """Nothing to look for: sentinels are asked before each connection."""

    async def lease(self) -> Connection:
        """Take a connection: one that was given back, or else one of the pool's."""
        if self._idle:
            return await _renew(self._idle.pop(), self._idle.append)
        connection: Connection = await self._pool.get_connection()
        return connection

    async def give_back(self, connection: Connection) -> None:
        """Give it back: to the pool only with sentinels, for to ask the pool takes long, and it knows of failovers."""
        if self._sentinel is None:
            self._idle.append(connection)
        else:
            await self._pool.release(connection)

    async def distrust(self) -> None:
        """Break all idle connections."""
        idle = self._idle[:]
        self._idle.clear()  # so that nobody takes one meanwhile
        try:
            for connection in idle:
                await connection.disconnect(nowait=True)
        finally:
            self._idle.extend(idle)
        await self._pool.disconnect(inuse_connections=False)

    async def close(self) -> None:
        """Let go of all connections."""
        await self._pool.aclose()
        if self._sentinel is not None:
            await self._sentinel.aclose()


class _Node:
    """One node of a cluster."""

    def __init__(self, node: Theirs) -> None:
        self.node = node

    async def lease(self) -> Connection:
        return await _renew(self.node.acquire_connection(), self.node.release)

    async def give_back(self, connection: Connection) -> None:
        self.node.release(connection)

    async def distrust(self) -> None:
        await self.node.disconnect_free_connections()


async def _renew(connection: Theirs, release: Callable[[Theirs], None]) -> Connection:
    """Make sure that an idle connection works as far as can be seen; release it where none can be made."""
    try:
        if connection.should_reconnect() or (connection.is_connected and await connection.can_read()):
            await connection.disconnect(nowait=True)
        await connection.connect()
    except BaseException:
        await connection.disconnect(nowait=True)
        release(connection)
        raise
    renewed: Connection = connection
    return renewed


class Cluster:
    """The nodes of a cluster, each with the slots that it keeps as far as known.

    Unit: `timeout` in seconds, of looking afresh who keeps what.
    """

    def __init__(self, make: Callable[[], Theirs], timeout: float) -> None:
        self._make = make
        self._timeout = timeout
        self._client = make()
        self._nodes: dict[str, _Node] = {}
        self._looking: asyncio.Task[None] | None = None
        self._not_before = 0.0
        self._turns = count()

    def known(self, key: str) -> Place | None:
        """Tell which node keeps a key, once anything is known."""
        return self._node(self._client.get_node_from_key(key)) if self._client.nodes_manager.slots_cache else None

    async def find(self, key: str) -> Place:
        """Tell which node keeps a key, as far as known."""
        await self._know()
        return self._node(self._client.get_node_from_key(key))

    async def follow(self, told: AskError) -> Place:
        """Tell the node that another one names; it keeps the key from now on, or only for this once.

        Errors: AskError, for one that is not known yet.
        """
        if isinstance(told, MovedError):
            await self._client.nodes_manager.move_slot(told)
        # The library sets these without saying of which type.
        named: Theirs = told
        node = self._client.get_node(host=named.host, port=named.port)
        if node is None:
            raise told
        return self._node(node)

    async def any(self) -> Place:
        """Tell the next node: announcements reach all of them."""
        await self._know()
        nodes = self._client.get_nodes()
        return self._node(nodes[next(self._turns) % len(nodes)])

    async def primaries(self) -> Sequence[Place]:
        """Tell every primary."""
        await self._know()
        return [self._node(node) for node in self._client.get_primaries()]

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

    def _node(self, node: Theirs) -> _Node:
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
