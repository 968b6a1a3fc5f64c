"""Serve at full load, questions and live games at once, and watch the memory: python -m tests.programs.soak.

The exit code is 0 when the memory is at the end what it was after the first minute, 1 when it has grown, 2 where it
cannot be tried.
"""

import argparse
import asyncio
import os
import shlex
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from pathlib import Path
from random import Random
from statistics import median
from time import monotonic, sleep
from typing import Final

import msgspec

from tests.programs.bench import load
from tests.programs.bench.targets import Plan, Server, Target, started
from tests.programs.bench.workloads import Workload, draw_workloads
from tests.support.games.client import Call, Client
from tests.support.games.player import KINDS, Player
from tests.support.http.samples import EVERY, PATHS

GROWTH: Final = 1.05
"""The memory is still the same at up to this ratio to the memory after the first minute."""
WARM: Final = 60
"""Seconds after which memory is to stay as it is."""
SAMPLE: Final = 5
"""Seconds between looks at the memory."""
SLICE: Final = 3
"""Seconds for which one kind of question is asked before the next: each has had its turn within the first minute."""
CHAIRS: Final = 4
"""Games that are played at once."""
# The log is written as ever, but kept nowhere: it would be gigabytes.
SERVICE: Final = Target(
    "service", ("sh", "-c", f"exec env LOG_LEVEL=info {shlex.quote(sys.executable)} -m service serve >/dev/null")
)


class Guest(Player):
    """One who plays a game and leaves nothing behind."""

    def opening(self) -> Call:
        return super().opening()._replace(key=None)

    async def whole_game(self) -> None:
        await super().whole_game()
        answer = await self.client.insist(Call("DELETE", self.path, token=self.host))
        assert answer.status == 204, answer


def ask_questions(server: Server, core: int, end: float) -> int:
    """Ask every kind of question in turn until then; tell how many requests were answered."""
    samples = [Workload(kind, PATHS[kind], (msgspec.json.encode(body),), 1, 2) for kind, body in EVERY.items()]
    answered = 0
    for workload in cycle([*samples, *draw_workloads().values()]):
        if (left := end - monotonic()) < 1:
            return answered
        answered += load.ask(server, workload, Plan(int(min(SLICE, left)), 1, core, core)).requests
    raise AssertionError


async def _play_games(port: int, end: float) -> int:
    async def sit(chair: int) -> int:
        chance, games = Random(chair), 0
        with Client([port]) as client:
            while monotonic() < end:
                await Guest(client, chance.choice(KINDS), chance).whole_game()
                games += 1
        return games

    return sum(await asyncio.gather(*map(sit, range(CHAIRS))))


def memory(process: int) -> float:
    """Return the resident memory of a process, in MB."""
    pages = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def _watch(process: int, seconds: float) -> tuple[float, float]:
    """Watch the memory until the end; return its size after the first minute and at the end."""
    warm, end = (monotonic() + after for after in (min(WARM, seconds / 2), seconds))
    early, late = list[float](), list[float]()
    while monotonic() < end:
        sleep(SAMPLE)
        (early if monotonic() < warm else late).append(memory(process))
        print(f"{(early + late)[-1]:.1f} MB", end=" ", flush=True)
    print()
    return median([early[-1], *late[:2]]), median(late[-3:])


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve, load, watch, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.programs.soak", description=__doc__)
    parser.add_argument("--seconds", type=int, default=600, help="how long (600); 40 at least")
    seconds = max(40, parser.parse_args(arguments).seconds)
    cores = sorted(os.sched_getaffinity(0))
    if wrong := load.missing():
        print(wrong, file=sys.stderr)
        return 2
    os.sched_setaffinity(0, {cores[-1]})
    with started((SERVICE,), cores[0]) as (server,), ThreadPoolExecutor() as threads:
        end = monotonic() + seconds
        asked = threads.submit(ask_questions, server, cores[-1], end)
        played = threads.submit(asyncio.run, _play_games(server.port, end))
        before, after = _watch(server.pid, seconds)
        print(f"{asked.result()} requests of wrk and {played.result()} live games in {seconds} s")
    print(f"memory after the first minute {before:.1f} MB, at the end {after:.1f} MB: {after / before - 1:+.1%}")
    return int(after > before * GROWTH)


if __name__ == "__main__":
    sys.exit(main())
