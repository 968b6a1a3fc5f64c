"""Processes of the service over a Redis and its replica, and what is done to them.

Each process of the service reaches Redis on a port of its own, which is turned to the other server when that takes
over, as sentinels would tell the process to do.
"""

import asyncio
from collections.abc import Awaitable, Callable
from random import Random
from typing import Final

from tests.programs.simulation.loop import Loop, Process
from tests.programs.simulation.network import Network
from tests.programs.simulation.redis.server import Server
from tests.programs.simulation.services import Service

APART: Final = 0.15
"""Seconds at most for which two servers are primaries, and processes of the service ask different ones."""
WHILE: Final = 1.5
"""Seconds at most for which something is paused, slow or silent."""


class Servers:
    """The servers that are harmed: one Redis is the primary, the other its replica."""

    def __init__(self, loop: Loop, network: Network, rng: Random, services: list[Service], version: int) -> None:
        self.primary, self.replica = (Server(loop, network, rng, port, version) for port in (7001, 7002))
        self.services = services
        self.done: dict[str, int] = {}
        self._loop = loop
        self._network = network
        self._rng = rng
        self._failovers = (
            self._replace_dead,
            self._replace_alive,
            self._replace_paused,
            self._replace_after_power_cut,
            self._replace_full_disk,
        )
        self._harms = (
            self._kill_service,
            self._kill_primary,
            self._kill_replica,
            self._pause_service,
            self._pause_primary,
            self._cut_connections,
            self._silence_connections,
            self._slow_connections,
            self._lag_replica,
            self._fail_disk,
        )

    @property
    def ports(self) -> list[int]:
        """The ports of the service."""
        return [service.port for service in self.services]

    async def start(self) -> None:
        """Start all, and wait until the primary has its replica."""
        self.replica.follow(self.primary)
        for service in self.services:
            self._turn(service)
            await service.start()
        await self.heal()

    async def fail_over(self) -> None:
        """Let the replica take over, of a primary that is dead or of one that still serves."""
        await self._do(self._rng.choice(self._failovers))

    async def kill(self) -> None:
        """Do some other harm, for a while."""
        await self._do(self._rng.choice(self._harms))

    async def heal(self) -> None:
        """Wait until the primary has its replica."""
        while not self.primary.has_replica:  # noqa: ASYNC110 – a simulated server tells nobody
            await asyncio.sleep(0.01)

    async def _do(self, harm: Callable[[], Awaitable[None]]) -> None:
        await harm()
        name = harm.__name__.removeprefix("_")
        self.done[name] = self.done.get(name, 0) + 1

    async def _rest(self, longest: float) -> None:
        """Wait for a while, mostly a short one."""
        await asyncio.sleep(longest * self._rng.random() ** 3)

    # ── Failovers ──

    async def _replace_dead(self) -> None:
        self.primary.kill()
        await self._rest(0.01)
        self.replica.promote()
        await self._turn_all()
        self._rejoin()

    async def _replace_alive(self) -> None:
        self.replica.promote()
        await self._rest(APART)
        await self._turn_all()
        self.replica.kill()
        self._rejoin()

    async def _replace_paused(self) -> None:
        old = self.primary
        old.process.paused = True
        await self._rest(WHILE)
        self.replica.promote()
        await self._turn_all()
        self._loop.resume(old.process)
        await self._rest(APART)
        old.kill()
        self._rejoin()

    async def _replace_after_power_cut(self) -> None:
        self.primary.kill(power=True)
        self.replica.promote()
        await self._turn_all()
        self._rejoin()

    async def _replace_full_disk(self) -> None:
        self.primary.fail_disk()
        await self._rest(WHILE)
        await self._replace_after_power_cut()

    def _turn(self, service: Service) -> None:
        self._network.listeners[service.redis_port] = self.primary.listener

    async def _turn_all(self) -> None:
        """Turn the processes to the server that has taken over, one after the other."""
        self.primary, self.replica = self.replica, self.primary
        for service in self._rng.sample(self.services, len(self.services)):
            self._turn(service)
            self._network.cut(service.redis_port)
            await self._rest(APART)

    def _rejoin(self) -> None:
        """Start the old primary again, as the replica of the one that has taken over."""
        self.replica.start()
        self.replica.follow(self.primary)

    # ── Other harm ──

    async def _kill_service(self) -> None:
        service = self._rng.choice(self.services)
        service.kill()
        await self._rest(0.2)
        await service.start()

    async def _kill_primary(self) -> None:
        self.primary.kill()
        await self._rest(0.2)
        self.primary.start()
        self.replica.follow(self.primary)
        for service in self.services:
            self._turn(service)

    async def _kill_replica(self) -> None:
        self.replica.kill()
        await self._rest(WHILE)
        self.replica.start()
        self.replica.follow(self.primary)

    async def _pause_service(self) -> None:
        await self._pause(self._rng.choice(self.services).process)

    async def _pause_primary(self) -> None:
        await self._pause(self.primary.process)

    async def _pause(self, process: Process) -> None:
        process.paused = True
        await self._rest(WHILE)
        self._loop.resume(process)

    async def _cut_connections(self) -> None:
        service = self._rng.choice(self.services)
        self._network.cut(self._rng.choice((service.port, service.redis_port)))

    async def _silence_connections(self) -> None:
        """Let a process and Redis hear nothing of each other, on connections that look sound."""
        port = self._rng.choice(self.services).redis_port
        self._network.silence(port)
        await self._rest(WHILE)
        self._network.silent.discard(port)

    async def _slow_connections(self) -> None:
        port = self._rng.choice(self.services).redis_port
        self._network.slow[port] = self._rng.uniform(10, 300)
        await self._rest(WHILE)
        del self._network.slow[port]

    async def _lag_replica(self) -> None:
        self.replica.lag = self._rng.uniform(10, 300)
        await self._rest(WHILE)
        self.replica.lag = 1.0

    async def _fail_disk(self) -> None:
        self.primary.fail_disk()
        await self._rest(WHILE)
        self.primary.mend_disk()
