"""A client of a server: its commands, one by one, and its answers."""

import asyncio
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import hiredis

from tests.programs.simulation.redis.database import COMMANDS, OK, Fault, Reply, Status, encode, read_integer

if TYPE_CHECKING:
    from tests.programs.simulation.redis.server import Server

NO_SCRIPT: Final = "NOSCRIPT No matching script. Please use EVAL."
WAIT_ON_REPLICA: Final = (
    "ERR WAIT cannot be used with replica instances. Please also note that since Redis 4.0 if a replica is configured "
    "to be writable (which is not the default) writes to replicas are just local and are not propagated."
)
MEMORY: Final = b"\r\n".join(
    (b"used_memory:1000000", b"total_system_memory:1000000000", b"maxmemory:0", b"maxmemory_policy:noeviction", b"")
)
UNBLOCKED: Final = "UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)"
LATER: Final = Status(b"")
"""A marker for an answer that comes later, or was given already."""
WHILE_LISTENING: Final = {b"subscribe", b"unsubscribe", b"ping"}


class Client(asyncio.Protocol):
    """One connection.

    Shape: `offset` is the offset of its last write; `channels` are those to which it listens.
    """

    def __init__(self, server: "Server") -> None:
        self.offset = 0
        self.channels: dict[bytes, None] = {}
        self._server = server
        self._transport: Any = None
        self._reader: Any = hiredis.Reader()
        self._commands: deque[list[bytes]] = deque()
        self._wanted: int | None = None
        self._waits = 0

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        self._server.clients[self] = None

    def connection_lost(self, exc: Exception | None) -> None:
        self._server.clients.pop(self, None)
        self._commands.clear()

    def data_received(self, data: bytes) -> None:
        self._reader.feed(data)
        while (words := self._reader.gets()) is not False:
            self._commands.append(words)
        self._go_on()

    def push(self, reply: Reply) -> None:
        """Send an answer, or a message that nobody has asked for."""
        self._transport.write(encode(reply))

    def _go_on(self) -> None:
        while self._commands and self._wanted is None:
            try:
                reply = self._answer(self._commands.popleft())
            except Fault as fault:
                reply = fault
            if reply is not LATER:
                self.push(reply)

    def _answer(self, words: list[bytes]) -> Reply:
        name = words[0].lower()
        if self.channels and name not in WHILE_LISTENING:
            kinds = "(P|S)" if self._server.version >= 7 else "(P)"
            allowed = f"{kinds}SUBSCRIBE / {kinds}UNSUBSCRIBE / PING / QUIT / RESET"
            raise Fault(f"ERR Can't execute '{name.decode()}': only {allowed} are allowed in this context")
        if (own := OWN.get(name)) is not None:
            return own(self, *words[1:])
        command = COMMANDS.get(name)
        if command is None:
            raise Fault(self._unknown(words))
        if not command.least <= len(words) - 1 <= (command.most or len(words)):
            raise Fault(f"ERR wrong number of arguments for '{name.decode()}' command")
        return self._server.carry_out(self, lambda: self._server.call(words))

    def _unknown(self, words: list[bytes]) -> str:
        name, *arguments = (word.decode() for word in words)
        if self._server.version >= 7:
            return f"ERR unknown command '{name}', with args beginning with: " + "".join(f"'{a}' " for a in arguments)
        return f"ERR unknown command `{name}`, with args beginning with: " + "".join(f"`{a}`, " for a in arguments)

    # ── Commands that are not about keys ──

    def _ping(self) -> Reply:
        return [b"pong", b""] if self.channels else Status(b"PONG")

    def _client(self, *_: bytes) -> Reply:
        return OK

    def _select(self, _: bytes) -> Reply:
        return OK

    def _info(self, *_: bytes) -> Reply:
        return MEMORY

    def _publish(self, channel: bytes, message: bytes) -> Reply:
        return self._server.carry_out(self, lambda: self._server.call([b"publish", channel, message]))

    def _subscribe(self, *channels: bytes) -> Reply:
        for channel in channels:
            self.channels[channel] = None
            self.push([b"subscribe", channel, len(self.channels)])
        return LATER

    def _unsubscribe(self, *channels: bytes) -> Reply:
        for channel in channels:
            self.channels.pop(channel, None)
            self.push([b"unsubscribe", channel, len(self.channels)])
        return LATER

    def _eval(self, text: bytes, *rest: bytes) -> Reply:
        return self._run(self._server.scripts.add(text), *rest)

    def _evalsha(self, name: bytes, *rest: bytes) -> Reply:
        if not self._server.scripts.knows(name):
            raise Fault(NO_SCRIPT)
        return self._run(name, *rest)

    def _run(self, name: bytes, number: bytes, *rest: bytes) -> Reply:
        keys = read_integer(number)
        run = partial(self._server.scripts.run, name, [*rest[:keys]], [*rest[keys:]], self._server.call)
        return self._server.carry_out(self, run)

    def _replicaof(self, host: bytes, port: bytes) -> Reply:
        assert (host.upper(), port.upper()) == (b"NO", b"ONE")
        self._server.promote()
        return OK

    # ── Waiting for replicas ──

    def _wait(self, replicas: bytes, timeout: bytes) -> Reply:
        if self._server.source is not None:
            raise Fault(WAIT_ON_REPLICA)
        wanted, span = read_integer(replicas), _read_timeout(timeout)
        if (found := self._server.count_acknowledgements(self.offset)) >= wanted:
            return found
        self._wanted, self._waits = wanted, self._waits + 1
        if span:
            loop, number = self._server.loop, self._waits
            loop.call_of(self._server.process, loop.time() + span / 1000, lambda: self._end_wait(number))
        return LATER

    def check_wait(self) -> None:
        """Answer once enough replicas have the client's writes."""
        if self._wanted is not None and self._server.count_acknowledgements(self.offset) >= self._wanted:
            self._end_wait(self._waits)

    def unblock(self) -> None:
        """End the connection if the client waits for replicas, which this server has no more."""
        if self._wanted is not None:
            self._wanted = None
            self.push(Fault(UNBLOCKED))
            self._transport.close()

    def _end_wait(self, number: int) -> None:
        if self._wanted is not None and number == self._waits:
            self._wanted = None
            self.push(self._server.count_acknowledgements(self.offset))
            self._go_on()


def _read_timeout(text: bytes) -> int:
    try:
        span = read_integer(text)
    except Fault:
        raise Fault("ERR timeout is not an integer or out of range") from None
    if span < 0:
        raise Fault("ERR timeout is negative")
    return span


OWN: Final[dict[bytes, Callable[..., Reply]]] = {
    b"ping": Client._ping,
    b"client": Client._client,
    b"select": Client._select,
    b"info": Client._info,
    b"publish": Client._publish,
    b"subscribe": Client._subscribe,
    b"unsubscribe": Client._unsubscribe,
    b"eval": Client._eval,
    b"evalsha": Client._evalsha,
    b"wait": Client._wait,
    b"replicaof": Client._replicaof,
}
"""The commands that are not about keys."""
