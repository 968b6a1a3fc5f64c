"""Processes of two versions of the service over one Redis that replace each other during games.

Callers play games with every act, each act at either process, and follow them in streams from both: openings and
renewals are repeated, computers play, seats are absent, games are opened again. The processes are replaced in turn by
the other version, so every mixture of the two comes once. At the end, answers and streams are compared with the logs of
the games: tests/programs/chaos/histories.
"""

import asyncio
import sys
from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any, Final, cast

import httpx

from tests.programs.chaos.histories.run import Outcome, Plan, run
from tests.programs.chaos.histories.servers import SETTINGS, Servers
from tests.support.last_release import ROOT, Build
from tests.support.processes import Redis, Service

PLAN: Final = Plan(
    failovers=0, kills=4, plays=800, replicas=0, processes=2, chairs=8, pause=0.02, quiet=1.0, limited=0.25, away=0.0
)
"""Each kill replaces a process; nobody stays away for minutes, which the simulation tries."""
HERE: Final = Build("this version", ROOT, sys.executable)


class Versions(Servers):
    """Processes that are replaced in turn by the same process of the other version, on its port."""

    def __init__(self, redis: Redis, pairs: Sequence[Sequence[Service]], rng: Random) -> None:
        super().__init__([redis], [running for running, _ in pairs], [], rng, 0.0)
        self._others = [other for _, other in pairs]
        self._order = cycle(range(len(pairs)))

    async def kill(self) -> None:
        """Stop the next process, and start the other version in its place."""
        await self._do(self._replace_process)

    async def heal(self) -> None:
        """Wait for nothing: the one store is always there."""

    async def _replace_process(self) -> None:
        at = next(self._order)
        old, new = self.services[at], self._others[at]
        new.port = old.port
        code = await asyncio.to_thread(old.stop)
        assert code == 0, f"a process ended with {code}: {old.said()}"
        await asyncio.to_thread(new.start)
        self.services[at], self._others[at] = new, old


@contextmanager
def serve_both(builds: tuple[Build, Build], folder: Path, rng: Random) -> Generator[Versions]:
    """Serve from two processes, one of each build at first, with their files in a new folder."""
    folder.mkdir()
    with ExitStack() as stack:
        redis = stack.enter_context(Redis(folder / "redis"))
        pairs = [
            [
                Service(folder / f"{at} {build.version}", build.tree, build.python, **SETTINGS, redis_url=redis.url)
                for build in order
            ]
            for at, order in enumerate((builds, builds[::-1]))
        ]
        for service in (every := [service for pair in pairs for service in pair]):
            stack.push(service)
        for running, _ in pairs:
            running.start()
        yield Versions(redis, pairs, rng)
        for service in every:
            assert "Traceback" not in service.said(), service.said()


def find_unread(versions: Versions, builds: Sequence[Build]) -> list[str]:
    """Ask each process for every game whose format it knows, and list the games that it does not show.

    The processes run the builds, in this order.
    """
    found = list[str]()
    with versions.client() as client:
        for key in cast("list[bytes]", client.keys("catchten:{*}")):
            raws: Any = client.lrange(key, 0, -1) if client.type(key) == b"list" else []
            path = f"/v1/games/{key.decode().partition('{')[2].rstrip('}')}"
            for service, build in zip(versions.services, builds, strict=True):
                if raws and max(raw[12] for raw in raws) <= build.format:
                    answer = httpx.get(f"http://127.0.0.1:{service.port}{path}")
                    found += [] if answer.is_success else [f"{build.version}: {path}: {answer.text}"]
    return found


@contextmanager
def _serve(
    builds: tuple[Build, Build], _plan: Plan, folder: Path, rng: Random, _runner: asyncio.Runner
) -> Generator[Versions]:
    """Serve from two processes, and look at every game at the end."""
    with serve_both(builds, folder, rng) as versions:
        yield versions
        assert not (unread := find_unread(versions, builds)), unread


def roll(builds: tuple[Build, Build], folder: Path, plan: Plan = PLAN) -> Outcome:
    """Let two builds serve the same games, replace each by the other, and judge the history."""
    return run(plan, folder, partial(_serve, builds))
