"""The client library, redis-py over hiredis, as far as it is used: it connects, authenticates, parses, finds nodes.

It retries nothing here and hides no error, for whether a change may be made again is not for it to decide. What is used
of it here and in `topology`, its documentation does not promise: a test compares that with the installed version.
"""

from collections.abc import Callable
from typing import Any, Final, TypeAlias

import hiredis
from redis.asyncio.connection import ConnectionPool

Argument: TypeAlias = str | bytes | int
"""A part of a command."""

_hiredis: Any = hiredis
pack: Final[Callable[[tuple[Argument, ...]], bytes]] = _hiredis.pack_command
"""Write a command as bytes. On an asynchronous connection the library does it in Python, which takes much longer."""

Connection: TypeAlias = Any
"""A connection of the library's, which has types only in part."""


class Node:
    """One server, with the idle connections to it: the library's own pool takes ten times as long, and has a lock."""

    def __init__(self, pool: ConnectionPool) -> None:
        self._pool: Any = pool
        self._idle: list[Connection] = []

    async def acquire(self) -> Connection:
        """Take a connection that works, as far as can be seen."""
        connection: Connection = self._idle.pop() if self._idle else self._pool.make_connection()
        try:
            if getattr(self._pool, "master_address", None) not in {None, (connection.host, connection.port)}:
                await connection.disconnect(nowait=True)  # sentinels have named another primary since
            await self._pool.ensure_connection(connection)
        except BaseException:
            await connection.disconnect(nowait=True)
            raise
        return connection

    def release(self, connection: Connection) -> None:
        """Give back a connection on which no answer is outstanding."""
        self._idle.append(connection)

    async def disconnect_idle(self) -> None:
        """Disconnect all idle connections."""
        idle, self._idle = self._idle, []
        for connection in idle:
            await connection.disconnect(nowait=True)
