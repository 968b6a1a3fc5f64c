"""Processes of the service over a Redis and its replica, and what is done to them.

Each process reaches Redis through a relay, which is turned to the other server when that takes over, as sentinels would
tell the process to do, but sooner.
"""

import asyncio
from collections.abc import Awaitable, Callable, Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import Final

from redis import Redis as Client

from tests.support.processes import Redis, Service
from tests.support.redis_groups import QUICKLY, has_replica, wait_until
from tests.support.redis_relay import Relay

# On disk, so that a server that is killed comes back with all that it has written.
OPTIONS: Final = ("--appendonly", "yes", "--hz", "100", *QUICKLY)
SETTINGS: Final[dict[str, object]] = {"store_timeout": 0.5, "stream_heartbeat": 1}
APART: Final = 0.15
"""Seconds at most for which two servers are primaries, and processes of the service ask different ones."""


class Servers:
    """The servers that are harmed: one Redis is the primary, the other its replica."""

    def __init__(self, pair: tuple[Redis, Redis], services: list[Service], relays: list[Relay], rng: Random) -> None:
        self.primary, self.replica = pair
        self.services = services
        self.done: dict[str, int] = {}
        self._relays = relays
        self._rng = rng

    @property
    def ports(self) -> list[int]:
        """The ports of the service."""
        return [service.port for service in self.services]

    async def fail_over(self) -> None:
        """Let the replica take over, of a primary that is dead or of one that still serves."""
        await self._do(self._rng.choice((self._replace_dead, self._replace_alive)))

    async def kill(self) -> None:
        """Kill a process of the service, or the primary, and start it again."""
        await self._do(self._rng.choice((self._kill_service, self._kill_primary)))

    async def heal(self) -> None:
        """Wait until the primary has its replica."""
        await asyncio.to_thread(wait_until, lambda: has_replica(self.primary), "no replica")

    def client(self) -> Client:
        """Connect to the primary."""
        return Client(port=self.primary.port)

    async def _do(self, harm: Callable[[], Awaitable[None]]) -> None:
        await harm()
        name = harm.__name__.removeprefix("_")
        self.done[name] = self.done.get(name, 0) + 1

    async def _replace_dead(self) -> None:
        await asyncio.to_thread(self.primary.kill)
        self._promote()
        await self._turn()
        await self._rejoin()

    async def _replace_alive(self) -> None:
        self._promote()
        await asyncio.sleep(self._rng.uniform(0, APART))
        await self._turn()
        await asyncio.to_thread(self.primary.kill)
        await self._rejoin()

    async def _kill_service(self) -> None:
        service = self._rng.choice(self.services)
        await asyncio.to_thread(service.kill)
        await asyncio.sleep(self._rng.uniform(0, 0.2))
        await asyncio.to_thread(service.start)

    async def _kill_primary(self) -> None:
        await asyncio.to_thread(self.primary.kill)
        await asyncio.sleep(self._rng.uniform(0, 0.2))
        await asyncio.to_thread(self.primary.start)

    def _promote(self) -> None:
        assert self.replica.answers("REPLICAOF", "NO", "ONE") == b"+OK\r\n"

    async def _turn(self) -> None:
        """Turn the processes to the server that has taken over, one after the other."""
        for relay in self._rng.sample(self._relays, len(self._relays)):
            relay.turn_to(self.replica.port)
            relay.cut()
            await asyncio.sleep(self._rng.uniform(0, APART))

    async def _rejoin(self) -> None:
        """Start the old primary again, as the replica of the one that has taken over."""
        self.primary, self.replica = self.replica, self.primary
        self.primary.options = OPTIONS
        self.replica.options = (*OPTIONS, "--replicaof", "127.0.0.1", str(self.primary.port))
        await asyncio.to_thread(self.replica.start)


@contextmanager
def served(folder: Path, processes: int, replicas: int, rng: Random, runner: asyncio.Runner) -> Generator[Servers]:
    """Serve from a number of processes, which ask for a number of replicas."""
    with ExitStack() as stack:
        primary = stack.enter_context(Redis(folder / "first", *OPTIONS))
        following = ("--replicaof", "127.0.0.1", str(primary.port))
        replica = stack.enter_context(Redis(folder / "second", *OPTIONS, *following))
        relays = [Relay(primary.port) for _ in range(processes)]
        services: list[Service] = []
        for at, relay in enumerate(relays):
            settings = {
                **SETTINGS,
                "store_replicas": replicas,
                "redis_url": f"redis://127.0.0.1:{runner.run(relay.start())}",
            }
            services.append(stack.enter_context(Service(folder / f"service{at}", **settings)))
        servers = Servers((primary, replica), services, relays, rng)
        runner.run(servers.heal())
        yield servers
        for service in services:
            assert "Traceback" not in service.said(), service.said()
    for relay in relays:
        runner.run(relay.stop())
