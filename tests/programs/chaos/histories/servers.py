"""Processes of the service over a Redis and its replicas, and their failures.

Each process reaches Redis through a relay, which is turned to the other server when that takes over, as sentinels would
tell the process to do, but sooner.
"""

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Generator
from contextlib import ExitStack, contextmanager
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any, Final

from redis import Redis as Client

from tests.programs.chaos.histories.feeds import API_KEYS
from tests.support.processes import Redis, Service
from tests.support.redis_groups import QUICKLY, has_replica, role, wait_until
from tests.support.redis_relay import Relay

# On disk, so a killed server comes back with everything it wrote.
OPTIONS: Final = ("--appendonly", "yes", "--hz", "100", *QUICKLY)
SETTINGS: Final[dict[str, object]] = {"store_timeout": 0.5, "stream_heartbeat": 1, "api_keys": API_KEYS}
APART: Final = 0.15
"""Seconds at most for which two servers are primaries, and processes of the service ask different ones."""

SOON: Final = 0.03
"""Seconds at most from a request to the death of the process that it asks: most answers take no longer."""


class Deployment(ABC):
    """Processes of the service and servers of Redis that are harmed, one after the other, and how often by what.

    Shape: `planned` is the share of failovers in which the primary hands over, as the operators' guide says.
    """

    patience = 20.0

    def __init__(self, services: list[Service], rng: Random, planned: float) -> None:
        self._planned = planned
        self.services = services
        self.done: dict[str, int] = {}
        self._rng = rng
        self._unplanned = cycle((self._replace_dead, self._replace_alive))
        self._lock = asyncio.Lock()
        self._calm_since = self._turned_at = 0.0

    @property
    def ports(self) -> list[int]:
        """The ports of the service."""
        return [service.port for service in self.services]

    def is_turned(self, port: int, at: float) -> bool:
        """Return True if a process of the service asks the primary, and did at a time."""
        return self._turned_at < at

    def calm_for(self) -> float:
        """Return for how many seconds no harm was done."""
        return 0.0 if self._lock.locked() else time.monotonic() - self._calm_since

    async def fail_over(self) -> None:
        """Let a replica take over: of a primary that hands over, or in turn of a dead one and of a live one."""
        await self._do(self._hand_over if self._rng.random() < self._planned else next(self._unplanned))

    async def kill(self) -> None:
        """Kill a process of the service, and start it again."""
        await self._do(self._kill_service, self._rng.choice(self.services))

    async def strike(self, port: int) -> None:
        """Kill the process at a port soon, and start it again, unless other harm is under way."""
        if not self._lock.locked():
            await self._do(self._strike, *(service for service in self.services if service.port == port))

    @abstractmethod
    async def heal(self) -> None:
        """Wait until each primary has its replicas, and all know who it is."""

    @abstractmethod
    def client(self) -> Any:
        """Connect to the store."""

    @abstractmethod
    async def _hand_over(self) -> None: ...

    @abstractmethod
    async def _replace_dead(self) -> None: ...

    @abstractmethod
    async def _replace_alive(self) -> None: ...

    async def _do(self, harm: Callable[..., Awaitable[None]], *victims: Service) -> None:
        async with self._lock:
            self._turned_at = float("inf")
            await harm(*victims)
            await self.heal()
            self._calm_since = self._turned_at = time.monotonic()
        name = harm.__name__.removeprefix("_")
        self.done[name] = self.done.get(name, 0) + 1

    async def _strike(self, service: Service) -> None:
        await asyncio.sleep(self._rng.uniform(0, SOON))
        await self._kill_service(service)

    async def _kill_service(self, service: Service) -> None:
        await asyncio.to_thread(service.kill)
        await asyncio.sleep(self._rng.uniform(0, 0.2))
        await asyncio.to_thread(service.start)


