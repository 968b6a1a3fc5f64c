"""The cost of a change of a game for Redis: python -m tests.programs.chaos.store_costs [changes].

The processor's time and the bytes from and to the service, as Redis counts them, and in a cluster the bytes that the
nodes send each other, as `ss` of Linux's iproute2 counts them. REDIS_SERVER names another server to try.
"""

import asyncio
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from redis import Redis as Client

from service.app import make_store
from service.live.store.protocol import Store
from service.platform.settings import Settings
from service.schemas.ids import GameId
from tests.support.processes import Redis
from tests.support.redis_groups import BUS, cluster
from tests.support.redis_server import find_or_get, find_or_get_sharded

SINGLE: Final = (("--appendonly", "no"), ("--appendonly", "yes"), ("--appendonly", "yes", "--appendfsync", "always"))
CLUSTERS: Final = ((3, False), (6, False), (3, True))
"""Primaries, and whether each has a replica."""
GAMES: Final = 100
"""Games that are changed in turn, on slots of all primaries."""
LANES: Final = 16
REST: Final = 3
"""Seconds."""


class Cost(NamedTuple):
    """Unit: seconds of the processor, bytes."""

    cpu: float
    received: float
    sent: float
    bus: float

    def since(self, before: "Cost", times: float) -> "Cost":
        """Return what was added since, divided by how often."""
        return Cost(*((now - then) / times for now, then in zip(self, before, strict=True)))

    def __str__(self) -> str:
        return f"{self.cpu * 1e6:.0f} µs, {self.received:.0f} bytes in, {self.sent:.0f} out, {self.bus:,.0f} on the bus"


def cost(servers: list[Redis]) -> Cost:
    """Return what servers have cost so far."""
    cpu, received, sent = 0.0, 0.0, 0.0
    for server in servers:
        with Client(port=server.port) as client:
            info = client.info("all")
        cpu += info["used_cpu_user"] + info["used_cpu_sys"]
        received += info["total_net_input_bytes"]
        sent += info["total_net_output_bytes"]
    return Cost(cpu, received, sent, _bus({server.port + BUS for server in servers}))


def _bus(ports: set[int]) -> int:
    lines = subprocess.run(["ss", "-tniHO"], check=True, capture_output=True, text=True).stdout.splitlines()
    return sum(_sent(line) for line in lines if ports & set(_ports(line)))


def _ports(line: str) -> Iterator[int]:
    for address in line.split()[3:5]:
        yield int(address.rpartition(":")[2])


def _sent(line: str) -> int:
    found = re.search(r"bytes_sent:(\d+)", line)
    return int(found[1]) if found else 0


def _entry(version: int) -> bytes:
    return b"%018d" % version


async def _change(store: Store, lane: list[str], rounds: int) -> None:
    for version in range(1, rounds + 1):
        for name in lane:
            assert await store.append(GameId(name), version, _entry(version + 1), 600, _entry(version))


async def measure(url: str, servers: list[Redis], changes: int) -> tuple[Cost, Cost]:
    """Return the cost of a change, without the cost of an idle second, and that cost."""
    names = [f"game-{number}" for number in range(GAMES)]
    store = make_store(Settings(redis_url=url, store_timeout=5))
    try:
        await asyncio.gather(*(store.create(GameId(name), _entry(1), 600) for name in names))
        before = cost(servers)
        await asyncio.sleep(REST)
        at_rest = cost(servers).since(before, REST)
        before, began = cost(servers), time.monotonic()
        await asyncio.gather(*(_change(store, names[lane::LANES], changes // GAMES) for lane in range(LANES)))
        taken = time.monotonic() - began
        await asyncio.sleep(REST)  # for what is still on its way
        rest = Cost(*(each * (taken + REST) for each in at_rest))
        return cost(servers).since(before, 1).since(rest, changes), at_rest
    finally:
        await store.close()


def _measure_single(program: str, options: tuple[str, ...], changes: int) -> None:
    with TemporaryDirectory() as folder:
        server = Redis(Path(folder) / "one", *options)
        server.program = program
        with server:
            print(f"  one server, {' '.join(options)}: {asyncio.run(measure(server.url, [server], changes))[0]}")


def _measure_cluster(program: str, primaries: int, changes: int, *, replicas: bool) -> None:
    with (
        TemporaryDirectory() as folder,
        cluster(Path(folder), primaries, replicas=replicas, program=program) as nodes,
    ):
        each, at_rest = asyncio.run(measure(nodes.url, [*nodes.primaries, *nodes.replicas], changes))
    size = f"{primaries} primaries" + (" with a replica each" if replicas else "")
    print(f"  {size}: {each}; at rest {at_rest.bus:,.0f} bytes a second")


def main() -> None:
    """Measure with an old server and with one that has sharded pub/sub."""
    changes = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    for program in dict.fromkeys((find_or_get(), find_or_get_sharded())):
        print(subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout.strip())
        for options in SINGLE:
            _measure_single(program, options, changes)
        for primaries, replicas in CLUSTERS:
            _measure_cluster(program, primaries, changes, replicas=replicas)


if __name__ == "__main__":
    main()
