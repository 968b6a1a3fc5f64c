"""One Redis server: its clients, its disk, its primary and its replicas."""

from collections.abc import Callable
from random import Random
from typing import Final

from tests.programs.simulation.loop import Loop, Process
from tests.programs.simulation.network import Listener, Network
from tests.programs.simulation.redis.client import Client
from tests.programs.simulation.redis.database import COMMANDS, Changes, Database, Refused, Reply, Value
from tests.programs.simulation.redis.replication import Feed, Written
from tests.programs.simulation.redis.scripts import Scripts

EPOCH: Final = 1_700_000_000_000
"""The millisecond at which the virtual time begins."""
READ_ONLY: Final = "READONLY You can't write against a read only replica."
DISK: Final = "MISCONF Errors writing to the AOF file: No space left on device"


class Server:
    """A server, which may be killed and started again.

    Shape: `offset` counts what was written here or at its primary; `feeds` lead to its replicas, `source` from its
    primary; its clock is wrong by `skew` seconds. While its disk takes nothing more, it notes so with the next write,
    and refuses all that follow.
    """

    def __init__(self, loop: Loop, network: Network, chance: Random, port: int, version: int) -> None:
        self.loop = loop
        self.chance = chance
        self.port = port
        self.version = version
        self.lag = 1.0
        self.skew = 0.0
        self._has_copy = True
        self._disk_fails = self._refuses_writes = False
        self.offset = 0
        self.feeds: list[Feed] = []
        self.source: Feed | None = None
        self._network = network
        self._published: list[tuple[bytes, bytes]] = []
        self._durable: dict[bytes, Value] = {}
        self._unsynced: list[Changes] = []
        self.start()

    def start(self) -> None:
        """Start with what the disk has."""
        self.process = Process(f"redis {self.port}")
        self.clients: dict[Client, None] = {}
        self.scripts = Scripts(self.version)
        self.database = Database(lambda: EPOCH + int((self.loop.time() + self.skew) * 1000), self.version)
        self._sync()
        self.database.values = dict(self._durable)
        self._network.listeners[self.port] = self.listener
        self._sync_every_second()

    @property
    def listener(self) -> Listener:
        return Listener(self.process, lambda: Client(self))

    @property
    def replicas_online(self) -> int:
        """How many replicas have a copy of all that was here when they began to follow."""
        return sum(feed.online for feed in self.feeds)

    def follows(self, primary: "Server") -> bool:
        """Return True if it has a copy of all that a primary had when it began to follow it."""
        return self._has_copy and self.source is not None and self.source.primary is primary

    def kill(self, *, power: bool = False) -> None:
        """Kill the server, perhaps with what the system has not written to the disk yet."""
        if power or self._disk_fails:
            self._unsynced.clear()
        self.mend_disk()
        self._network.kill(self.process)
        for feed in self.feeds:
            feed.end()
        self.promote()
        self.feeds = []

    # ── Replication ──

    def follow(self, primary: "Server") -> None:
        """Become a replica of another server, beginning with a copy of all that it has.

        Its own clients that wait for replicas, and its own replicas, are let go.
        """
        self.promote()
        self._has_copy = False
        for feed in self.feeds:
            feed.end()
        self.feeds = []
        for client in tuple(self.clients):
            client.unblock()
        self.source = Feed(primary, self)
        primary.feeds.append(self.source)

    def promote(self) -> None:
        """Be a primary from now on."""
        if self.source is not None:
            self.source.end()
            self.source.primary.feeds = [feed for feed in self.source.primary.feeds if feed is not self.source]
            self.source = None

    def receive(self, written: Written) -> None:
        """Take in what the primary has written."""
        if written.whole:
            self._has_copy = True
            self.database.values = {}
            self._durable, self._unsynced = {}, []
        self.database.apply(written.changes)
        self.offset = written.offset
        self._unsynced.append(written.changes)
        for channel, message in written.published:
            self.publish(channel, message)

    def count_acknowledgements(self, offset: int) -> int:
        """Return how many replicas have all that was written up to here."""
        return sum(feed.online and feed.acknowledged >= offset for feed in self.feeds)

    def note_acknowledgement(self) -> None:
        """Wake clients that wait for replicas."""
        for client in tuple(self.clients):
            client.check_wait()

    # ── Commands ──

    def carry_out(self, client: Client, work: Callable[[], Reply]) -> Reply:
        """Run a command or a script, and send its writes to the replicas.

        Errors: Fault.
        """
        self._published.clear()
        try:
            return work()
        finally:
            changes, self.database.changes = self.database.changes, {}
            if changes or self._published:
                self.offset += 1
                client.offset = self.offset
                self._unsynced.append(changes)
                self._refuses_writes = self._disk_fails
                for feed in self.feeds:
                    feed.send(Written(self.offset, changes, tuple(self._published)))

    def call(self, words: list[bytes]) -> Reply:
        """Carry out a command on keys, or publish.

        Errors: Fault.
        """
        name, *arguments = words
        name = name.lower()
        if name == b"publish":
            self._published.append((arguments[0], arguments[1]))
            return self.publish(*arguments)
        command = COMMANDS[name]
        if command.writes:
            self.refuse_writes()
        return command.call(self.database, *arguments)

    def refuse_writes(self) -> None:
        if self.source is not None:
            raise Refused(READ_ONLY)
        if self._refuses_writes:
            raise Refused(DISK)

    def publish(self, channel: bytes, message: bytes) -> int:
        """Send a message to all clients who listen, and return how many."""
        listening = [client for client in self.clients if channel in client.channels]
        for client in listening:
            client.push([b"message", channel, message])
        return len(listening)

    # ── The disk ──

    def _sync_every_second(self) -> None:
        self._sync()
        self.loop.call_of(self.process, self.loop.time() + 1, self._sync_every_second)

    def fail_disk(self) -> None:
        """Let the disk take nothing more."""
        self._sync()
        self._disk_fails = True

    def mend_disk(self) -> None:
        """Write everything pending to the disk."""
        self._disk_fails = self._refuses_writes = False

    def _sync(self) -> None:
        if self._disk_fails:
            return
        for changes in self._unsynced:
            for key, value in changes.items():
                if value is None:
                    self._durable.pop(key, None)
                else:
                    self._durable[key] = value
        self._unsynced.clear()