class Servers(Deployment):
    """One Redis is the primary, the others are its replicas; nothing watches them."""

    def __init__(
        self, servers: list[Redis], services: list[Service], relays: list[Relay], rng: Random, planned: float
    ) -> None:
        super().__init__(services, rng, planned)
        self.primary, *self.replicas = servers
        self._relays = relays

    async def kill(self) -> None:
        """Kill a process of the service, or the primary, and start it again."""
        if self._rng.random() < 0.5:
            await super().kill()
        else:
            await self._do(self._kill_primary)

    async def heal(self) -> None:
        """Wait until the primary has its replicas."""
        sign = lambda: has_replica(self.primary, len(self.replicas))  # noqa: E731 – to be asked in a thread
        await asyncio.to_thread(wait_until, sign, "no replica")

    def client(self) -> Client:
        """Connect to the primary."""
        return Client(port=self.primary.port)

    async def _replace_dead(self) -> None:
        await asyncio.to_thread(self.primary.kill)
        old = self._promote()
        await self._turn()
        await self._rejoin(old)

    async def _replace_alive(self) -> None:
        old = self._promote()
        await asyncio.sleep(self._rng.uniform(0, APART))
        await self._turn()
        await asyncio.to_thread(old.kill)
        await self._rejoin(old)

    async def _hand_over(self) -> None:
        """Let the primary hand over to a replica, as the operators' guide says, and turn the processes then."""
        old, heir = self.primary, self._rng.choice(self.replicas)
        answer = old.answers("FAILOVER", "TO", "127.0.0.1", str(heir.port), "TIMEOUT", "5000")
        assert answer == b"+OK\r\n", answer
        await asyncio.to_thread(wait_until, lambda: role(heir) == b"master", "not handed over")
        self._take_roles(heir)
        self._follow(others=[each for each in self.replicas if each is not old])
        await self._turn()

    async def _kill_primary(self) -> None:
        await asyncio.to_thread(self.primary.kill)
        await asyncio.sleep(self._rng.uniform(0, 0.2))
        await asyncio.to_thread(self.primary.start)

    def _promote(self) -> Redis:
        """Promote a replica, let the others follow it, and return the old primary."""
        old, heir = self.primary, self._rng.choice(self.replicas)
        # Ask until it agrees: it may be about to start, or hand over still.
        wait_until(lambda: heir.answers("REPLICAOF", "NO", "ONE") == b"+OK\r\n", "not promoted")
        self._take_roles(heir)
        self._follow(others=[each for each in self.replicas if each is not old])
        return old

    def _take_roles(self, heir: Redis) -> None:
        """Note each server's role, for its restart."""
        self.replicas = [self.primary, *(each for each in self.replicas if each is not heir)]
        self.primary = heir
        heir.options = OPTIONS
        for replica in self.replicas:
            replica.options = (*OPTIONS, "--replicaof", "127.0.0.1", str(heir.port))

    def _follow(self, others: list[Redis]) -> None:
        for other in others:
            assert other.answers("REPLICAOF", "127.0.0.1", str(self.primary.port)).startswith(b"+OK")

    async def _turn(self) -> None:
        """Turn the processes to the server that has taken over, one after the other."""
        for relay in self._rng.sample(self._relays, len(self._relays)):
            relay.to = self.primary.port
            relay.cut()
            await asyncio.sleep(self._rng.uniform(0, APART))
        self._turned_at = time.monotonic()

    async def _rejoin(self, old: Redis) -> None:
        """Start the old primary again, as a replica of the one that has taken over."""
        await asyncio.to_thread(old.start)


@contextmanager
def served(
    folder: Path, processes: int, replicas: int, rng: Random, planned: float, runner: asyncio.Runner
) -> Generator[Servers]:
    """Serve from a number of processes, which ask for a number of replicas; there is one at least."""
    with ExitStack() as stack:
        primary = stack.enter_context(Redis(folder / "first", *OPTIONS))
        following = ("--replicaof", "127.0.0.1", str(primary.port))
        copies = [Redis(folder / f"replica{at}", *OPTIONS, *following) for at in range(max(replicas, 1))]
        servers = [primary, *map(stack.enter_context, copies)]
        relays = [Relay(primary.port) for _ in range(processes)]
        services: list[Service] = []
        for at, relay in enumerate(relays):
            settings = {
                **SETTINGS,
                "store_replicas": replicas,
                "redis_url": f"redis://127.0.0.1:{runner.run(relay.start())}",
            }
            services.append(stack.enter_context(Service(folder / f"service{at}", **settings)))
        harmed = Servers(servers, services, relays, rng, planned)
        runner.run(harmed.heal())
        yield harmed
        for service in services:
            assert "Traceback" not in service.said(), service.said()
    for relay in relays:
        runner.run(relay.stop())
