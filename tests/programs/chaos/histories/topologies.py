"""Processes of the service over servers that choose their primary themselves: sentinels, or a cluster."""

import asyncio
import re
from abc import abstractmethod
from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, Final

from redis import Redis as Client
from redis.cluster import RedisCluster

from tests.programs.chaos.histories.servers import SETTINGS, Deployment
from tests.support.processes import Redis, Service
from tests.support.redis_groups import Cluster, Watched, cluster, has_replica, role, wait_until, watched

SLOTS: Final = 16384
"""The slots of a cluster."""
GIVES_UP: Final = 6.0
"""Seconds after which a replica of a cluster has given up to take over: Redis allows it 5."""


class Shards(Deployment):
    """Some groups of servers; of each, one is the primary, and the others are its replicas."""

    def __init__(self, groups: Sequence[Sequence[Redis]], services: list[Service], rng: Random, planned: float) -> None:
        super().__init__(services, rng, planned)
        self._groups = groups

    async def heal(self) -> None:
        """Wait until each group has a primary with all others as its replicas."""
        await asyncio.to_thread(wait_until, lambda: all(map(is_whole, self._groups)), "not whole")

    async def _replace_dead(self) -> None:
        group = self._rng.choice(self._groups)
        old = _primary_of(group)
        await asyncio.to_thread(old.kill)
        await self._until_replaced(group, old)
        await asyncio.to_thread(old.start)

    async def _replace_alive(self) -> None:
        await self._replace(self._force)

    async def _hand_over(self) -> None:
        await self._replace(self._ask)

    async def _replace(self, ask: Callable[[Redis, Redis], None]) -> None:
        group = self._rng.choice(self._groups)
        old = _primary_of(group)
        await asyncio.to_thread(ask, old, self._rng.choice([each for each in group if each is not old]))
        await self._until_replaced(group, old)

    @abstractmethod
    def _force(self, old: Redis, heir: Redis) -> None:
        """Let a replica take over from a primary without its consent."""

    @abstractmethod
    def _ask(self, old: Redis, heir: Redis) -> None:
        """Let a replica take over as the operators' guide says."""

    async def _until_replaced(self, group: Sequence[Redis], old: Redis) -> None:
        def sign() -> bool:
            return any(role(each) == b"master" for each in group if each is not old)

        await asyncio.to_thread(wait_until, sign, "no failover")


class Nodes(Shards):
    """A cluster."""

    def __init__(self, nodes: Cluster, services: list[Service], rng: Random, planned: float) -> None:
        count = len(nodes.primaries)
        groups = [[each, *nodes.replicas[at::count]] for at, each in enumerate(nodes.primaries)]
        super().__init__(groups, services, rng, planned)

    async def heal(self) -> None:
        """Wait until the asked node also knows the holder of each slot."""
        await super().heal()
        asked = _primary_of(self._groups[0]).port

        def knows_all() -> bool:
            with Client(port=asked) as client:
                node: Any = client  # whose answers the library leaves without types
                ranges: list[list[int]] = node.execute_command("CLUSTER SLOTS")
                return sum(last - first + 1 for first, last, *_ in ranges) == SLOTS

        await asyncio.to_thread(wait_until, knows_all, "slots without a primary")

    def client(self) -> Any:
        """Connect to the cluster."""
        return RedisCluster(host="127.0.0.1", port=_primary_of(self._groups[0]).port)

    def _force(self, old: Redis, heir: Redis) -> None:
        _ask_to_take_over(heir, "FORCE")

    def _ask(self, old: Redis, heir: Redis) -> None:
        _ask_to_take_over(heir)


class Watching(Shards):
    """One group under sentinels, which choose the replica and do not ask its primary: it hears of it late."""

    def __init__(self, watching: Watched, services: list[Service], rng: Random, planned: float) -> None:
        super().__init__([[watching.primary, *watching.replicas]], services, rng, planned)
        self._sentinels = watching.sentinels

    def client(self) -> Client:
        """Connect to the primary."""
        return Client(port=_primary_of(self._groups[0]).port)

    async def heal(self) -> None:
        """Wait until the sentinels agree on the primary, too."""
        await super().heal()
        port = b"%d" % _primary_of(self._groups[0]).port
        asked = ("SENTINEL", "GET-MASTER-ADDR-BY-NAME", "game")

        def agree() -> bool:
            return all(port in sentinel.answers(*asked) for sentinel in self._sentinels)

        await asyncio.to_thread(wait_until, agree, "the sentinels do not agree")

    def _ask(self, old: Redis, heir: Redis) -> None:
        """Pause all changes until the replicas have the last of them, and let the sentinels choose one then."""
        assert old.answers("CLIENT", "PAUSE", "10000", "WRITE") == b"+OK\r\n"
        wait_until(lambda: _is_level(old), "the replicas lag")
        self._force(old, heir)

    def _force(self, old: Redis, heir: Redis) -> None:
        sentinel = self._sentinels[0]
        wait_until(lambda: sentinel.answers("SENTINEL", "FAILOVER", "game") == b"+OK\r\n", "no failover")


def _ask_to_take_over(heir: Redis, *how: str) -> None:
    """Ask a replica of a cluster to take over until it has; it may lose the vote, and gives up in silence."""
    asked_at = float("-inf")

    def has_taken_over() -> bool:
        nonlocal asked_at
        if monotonic() > asked_at + GIVES_UP and heir.answers("CLUSTER", "FAILOVER", *how) == b"+OK\r\n":
            asked_at = monotonic()
        return role(heir) == b"master"

    wait_until(has_taken_over, "no failover")


def _primary_of(group: Sequence[Redis]) -> Redis:
    """Return the one of a group that has all others as its replicas, or is the only primary."""
    primaries = [each for each in group if role(each) == b"master"]
    return next((each for each in primaries if has_replica(each)), primaries[0])


def _is_level(primary: Redis) -> bool:
    """Return True if every replica has all that its primary has."""
    told = primary.answers("INFO", "replication")
    own = told.partition(b"master_repl_offset:")[2].partition(b"\r")[0]
    return set(re.findall(rb"offset=(\d+)", told)) == {own}


def is_whole(group: Sequence[Redis]) -> bool:
    """Return True if one alone says that it is the primary, and it has all others as its replicas.

    A primary that was replaced says so, too, and has its replicas, until it hears of that.
    """
    primaries = [each for each in group if role(each) == b"master"]
    return len(primaries) == 1 and has_replica(primaries[0], len(group) - 1)


@contextmanager
def grouped(folder: Path, kind: str, processes: int, replicas: int, rng: Random, planned: float) -> Generator[Shards]:
    """Serve from a number of processes over sentinels or a cluster, with a number of replicas of each primary."""
    with ExitStack() as stack:
        count = max(replicas, 1)
        starting: AbstractContextManager[Cluster | Watched] = (
            cluster(folder, replicas=count) if kind == "cluster" else watched(folder, count)
        )
        found: Cluster | Watched = stack.enter_context(starting)
        made = [
            Service(folder / f"service{at}", **SETTINGS, store_replicas=replicas, redis_url=found.url)
            for at in range(processes)
        ]
        services = [stack.enter_context(each) for each in made]
        if isinstance(found, Cluster):
            yield Nodes(found, services, rng, planned)
        else:
            yield Watching(found, services, rng, planned)
        for service in services:
            assert "Traceback" not in service.said(), service.said()
