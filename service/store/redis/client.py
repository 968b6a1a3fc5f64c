"""The client library, redis-py over hiredis, as far as it is used: it connects, authenticates, parses, finds nodes.

It retries nothing here and hides no error, for whether a change may be made again is not for it to decide. Its
documentation does not promise much of what is used, so all of it is declared here, and a test compares that with the
installed version. It is typed only in part, hence Any.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol, TypeAlias

import hiredis
from redis.exceptions import AskError

Argument: TypeAlias = str | bytes | int
"""A part of a command."""

_hiredis: Any = hiredis
pack: Final[Callable[[tuple[Argument, ...]], bytes]] = _hiredis.pack_command
"""Write a command as bytes. On an asynchronous connection the library does it in Python, which takes much longer."""


class Connection(Protocol):
    """A connection to a server; one that was disconnected connects again when something is sent."""

    @property
    def is_connected(self) -> bool:
        """True if it is connected, as far as is known."""
        ...

    async def connect(self) -> None:
        """Connect, unless it is connected."""
        ...

    async def disconnect(self, nowait: bool = False) -> None:  # noqa: FBT001, FBT002 – the library's
        """Disconnect; with `nowait` without waiting for the other side."""
        ...

    def should_reconnect(self) -> bool:
        """Return whether the library wants it to connect anew."""
        ...

    async def can_read(self) -> bool:
        """Return whether something can be read: an answer that nobody waits for, or the end of the connection."""
        ...

    async def send_packed_command(self, command: list[bytes], check_health: bool = True) -> None:  # noqa: FBT001, FBT002 – the library's
        """Send commands that are packed."""
        ...

    async def read_response(self, *, timeout: float | None = None) -> Any:  # noqa: ASYNC109 – the library's
        """Return one answer; None if there is none in time, which with `math.inf` does not end.

        Errors: ResponseError, for an error that the server answered.
        """
        ...


class Pool(Protocol):
    """The connections to one server, or to the primary that sentinels name."""

    connection_class: Callable[..., Connection]

    @property
    def connection_kwargs(self) -> dict[str, Any]:
        """The options of a connection."""
        ...

    async def get_connection(self) -> Connection:
        """Take a connection that is connected."""
        ...

    async def release(self, connection: Connection) -> None:
        """Give a connection back."""
        ...

    async def disconnect(self, inuse_connections: bool = True) -> None:  # noqa: FBT001, FBT002 – the library's
        """Disconnect all connections, or only those that are idle."""
        ...

    async def aclose(self) -> None:
        """Disconnect all connections."""
        ...


class PooledNode(Protocol):
    """A node of a cluster, and the connections to it."""

    name: str
    host: str
    port: int

    async def execute_command(self, *args: Any, **kwargs: Any) -> Any:
        """Ask the node.

        Errors: whatever the library raises.
        """
        ...

    def acquire_connection(self) -> Connection:
        """Take a connection, which may have to connect first."""
        ...

    def release(self, connection: Connection) -> None:
        """Give a connection back."""
        ...

    async def disconnect_free_connections(self) -> None:
        """Disconnect the connections that are idle."""
        ...


class Nodes(Protocol):
    """The nodes of a cluster, and which of them keeps which slot."""

    slots_cache: Mapping[int, Sequence[PooledNode]]

    async def initialize(self) -> None:
        """Ask any node who keeps what."""
        ...

    async def move_slot(self, e: AskError) -> None:
        """Take note of a redirection."""
        ...

    async def aclose(self, attr: str = "nodes_cache") -> None:
        """Disconnect from all nodes of a kind."""
        ...


class ClusterClient(Protocol):
    """A client of a cluster."""

    nodes_manager: Nodes

    def get_node_from_key(self, key: str) -> PooledNode:
        """Return the primary that keeps a key, as far as is known."""
        ...

    def get_node(self, host: str | None = None, port: int | None = None) -> PooledNode | None:
        """Return the node of an address; None if it is not known."""
        ...

    def get_nodes(self) -> Sequence[PooledNode]:
        """Return all nodes."""
        ...

    def get_primaries(self) -> Sequence[PooledNode]:
        """Return the nodes that are no replicas."""
        ...


async def renew(connection: Connection, release: Callable[[Connection], None]) -> Connection:
    """Make sure that an idle connection works, as far as can be seen; release it if none can be made.

    Errors: whatever the library raises where it cannot connect.
    """
    try:
        if connection.should_reconnect() or (connection.is_connected and await connection.can_read()):
            await connection.disconnect(nowait=True)
        await connection.connect()
    except BaseException:
        await connection.disconnect(nowait=True)
        release(connection)
        raise
    return connection
