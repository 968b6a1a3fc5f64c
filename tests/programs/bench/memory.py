"""Memory: of a worker, of an idle event stream, of a live game in Redis."""

import asyncio
import os
import re
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from redis import Redis

from tests.programs.bench.courses import draw_courses
from tests.programs.bench.live import HELD, STORE_TIMEOUT, playing
from tests.programs.bench.load import wrk
from tests.programs.bench.plan import Plan
from tests.programs.bench.report import Figure, Section, table
from tests.programs.bench.targets import ALONE, SERVICE, started
from tests.programs.chaos import streams_load
from tests.support.games.client import Client
from tests.support.games.player import KINDS, Player
from tests.support.redis_server import running

AT_ONCE: Final = 16
"""Games that are played at once to be weighed."""


class Weight(NamedTuple):
    """The memory of a process in MiB: all that it has in the machine's memory, and its share of it."""

    resident: float
    proportional: float


def weigh(process: int) -> Weight:
    """Weigh a process."""
    told = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="utf-8")
    found = {name: int(size) / 1024 for name, size in re.findall(r"(\w+): +(\d+) kB", told)}
    return Weight(found["Rss"], found["Pss"])


def measure_memory(plan: Plan) -> Iterator[Section]:
    """Weigh the worker, then the games, then the streams."""
    yield _weigh_worker(plan)
    yield _weigh_games(plan)
    yield _weigh_streams(plan)


def _weigh_worker(plan: Plan) -> Section:
    """Weigh a worker after its start, and after questions, batches and live plays."""
    with running() as port, Redis(port=port) as redis, ExitStack() as stack:
        settings = {"REDIS_URL": f"redis://127.0.0.1:{port}", "STORE_TIMEOUT": STORE_TIMEOUT}
        (server,) = stack.enter_context(started((ALONE,), plan.serving, **settings))
        weights = {"after its start": weigh(server.pid)}
        for workload in plan.named("legal_moves", "next_states"):
            wrk(server.url, workload, plan.seconds, plan.loading)
        weights["after questions"] = weigh(server.pid)
        playing(HELD, server, redis, draw_courses(), plan).measure()
        weights["after live plays, too"] = weigh(server.pid)
        for workload in plan.named("batch_next_states"):
            wrk(server.url, workload, plan.seconds, plan.loading)
        weights["after batches of 1,000, too"] = weigh(server.pid)
    rows = [("a worker", "RSS MiB", "PSS MiB"), *((when, f"{w[0]:.1f}", f"{w[1]:.1f}") for when, w in weights.items())]
    figures = (
        Figure("worker after its start, MiB", weights["after its start"].resident),
        Figure("worker after load, MiB", max(w.resident for w in weights.values())),
    )
    print("weighed a worker", file=sys.stderr)
    return Section(f"## Memory of a worker\n\n{table(rows)}", figures)


def _weigh_games(plan: Plan) -> Section:
    """Weigh whole games of every kind, played over HTTP, with all keys that they leave behind."""
    with running() as port, Redis(port=port) as redis, ExitStack() as stack:
        settings = {"REDIS_URL": f"redis://127.0.0.1:{port}", "STORE_TIMEOUT": STORE_TIMEOUT}
        (server,) = stack.enter_context(started((SERVICE,), plan.serving, **settings))
        plays = asyncio.run(_play_all(int(server.address.rpartition(":")[2])))
        keys: list[bytes] = list(_told(redis.scan_iter(count=1000)))
        sizes = [int(_told(redis.memory_usage(key, samples=0))) for key in keys]
    each = sum(sizes) / len(KINDS)
    rows = [
        ("what", "of a game"),
        ("games, each of another kind", f"{len(KINDS)}"),
        ("cards played, median", f"{median(plays):,.0f}"),
        ("keys", f"{len(keys) / len(KINDS):.1f}"),
        ("bytes by MEMORY USAGE, all its keys", f"{each:,.0f}"),
        ("the longest key's bytes", f"{max(sizes):,}"),
    ]
    print("weighed games", file=sys.stderr)
    about = "Whole games to 41, one of every ruleset, count of players and sides, played over HTTP to the end."
    figure = Figure("finished game in Redis, bytes", each)
    return Section(f"## Memory of a live game in Redis\n\n{about}\n\n{table(rows)}", (figure,))


def _told(answer: Any) -> Any:
    """Take an answer of the library's, whose types speak of its other client, too."""
    return answer


async def _play_all(port: int) -> list[int]:
    kinds, plays = iter(enumerate(KINDS)), list[int]()

    async def sit() -> None:
        with Client([port]) as client:
            for number, kind in kinds:
                player = Player(client, kind, Random(number))
                await player.open()
                await player.finish()
                plays.append(len(player.acknowledged))

    await asyncio.gather(*(sit() for _ in range(AT_ONCE)))
    return plays


def _weigh_streams(plan: Plan) -> Section:
    """Hold streams in one process on the serving core; all else has the other core."""
    load = streams_load.Load(streams=plan.streams, games=max(1, plan.streams // 10), seconds=5 * plan.seconds)
    with TemporaryDirectory() as folder, streams_load.served(Path(folder), load.streams) as (holder, maker):
        os.sched_setaffinity(holder.pid, {plan.serving})
        seen = asyncio.run(streams_load.measure(holder, maker, load))
    rows = [
        ("what", "seen"),
        ("streams open in one process", f"{load.streams:,}"),
        ("memory of an idle stream", f"{seen.memory:.1f} KiB"),
        ("live plays a second, each told to ten streams", f"{load.rate}"),
        ("events told, of those expected", f"{seen.events:,} of {seen.expected:,}"),
        ("from the play's request to the event: p50", f"{1e3 * seen.p50:.1f} ms"),
        ("from the play's request to the event: p99", f"{1e3 * seen.p99:.1f} ms"),
        ("from the play's request to the event: the longest", f"{1e3 * seen.worst:.1f} ms"),
    ]
    figures = (
        Figure("idle event stream, KiB", seen.memory),
        Figure("event at 10,000 streams, p99 in ms", 1e3 * seen.p99),
    )
    print("weighed streams", file=sys.stderr)
    return Section(f"## Event streams\n\n{table(rows)}", figures)
