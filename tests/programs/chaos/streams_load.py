"""Many event streams held by one process while games go on through another: what each costs, how soon news arrives.

python -m tests.programs.chaos.streams_load [streams [games [plays a second [seconds]]]]
"""

import asyncio
import gc
import resource
import sys
import time
from collections.abc import Generator
from contextlib import AsyncExitStack, ExitStack, contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from tests.support.games.client import Client
from tests.support.games.player import SHORT, Player
from tests.support.games.streams import Stream, stream
from tests.support.processes import Redis, Service, resident

DRIVERS: Final = 32
"""Connections over which the games are played."""

WARMING: Final = 2
"""Seconds of the same load beforehand, not counted."""


class Load(NamedTuple):
    """The number of streams and of games, the plays a second, and for how many seconds."""

    streams: int = 10_000
    games: int = 1000
    rate: int = 200
    seconds: int = 20


class Seen(NamedTuple):
    """The result. Unit: memory of a stream in KiB; from the play's request to the event's arrival, in seconds."""

    memory: float
    events: int
    expected: int
    p50: float
    p99: float
    worst: float

    def __str__(self) -> str:
        times = f"p50 {self.p50 * 1000:.1f} ms, p99 {self.p99 * 1000:.1f} ms, worst {self.worst * 1000:.1f} ms"
        return f"{self.memory:.1f} KiB a stream; {self.events} of {self.expected} events: {times}"


class _Table(NamedTuple):
    player: Player
    sent: dict[int, float]
    arrived: list[float]


async def measure(holder: Service, maker: Service, load: Load) -> Seen:
    """Open games and streams, then play at a steady rate."""
    async with AsyncExitStack() as stack:
        clients = [stack.enter_context(Client([maker.port])) for _ in range(DRIVERS)]
        tables = [_Table(Player(clients[at % DRIVERS], SHORT, Random(at)), {}, []) for at in range(load.games)]
        await asyncio.gather(*(_begin(tables[lane::DRIVERS]) for lane in range(DRIVERS)))
        before = resident(holder.pid)
        opened: list[tuple[_Table, Stream]] = []
        for at in range(load.streams):
            table = tables[at % load.games]
            # One address has no more than what is free; a machine's limit of open files may leave 14,000 places.
            one = stream(holder.port, table.player.path, address=f"127.0.0.{1 + at % 4}")
            opened.append((table, await stack.enter_async_context(one)))
        listeners = [asyncio.create_task(_listen(table, each)) for table, each in opened]
        await asyncio.sleep(3)
        memory = (resident(holder.pid) - before) / load.streams
        # The client's own garbage collector would be taken for the service's slowness; so would its first steps.
        gc.disable()
        await _play(tables, load._replace(seconds=WARMING))
        await asyncio.sleep(1)
        for table in tables:
            table.arrived.clear()
        made = await _play(tables, load)
        gc.enable()
        await asyncio.sleep(2)
        for listener in listeners:
            listener.cancel()
        await asyncio.wait(listeners)
    times = sorted(time for table in tables for time in table.arrived)
    expected = made * load.streams // load.games
    return Seen(memory, len(times), expected, times[len(times) // 2], times[len(times) * 99 // 100], times[-1])


async def _begin(tables: list[_Table]) -> None:
    for table in tables:
        await table.player.open()
        await table.player.deal()


async def _play(tables: list[_Table], load: Load) -> int:
    """Play at a steady rate, also while answers are slow; return how many plays were made."""
    count = min(DRIVERS, load.games)
    lanes = [_play_lane(tables[lane::count], lane / load.rate, load) for lane in range(count)]
    return sum(await asyncio.gather(*lanes))


async def _play_lane(tables: list[_Table], later: float, load: Load) -> int:
    pause = min(DRIVERS, load.games) / load.rate
    began = time.monotonic() + later
    made = 0
    for turn in range(int(load.seconds / pause)):
        await asyncio.sleep(began + turn * pause - time.monotonic())
        table = tables[turn % len(tables)]
        player = table.player
        if player.position["phase"] == "playing":
            table.sent[player.version + 1] = time.monotonic()
            await player.play()
            made += 1
    return made


async def _listen(table: _Table, opened: Stream) -> None:
    while True:
        event = await opened.next()
        if event.version in table.sent:
            table.arrived.append(time.monotonic() - table.sent[event.version])


@contextmanager
def served(folder: Path, streams: int) -> Generator[tuple[Service, Service], None, None]:
    """Serve from two processes over one Redis; the first is for the streams."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = streams + 1000
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted if most == resource.RLIM_INFINITY else min(wanted, most), most))
    with ExitStack() as stack:
        redis = stack.enter_context(Redis(folder / "redis"))
        settings = {"redis_url": redis.url, "max_streams": 2 * streams}
        yield (
            stack.enter_context(Service(folder / "holder", **settings)),
            stack.enter_context(Service(folder / "maker", **settings)),
        )


def main() -> None:
    """Measure once and print the result."""
    load = Load(*map(int, sys.argv[1:]))
    with TemporaryDirectory() as folder, served(Path(folder), load.streams) as (holder, maker):
        print(load)
        print(asyncio.run(measure(holder, maker, load)))


if __name__ == "__main__":
    main()
