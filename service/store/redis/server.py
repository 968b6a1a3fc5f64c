"""One server, or the one that sentinels name: it keeps all games."""

from collections.abc import Callable, Sequence
from typing import Protocol

from redis.exceptions import AskError

from service.store.redis.client import Connection, Pool, renew
from service.store.redis.topology import Node


class Sentinels(Protocol):
    """The sentinels that a pool asks for the primary."""

    async def aclose(self) -> None:
        """Disconnect from them."""
        ...


class Server:
    """A topology of one node, which it is itself."""

    is_cluster = False

    def __init__(self, pool: Pool, sentinels: Sentinels | None = None) -> None:
        self._pool = pool
        self._sentinels = sentinels
        self._idle: list[Connection] = []
        # An option that the library does not know is better found now.
        pool.connection_class(**pool.connection_kwargs)

    def known_node(self, key: str) -> Node:  # noqa: ARG002 – all keys are here
        """Return this server."""
        return self

    async def find_node(self, key: str) -> Node:  # noqa: ARG002 – all keys are here
        """Return this server."""
        return self

    async def redirect(self, to: AskError) -> Node:
        """Go nowhere else: only a cluster redirects.

        Errors: AskError.
        """
        raise to

    async def primaries(self) -> Sequence[Node]:
        """Return this server."""
        return (self,)

    def refresh_soon(self) -> None:
        """Do nothing: sentinels are asked before each connection."""

    def follow(self, changed: Callable[[], None]) -> None:
        """Do nothing: all keys stay here."""

    async def acquire(self) -> Connection:
        """Take a connection: an idle one, or else one of the pool's."""
        if self._idle:
            return await renew(self._idle.pop(), self._idle.append)
        return await self._pool.get_connection()

    async def release(self, connection: Connection) -> None:
        """Give a connection back: to the pool only with sentinels, for the pool is slow, but knows of failovers."""
        if self._sentinels is None:
            self._idle.append(connection)
        else:
            await self._pool.release(connection)

    async def disconnect_idle(self) -> None:
        """Disconnect all idle connections."""
        idle = self._idle[:]
        self._idle.clear()  # so that nobody takes one meanwhile
        try:
            for connection in idle:
                await connection.disconnect(nowait=True)
        finally:
            self._idle.extend(idle)
        await self._pool.disconnect(inuse_connections=False)

    async def close(self) -> None:
        """Disconnect from the server and the sentinels."""
        await self._pool.aclose()
        if self._sentinels is not None:
            await self._sentinels.aclose()
