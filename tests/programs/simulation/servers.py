"""Processes of the service over a Redis and its replicas, and what is done to them.

Each process of the service has its own port for Redis. After a failover the port leads to the other server, as
sentinels would tell the process. Harms overlap, but two of them never have the same victim.
"""

import asyncio
from collections.abc import Awaitable, Callable, Generator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Final, TypeAlias

from tests.programs.simulation.loop import Loop, Process
from tests.programs.simulation.network import Network
from tests.programs.simulation.redis.server import Server
from tests.programs.simulation.services import Service

Victim: TypeAlias = Server | Service
REPLICAS: Final = 2
APART: Final = 0.15
"""Seconds at most between two processes of the service that are turned to another server."""
OVERLAP: Final = 4.0
"""Seconds at most for which two servers are primaries."""
WHILE: Final = 1.5
"""Seconds at most for which something is paused, slow or silent."""
SOON: Final = 0.03
"""Seconds at most from a request to the death of the process that it asks."""
SKEW: Final = 0.05
"""Seconds at most by which the clock of a server is wrong."""


class Servers:
    """The servers that are harmed: one Redis is the primary, the others its replicas."""

    patience = 5.0

    def __init__(self, loop: Loop, network: Network, rng: Random, services: list[Service], version: int) -> None:
        self._all = [Server(loop, network, rng, 7001 + at, version) for at in range(1 + REPLICAS)]
        for server in self._all:
            server.skew = rng.uniform(-SKEW, SKEW)
        self.primary = self._all[0]
        self.services = services
        self.done: dict[str, int] = {}
        self._loop = loop
        self._network = network
        self._rng = rng
        self._taken: list[Victim] = []
        self._turned: dict[int, float] = {}
        self._harms_under_way = 0
        self._calm_since = 0.0

    @property
    def ports(self) -> list[int]:
        """The ports of the service."""
        return [service.port for service in self.services]

    @property
    def replicas(self) -> list[Server]:
        """The servers that are not the primary."""
        return [server for server in self._all if server is not self.primary]

    def is_turned(self, port: int, at: float) -> bool:
        """Return True if a process of the service asks the primary, and did at a time."""
        return self._turned.get(port, at) < at

    def calm_for(self) -> float:
        """Return for how many seconds no harm was done."""
        return 0.0 if self._harms_under_way else self._loop.time() - self._calm_since

    async def start(self) -> None:
        """Start all, and wait until the primary has its replicas."""
        for replica in self.replicas:
            replica.follow(self.primary)
        for service in self.services:
            self._turn(service)
            await service.start()
        await self.heal()

    async def fail_over(self) -> None:
        """Promote an up-to-date replica, of a dead primary or of one that still serves."""
        while not (heirs := self._list_heirs()):  # noqa: ASYNC110 – a simulated server tells nobody
            await asyncio.sleep(0.01)
        replace = self._rng.choice(
            (
                self._replace_dead,
                self._replace_alive,
                self._replace_paused,
                self._replace_after_power_cut,
                self._replace_full_disk,
            )
        )
        await self._do(replace, self.primary, self._rng.choice(heirs))

    async def kill(self) -> None:
        """Do some other harm, for a while, to who has none."""
        harms: Sequence[tuple[Callable[..., Awaitable[None]], Sequence[Victim]]] = (
            (self._kill_service, self.services),
            (self._pause_service, self.services),
            (self._cut_connections, self.services),
            (self._silence_connections, self.services),
            (self._slow_connections, self.services),
            (self._kill_primary, [self.primary]),
            (self._pause_primary, [self.primary]),
            (self._fail_disk, [self.primary]),
            (self._kill_replica, self.replicas),
            (self._pause_replica, self.replicas),
            (self._lag_replica, self.replicas),
        )
        harm, victims = self._rng.choice(harms)
        if free := [victim for victim in victims if victim not in self._taken]:
            await self._do(harm, self._rng.choice(free))

    async def strike(self, port: int) -> None:
        """Kill the process at a port soon, and start it again, unless other harm befalls it."""
        (service,) = (each for each in self.services if each.port == port)
        if service not in self._taken:
            await self._do(self._strike, service)

    async def heal(self) -> None:
        """Wait until the primary has its replicas."""
        while self.primary.replicas_online < REPLICAS:  # noqa: ASYNC110 – a simulated server tells nobody
            await asyncio.sleep(0.01)

    def _list_heirs(self) -> list[Server]:
        if self.primary in self._taken:
            return []
        return [server for server in self.replicas if server not in self._taken and server.follows(self.primary)]

    async def _do(self, harm: Callable[..., Awaitable[None]], *victims: Victim) -> None:
        with self._take(*victims):
            await harm(*victims)
            await self.heal()
        name = harm.__name__.removeprefix("_")
        self.done[name] = self.done.get(name, 0) + 1

    @contextmanager
    def _take(self, *victims: Victim) -> Generator[None]:
        self._taken += victims
        self._harms_under_way += 1
        yield
        self._taken = [each for each in self._taken if each not in victims]
        self._harms_under_way -= 1
        self._calm_since = self._loop.time()

    async def _rest(self, longest: float) -> None:
        """Wait for a while, mostly a short one."""
        await asyncio.sleep(longest * self._rng.random() ** 3)

    # ── Failovers ──

    async def _replace_dead(self, old: Server, heir: Server) -> None:
        old.kill()
        await self._rest(0.01)
        await self._promote(heir)
        self._rejoin(old)

    async def _replace_alive(self, old: Server, heir: Server) -> None:
        """Have two primaries for a while; then kill the old one, or make it a replica."""
        await self._promote(heir, OVERLAP)
        if self._rng.random() < 0.5:
            old.kill()
        self._rejoin(old)

    async def _replace_paused(self, old: Server, heir: Server) -> None:
        old.process.paused = True
        await self._rest(WHILE)
        taking_over = asyncio.ensure_future(self._promote(heir, OVERLAP))
        await self._rest(OVERLAP)
        self._loop.resume(old.process)
        await taking_over
        old.kill()
        self._rejoin(old)

    async def _replace_after_power_cut(self, old: Server, heir: Server) -> None:
        old.kill(power=True)
        await self._promote(heir)
        self._rejoin(old)

    async def _replace_full_disk(self, old: Server, heir: Server) -> None:
        old.fail_disk()
        await self._rest(WHILE)
        await self._replace_after_power_cut(old, heir)

    async def _promote(self, heir: Server, overlap: float = APART) -> None:
        """Let a replica be the primary; the processes, and the other replicas, come to know one after the other."""
        heir.promote()
        others = [server for server in self.replicas if server is not heir]
        self.primary = heir
        self._turned = dict.fromkeys(self._turned, float("inf"))
        everybody: list[Victim] = [*self.services, *others]
        self._rng.shuffle(everybody)
        for told in everybody:
            await self._rest(overlap if self._rng.random() < 0.5 else APART)
            if isinstance(told, Service):
                self._turn(told)
                self._network.cut(told.redis_port)
            elif not told.process.dead:
                told.follow(heir)

    def _turn(self, service: Service) -> None:
        self._network.listeners[service.redis_port] = self.primary.listener
        self._turned[service.port] = self._loop.time()

    def _rejoin(self, server: Server) -> None:
        """Let a server follow the primary, from its start if it is dead."""
        if server.process.dead:
            server.start()
        server.follow(self.primary)

    # ── Other harm ──

    async def _strike(self, service: Service) -> None:
        await self._rest(SOON)
        await self._kill_service(service)

    async def _kill_service(self, service: Service) -> None:
        service.kill()
        await self._rest(0.2)
        await service.start()

    async def _kill_primary(self, primary: Server) -> None:
        primary.kill()
        await self._rest(0.2)
        primary.start()
        for replica in self.replicas:
            if not replica.process.dead:
                replica.follow(primary)
        for service in self.services:
            self._turn(service)

    async def _kill_replica(self, replica: Server) -> None:
        replica.kill()
        await self._rest(WHILE)
        self._rejoin(replica)

    async def _pause_service(self, service: Service) -> None:
        await self._pause(service.process)

    async def _pause_primary(self, primary: Server) -> None:
        await self._pause(primary.process)

    async def _pause_replica(self, replica: Server) -> None:
        await self._pause(replica.process)

    async def _pause(self, process: Process) -> None:
        process.paused = True
        await self._rest(WHILE)
        self._loop.resume(process)

    async def _cut_connections(self, service: Service) -> None:
        self._network.cut(self._rng.choice((service.port, service.redis_port)))

    async def _silence_connections(self, service: Service) -> None:
        """Cut a process off from Redis, on connections that look alive."""
        self._network.silence(service.redis_port)
        await self._rest(WHILE)
        self._network.silent.discard(service.redis_port)

    async def _slow_connections(self, service: Service) -> None:
        self._network.slow[service.redis_port] = self._rng.uniform(10, 300)
        await self._rest(WHILE)
        del self._network.slow[service.redis_port]

    async def _lag_replica(self, replica: Server) -> None:
        replica.lag = self._rng.uniform(10, 300)
        await self._rest(WHILE)
        replica.lag = 1.0

    async def _fail_disk(self, primary: Server) -> None:
        primary.fail_disk()
        await self._rest(WHILE)
        primary.mend_disk()
