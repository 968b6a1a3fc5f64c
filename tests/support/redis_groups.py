"""Several Redis servers that belong together: a cluster, or a primary with a replica and sentinels."""

import time
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from itertools import cycle
from pathlib import Path
from typing import Any, cast

from redis import Redis as Client
from redis import ResponseError

from tests.support.patience import WAIT
from tests.support.processes import Redis, Server
from tests.support.redis_server import find_or_get, free_port, is_free

SLOTS = 16384
BUS = 10_000
"""The distance from a node's port up to its port of the cluster bus."""
QUICKLY = ("--repl-diskless-sync", "yes", "--repl-diskless-sync-delay", "0")


def wait_until(sign: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + WAIT
    while not sign():
        assert time.monotonic() < end, what
        time.sleep(0.05)


def role(server: Redis) -> bytes:
    """Return whether a server is a master or a slave, in its own words."""
    return server.answers("INFO", "replication").partition(b"role:")[2].partition(b"\r\n")[0]


def has_replica(server: Redis, replicas: int = 1) -> bool:
    """Return whether a server is a primary, and that number of replicas or more have all that it has."""
    return server.answers("INFO", "replication").count(b"state=online") >= replicas


def save_on_replica(primary: Redis, replica: Redis) -> None:
    """Wait until a replica has on disk all that its primary has."""
    with Client(port=primary.port) as client:
        client.set("latest", "")  # waits for the writes of this connection, and all before them
        client.execute_command("WAIT", 1, 0)
    wait_until(lambda: _is_saved(replica.answers("INFO", "persistence")), "no log")


def _is_saved(persistence: bytes) -> bool:
    """Return True if a server has written its log, if it keeps one."""
    # A replica rewrites its log after copying its primary, and has none until then. On a busy disk, it buffers received
    # bytes for up to two seconds.
    signs = (b"aof_rewrite_in_progress:0", b"aof_rewrite_scheduled:0", b"aof_buffer_length:0\r\n")
    return all(sign in persistence or sign.partition(b":")[0] not in persistence for sign in signs)


class Cluster:
    """Some primaries, each with a replica or none of them with one."""

    def __init__(self, primaries: list[Redis], replicas: list[Redis]) -> None:
        self.primaries = primaries
        self.replicas = replicas
        self._slots: dict[Redis, set[int]] = {}

    @property
    def url(self) -> str:
        return "redis+cluster://" + ",".join(f"127.0.0.1:{server.port}" for server in self.primaries)

    def form(self) -> None:
        """Make one cluster of the servers."""
        first, *others = [*self.primaries, *self.replicas]
        for other in others:
            assert other.answers("CLUSTER", "MEET", "127.0.0.1", str(first.port)) == b"+OK\r\n"
        count = len(self.primaries)
        for at, primary in enumerate(self.primaries):
            slots = self._slots[primary] = {*range(at * SLOTS // count, (at + 1) * SLOTS // count)}
            assert primary.answers("CLUSTER", "ADDSLOTS", *map(str, slots)) == b"+OK\r\n"
        for primary, replica in zip(cycle(self.primaries), self.replicas, strict=False):
            name = node_id(primary)
            wait_until(lambda r=replica, n=name: r.answers("CLUSTER", "REPLICATE", n) == b"+OK\r\n", "no replica")  # type: ignore[misc]
        everyone = [first, *others]
        wait_until(lambda: all(b"cluster_state:ok" in s.answers("CLUSTER", "INFO") for s in everyone), "no cluster")
        if self.replicas:
            each = len(self.replicas) // len(self.primaries)
            wait_until(lambda: all(has_replica(primary, each) for primary in self.primaries), "no link")
            wait_until(lambda: all(map(self._is_listed, self.replicas)), "replicas not listed")

    def _is_listed(self, server: Redis) -> bool:
        return b":%d\r\n" % server.port in self.primaries[0].answers("CLUSTER", "SLOTS")

    def keeper(self, key: str) -> Redis:
        """Return the primary that keeps a key."""
        (keeper,) = (server for server in self.primaries if server.answers("EXISTS", key) == b":1\r\n")
        return keeper

    def move(self, key: str, to: Redis) -> None:
        """Move a key to another primary, with its slot."""
        source = self.keeper(key)
        slot = int(source.answers("CLUSTER", "KEYSLOT", key)[1:])
        self._move(key, source, to, {slot})

    def begin_to_move(self, key: str) -> None:
        """Move all keys of a slot to another primary, while the slot itself is on its way there."""
        source = self.keeper(key)
        to = next(server for server in self.primaries if server is not source)
        slot = source.answers("CLUSTER", "KEYSLOT", key)[1:].strip().decode()
        assert to.answers("CLUSTER", "SETSLOT", slot, "IMPORTING", node_id(source)) == b"+OK\r\n"
        assert source.answers("CLUSTER", "SETSLOT", slot, "MIGRATING", node_id(to)) == b"+OK\r\n"
        with Client(port=source.port) as here:
            keys = cast("list[bytes]", here.execute_command("CLUSTER GETKEYSINSLOT", slot, 100))
            here.migrate("127.0.0.1", to.port, keys, 0, 5000)

    def remove(self, key: str) -> None:
        """Take the primary that keeps a key out of the cluster, with all its other keys, once its slots have moved."""
        leaver = self.keeper(key)
        self.primaries.remove(leaver)
        self._move(key, leaver, self.primaries[0], self._slots[leaver])
        name = node_id(leaver)
        assert leaver.answers("FLUSHALL") == b"+OK\r\n"
        assert leaver.answers("CLUSTER", "RESET") == b"+OK\r\n"
        for server in self.primaries:
            assert server.answers("CLUSTER", "FORGET", name) == b"+OK\r\n"

    def _move(self, key: str, source: Redis, to: Redis, slots: set[int]) -> None:
        """Move slots, in which there is only one key."""
        with Client(port=source.port) as here, Client(port=to.port) as there:
            value = here.dump(key) or b""
            here.delete(key)
            for server in (source, *(each for each in self.primaries if each is not source)):
                with Client(port=server.port) as client:
                    client.execute_command("CLUSTER DELSLOTS", *slots)
            wait_until(lambda: _add_slots(there, slots), "slots not added")
            there.execute_command("CLUSTER BUMPEPOCH")
            wait_until(lambda: all(self._knows(server, key, to) for server in self.primaries), "slots not moved")
            there.restore(key, 600_000, value)
        self._slots[source], self._slots[to] = self._slots[source] - slots, self._slots[to] | slots

    def _knows(self, server: Redis, key: str, keeper: Redis) -> bool:
        """Return whether a server answers for a key, or names the one that does."""
        answer = server.answers("EXISTS", key)
        return answer[:1] == b":" if server is keeper else answer.endswith(b":%d\r\n" % keeper.port)


def _add_slots(client: Any, slots: set[int]) -> bool:
    """Give a node slots that no other has; return False if it has heard once more of their old owner."""
    try:
        client.execute_command("CLUSTER ADDSLOTS", *slots)
    except ResponseError:
        client.execute_command("CLUSTER DELSLOTS", *slots)
        return False
    return True


def node_id(server: Redis) -> str:
    """Return the name of a node of a cluster."""
    return server.answers("CLUSTER", "MYID").split(b"\r\n")[1].decode()


def _port() -> int:
    """Return a free port whose port of the cluster bus is free, too."""
    while not is_free((port := free_port(22_000)) + BUS):
        pass
    return port


@contextmanager
def cluster(
    folder: Path, primaries: int = 3, *, replicas: int = 1, program: str | None = None
) -> Generator[Cluster, None, None]:
    """Run a cluster, each primary with this number of replicas."""
    options = ("--cluster-enabled", "yes", "--cluster-node-timeout", "1000", "--appendonly", "yes", *QUICKLY)
    with ExitStack() as stack:
        servers: list[Redis] = []
        for at in range(primaries * (1 + replicas)):
            server = Redis(folder / f"node{at}", *options)
            server.port = _port()
            server.program = program or server.program
            servers.append(stack.enter_context(server))
        group = Cluster(servers[:primaries], servers[primaries:])
        group.form()
        yield group


class Sentinel(Server):
    """A sentinel that watches one primary."""

    def __init__(self, folder: Path, primary: Redis) -> None:
        folder.mkdir()
        super().__init__(folder / "log")
        self.port = free_port()
        self._settings = folder / "sentinel.conf"
        self._settings.write_text(
            f"port {self.port}\nbind 127.0.0.1\ndir {folder}\nsentinel monitor game 127.0.0.1 {primary.port} 2\n"
            "sentinel down-after-milliseconds game 1000\nsentinel failover-timeout game 5000\n"
        )

    def start(self) -> None:
        self.run([find_or_get(), str(self._settings), "--sentinel"])
        self.until(lambda: "+monitor" in self.log.read_text(), "The sentinel does not start")


class Watched:
    """A primary and its replicas, watched by three sentinels."""

    def __init__(self, primary: Redis, replicas: list[Redis], sentinels: list[Sentinel]) -> None:
        self.primary = primary
        self.replicas = replicas
        self.sentinels = sentinels

    @property
    def url(self) -> str:
        return "redis+sentinel://" + ",".join(f"127.0.0.1:{sentinel.port}" for sentinel in self.sentinels) + "/game"


@contextmanager
def watched(folder: Path, replicas: int = 1) -> Generator[Watched, None, None]:
    # On disk: a primary that came back empty might be made the primary again, and its replicas would follow it.
    options = ("--appendonly", "yes", *QUICKLY)
    with ExitStack() as stack:
        primary = stack.enter_context(Redis(folder / "primary", *options))
        following = (*options, "--replicaof", "127.0.0.1", str(primary.port))
        copies = [stack.enter_context(Redis(folder / f"replica{at}", *following)) for at in range(replicas)]
        wait_until(lambda: has_replica(primary, replicas), "no replica")
        sentinels = [stack.enter_context(Sentinel(folder / f"sentinel{at}", primary)) for at in range(3)]
        wait_until(lambda: all(s.log.read_text().count("+slave ") >= replicas for s in sentinels), "replica not found")
        wait_until(lambda: all(s.log.read_text().count("+sentinel ") >= 2 for s in sentinels), "sentinels apart")
        yield Watched(primary, copies, sentinels)
