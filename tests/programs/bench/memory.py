"""Memory: of a worker, and of a live game in Redis."""

import asyncio
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any, Final

from redis import Redis

from tests.programs.bench.live import STORE_TIMEOUT, playing
from tests.programs.bench.load import ask
from tests.programs.bench.report import Figure, Section, table
from tests.programs.bench.targets import ALONE, Plan, Server, started, url_of
from tests.programs.bench.workloads import draw_workloads
from tests.support.games.client import Client
from tests.support.games.player import KINDS, Player
from tests.support.processes import resident
from tests.support.redis_server import running

AT_ONCE: Final = 16
"""Games that are played at once to be weighed."""


def measure_memory(plan: Plan) -> Iterator[Section]:
    """Weigh a worker, then games."""
    with _over_redis(plan) as (server, redis):
        yield _weigh_worker(server, redis, plan)
    with _over_redis(plan) as (server, redis):
        yield _weigh_games(server, redis)


@contextmanager
def _over_redis(plan: Plan) -> Generator[tuple[Server, Redis]]:
    with running() as port, Redis(port=port) as redis:
        settings = {"REDIS_URL": url_of(port), "STORE_TIMEOUT": STORE_TIMEOUT}
        with started((ALONE,), plan.serving, **settings) as (server,):
            yield server, redis


def _weigh_worker(server: Server, redis: Redis, plan: Plan) -> Section:
    """Weigh a worker after its start, and after questions, live plays and batches."""
    workloads, weights = draw_workloads(), {"after its start": resident(server.pid) / 1024}
    for name in ("legal_moves", "next_states"):
        ask(server, workloads[name], plan)
    weights["after questions"] = resident(server.pid) / 1024
    playing(server, redis, plan)()
    weights["after live plays, too"] = resident(server.pid) / 1024
    ask(server, workloads["batch_next_states"], plan)
    weights["after batches of 1,000, too"] = resident(server.pid) / 1024
    rows = [("a worker", "RSS MiB"), *((when, f"{weight:.1f}") for when, weight in weights.items())]
    figures = (
        Figure("worker after its start, MiB", weights["after its start"]),
        Figure("worker after load, MiB", max(weights.values())),
    )
    print("weighed a worker", file=sys.stderr)
    return Section(f"## Memory of a worker\n\n{table(rows)}", figures)


def _weigh_games(server: Server, redis: Redis) -> Section:
    """Weigh whole games of every kind, played over HTTP, with all keys that they leave behind."""
    asyncio.run(_play_all(server.port))
    library: Any = redis  # its types speak of its other client, too
    sizes = [int(library.memory_usage(key, samples=0)) for key in library.scan_iter(count=1000)]
    figure = Figure("finished game in Redis, bytes", sum(sizes) / len(KINDS))
    rows = [
        ("what", "of a game"),
        ("games, each of another kind", f"{len(KINDS)}"),
        ("keys", f"{len(sizes) / len(KINDS):.1f}"),
        ("bytes by MEMORY USAGE, all its keys", f"{figure.value:,.0f}"),
        ("the longest key's bytes", f"{max(sizes):,}"),
    ]
    print("weighed games", file=sys.stderr)
    about = "Whole games to 41, one of every ruleset, count of players and sides, played over HTTP to the end."
    return Section(f"## Memory of a live game in Redis\n\n{about}\n\n{table(rows)}", (figure,))


async def _play_all(port: int) -> None:
    kinds = iter(enumerate(KINDS))

    async def sit() -> None:
        with Client([port]) as client:
            for number, kind in kinds:
                player = Player(client, kind, Random(number))
                await player.open()
                await player.finish()

    await asyncio.gather(*(sit() for _ in range(AT_ONCE)))
