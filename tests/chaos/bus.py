"""What a change of a game costs on the bus of a Redis Cluster, in bytes: python -m tests.chaos.bus [changes].

Asks `ss`, of Linux's iproute2, how many bytes the nodes have sent to each other. REDIS_SERVER names another server.
"""

import asyncio
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from service.app import make_store
from service.settings import Settings
from service.store.protocol import Store
from tests.support.redis_groups import BUS, Cluster, cluster
from tests.support.redis_server import find_or_get, find_or_get_sharded

SIZES: Final = ((3, False), (6, False), (3, True))
"""Primaries, and whether each has a replica."""
GAMES: Final = 100
"""Games that are changed in turn, on slots of all primaries."""
LANES: Final = 10
REST: Final = 3
"""Seconds."""


def sent(nodes: Cluster) -> int:
    """Return how many bytes the nodes have sent on the bus so far."""
    ports = {server.port + BUS for server in (*nodes.primaries, *nodes.replicas)}
    lines = subprocess.run(["ss", "-tniHO"], check=True, capture_output=True, text=True).stdout.splitlines()
    return sum(_sent(line) for line in lines if ports & set(_ports(line)))


def _ports(line: str) -> Iterator[int]:
    for address in line.split()[3:5]:
        yield int(address.rpartition(":")[2])


def _sent(line: str) -> int:
    found = re.search(r"bytes_sent:(\d+)", line)
    return int(found[1]) if found else 0


def _entry(version: int) -> bytes:
    return b"%064d" % version


async def _change(store: Store, lane: list[str], rounds: int) -> None:
    for version in range(1, rounds + 1):
        for name in lane:
            assert await store.append(name, version, _entry(version + 1), 600, _entry(version))


async def measure(nodes: Cluster, changes: int) -> tuple[float, float]:
    """Return the bytes on the bus for each change, and those in a second of rest, which are not counted with it."""
    names = [f"game-{number}" for number in range(GAMES)]
    store = make_store(Settings(redis_url=nodes.url))
    try:
        await asyncio.gather(*(store.create(name, _entry(1), 600) for name in names))
        before = sent(nodes)
        await asyncio.sleep(REST)
        at_rest = (sent(nodes) - before) / REST
        before, began = sent(nodes), time.monotonic()
        await asyncio.gather(*(_change(store, names[lane::LANES], changes // GAMES) for lane in range(LANES)))
        taken = time.monotonic() - began
        await asyncio.sleep(REST)  # for what is still on its way
        return (sent(nodes) - before - at_rest * (taken + REST)) / changes, at_rest
    finally:
        await store.close()


def main() -> None:
    """Measure each size with an old server and with one that has sharded pub/sub."""
    changes = int(sys.argv[1]) if len(sys.argv) > 1 else 3000
    for program in dict.fromkeys((find_or_get(), find_or_get_sharded())):
        print(subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout.strip())
        for primaries, replicas in SIZES:
            with (
                TemporaryDirectory() as folder,
                cluster(Path(folder), primaries, replicas=replicas, program=program) as nodes,
            ):
                each, at_rest = asyncio.run(measure(nodes, changes))
            size = f"{primaries} primaries" + (" with a replica each" if replicas else "")
            print(f"{size}: {each:,.0f} bytes a change; at rest {at_rest:,.0f} bytes a second")


if __name__ == "__main__":
    main()
