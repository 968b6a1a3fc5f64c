"""A network in memory: connections with delays, which may be cut, fall silent, or be lost with one of their processes.

Bytes arrive in the order in which they were sent, each direction at its own pace.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from hashlib import blake2b
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias

from tests.programs.simulation.loop import Loop, Process

Message: TypeAlias = bytes | Exception | None
"""An arrival: bytes, the end of the other side's writing, or the loss of the connection."""
DELAY: Final = (0.00005, 0.001)
"""Seconds that a message takes."""

SYN_AGAIN: Final = 1.0
"""Seconds until a connection is tried again that nobody has answered."""


class Listener(NamedTuple):
    """A process that accepts connections, each with a new protocol."""

    process: Process
    make: Callable[[], Any]


class Link(asyncio.Transport):
    """One end of a connection.

    Shape: `half_open` once sent bytes are lost without notice.
    """

    def __init__(self, network: "Network", process: Process, port: int) -> None:
        super().__init__()
        self.process = process
        self.port = port
        self.peer: Link
        self.protocol: Any = None
        self.closed = False
        self.half_open = False
        self._network = network
        self._closing = False
        self._arriving: deque[Message] = deque()
        self._arrives_at = 0.0
        self._reading = True
        self._waiting = 0

    # ── As asyncio has it ──

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if not self._closing and not self.process.dead:
            self.peer.expect(bytes(data))

    def write_eof(self) -> None:
        self.peer.expect(None)

    def can_write_eof(self) -> bool:
        return True

    def close(self) -> None:
        if not self._closing:
            self.peer.expect(None)
            self._end(None)

    def abort(self) -> None:
        if not self._closing:
            self.peer.expect(ConnectionResetError("reset"))
            self._end(None)

    def is_closing(self) -> bool:
        return self._closing

    def pause_reading(self) -> None:
        self._reading = False

    def resume_reading(self) -> None:
        self._reading = True
        for _ in range(self._waiting):
            self._network.loop.call_soon(self._arrive).process = self.process
        self._waiting = 0

    def is_reading(self) -> bool:
        return self._reading and not self._closing

    def get_write_buffer_size(self) -> int:
        return 0

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        pass

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return {"peername": ("127.0.0.1", self.port), "sockname": ("127.0.0.1", self.port)}.get(name, default)

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self.protocol = protocol

    def get_protocol(self) -> asyncio.BaseProtocol:
        protocol: asyncio.BaseProtocol = self.protocol
        return protocol

    # ── As the network has it ──

    def expect(self, message: Message) -> None:
        """Deliver a message after all earlier ones."""
        network = self._network
        if self.half_open:
            return
        if self.closed and isinstance(message, bytes):
            message, to = ConnectionResetError("reset by peer"), self.peer
        else:
            to = self
        to._arriving.append(message)
        to._arrives_at = max(to._arrives_at, network.arrival(to.port))
        network.loop.call_of(to.process, to._arrives_at, to._arrive)

    def lose(self) -> None:
        """Lose the connection with all that is on its way to here."""
        self._arriving.clear()
        self._end(ConnectionResetError("cut"))

    def _arrive(self) -> None:
        if not self._reading:
            self._waiting += 1
            return
        if self.closed or not self._arriving:
            return
        message = self._arriving.popleft()
        self._network.note(self, message)
        if isinstance(message, bytes):
            self.protocol.data_received(message)
        elif message is not None:
            self._end(message)
        elif not self.protocol.eof_received():
            self.close()

    def _end(self, failure: Exception | None) -> None:
        self._closing = self.closed = True
        self._network.forget(self)
        self._network.loop.call_soon(self._tell, failure).process = self.process

    def _tell(self, failure: Exception | None) -> None:
        protocol, self.protocol = self.protocol, None
        if protocol is not None:
            protocol.connection_lost(failure)


class Network:
    """All connections, and who listens where.

    Shape: `trace` has every byte that arrived, with place and time, if it is kept. `slow` is a factor for the delay of
    messages on a port. Connections to a `silent` port get no answer.
    """

    def __init__(self, loop: Loop, chance: Random, *, keeps_trace: bool = False) -> None:
        self.loop = loop
        self._keeps_trace = keeps_trace
        self._hash = blake2b(digest_size=8)
        loop.connect = self.connect
        self.listeners: dict[int, Listener] = {}
        self.slow: dict[int, float] = {}
        self.silent: set[int] = set()
        self._chance = chance
        self._links: dict[Link, None] = {}
        self.trace: list[bytes] = []

    @property
    def digest(self) -> str:
        return self._hash.hexdigest()

    def note(self, link: Link, message: Message) -> None:
        """Take what arrives into the trace."""
        said = message if isinstance(message, bytes) else b"-"
        line = b"%.5f %b %d %b\n" % (self.loop.time(), link.process.name.encode(), link.port, said)
        self._hash.update(line)
        if self._keeps_trace:
            self.trace.append(line)

    def arrival(self, port: int) -> float:
        """Return when a message arrives that is sent now."""
        low, high = DELAY
        wait = low + (high - low) * self._chance.random()
        return self.loop.time() + wait * self.slow.get(port, 1.0)

    async def connect(self, make: Callable[[], Any], host: str, port: int, **_: object) -> tuple[Link, Any]:
        """Connect to a port, as `create_connection` does.

        Errors: ConnectionRefusedError.
        """
        process = self.loop.process
        await asyncio.sleep(self.arrival(port) - self.loop.time())
        if port in self.silent:
            await asyncio.sleep(SYN_AGAIN)
            return await self.connect(make, host, port)
        listener = self.listeners.get(port)
        if listener is None or listener.process.dead:
            raise ConnectionRefusedError(f"nobody listens on {port}")
        near, far = Link(self, process, port), Link(self, listener.process, port)
        near.peer, far.peer = far, near
        self._links |= {near: None, far: None}
        far.protocol, near.protocol = listener.make(), make()
        self._open(far)
        self._open(near)
        return near, near.protocol

    def _open(self, link: Link) -> None:
        """Give a protocol its connection at once, in the name of its process."""
        before, self.loop.process = self.loop.process, link.process
        link.protocol.connection_made(link)
        self.loop.process = before

    def forget(self, link: Link) -> None:
        self._links.pop(link, None)

    def cut(self, port: int) -> None:
        """Cut every connection to a port."""
        for link in [link for link in self._links if link.port == port]:
            link.lose()

    def silence(self, port: int) -> None:
        """Let nothing arrive any more on the connections to a port, and nobody connect to it."""
        self.silent.add(port)
        for link in self._links:
            link.half_open |= link.port == port

    def kill(self, process: Process) -> None:
        """Kill a process: what it has sent still arrives, and then each of its connections is reset."""
        self.loop.kill(process)
        for link in [link for link in self._links if link.process is process]:
            link.abort()
