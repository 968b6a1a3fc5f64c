"""The servers that keep the games: one, the one that sentinels name, or the nodes of a cluster."""

from collections.abc import Callable, Sequence
from typing import Protocol

from redis.exceptions import AskError

from service.store.redis.client import Connection


class Node(Protocol):
    """One server."""

    async def acquire(self) -> Connection:
        """Take a connection that works, as far as can be seen."""
        ...

    async def release(self, connection: Connection) -> None:
        """Give a connection back; it may be disconnected."""
        ...

    async def disconnect_idle(self) -> None:
        """Disconnect all idle connections, because one has just failed."""
        ...


class Topology(Protocol):
    """All servers that keep games."""

    is_cluster: bool
    """True if keys and channels are on slots, and the slots are shared out."""

    def known_node(self, key: str) -> Node | None:
        """Return the node that keeps a key; None if that is not known."""
        ...

    async def find_node(self, key: str) -> Node:
        """Return the node that keeps a key, once that is known."""
        ...

    async def redirect(self, to: AskError) -> Node:
        """Return the node that a server names as the one that keeps a key.

        Errors: AskError, if that node is not known.
        """
        ...

    async def primaries(self) -> Sequence[Node]:
        """Return the nodes that are no replicas."""
        ...

    def refresh_soon(self) -> None:
        """Ask again who keeps what, soon and without waiting for it."""
        ...

    def follow(self, changed: Callable[[], None]) -> None:
        """Look now and then who keeps what, and call back when that may have changed."""
        ...

    async def close(self) -> None:
        """Disconnect from all servers."""
        ...
