"""The latency of a light question alone, and beside batches, analyses and suggestions that never end."""

import asyncio
import gc
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import accumulate, cycle
from random import Random
from statistics import median
from typing import Final

from tests.programs.bench.report import Figure, Section, table
from tests.programs.bench.targets import SERVICE, Plan, Server, started
from tests.programs.bench.workloads import Workload, draw_long, draw_workloads

RATE: Final = 200
"""Light questions a second."""
CONNECTIONS: Final = 64
BESIDE: Final = 4
"""Requests of the other work under way at all times."""
_HEAD: Final = ("beside", "p50 ms", "p99 ms", "longest ms", "answers of these a second")
_ABOUT: Final = """\
Legal moves are asked 200 times a second, at random moments that do not wait for answers, of the service as it is
compiled. Four other requests are under way at all times: batches of 1,000 questions, analyses of deals with all cards
in hand, suggestions at `hard`. Time counts from the moment at which a question was due until its answer was read.
The load spins on the core that does not serve. Figures are medians of the rounds."""


def measure_latency(plan: Plan) -> Iterator[Section]:
    """Measure light questions beside each kind of other work."""
    light = draw_workloads()["legal_moves"]
    rows: list[Sequence[str]] = [_HEAD]
    figures: list[Figure] = []
    for name, beside in (("nothing", None), *((each.name, each) for each in draw_long())):
        rounds = [_round(light, beside, plan) for _ in range(plan.rounds)]
        p50, p99, longest, rate = (median(each) for each in zip(*rounds, strict=True))
        rows.append((name, f"{p50:.2f}", f"{p99:.2f}", f"{longest:.1f}", f"{rate:.1f}" if beside else ""))
        if beside:
            figures.append(Figure(f"p99 of a light question beside {name}, ms", p99))
        print(f"measured the latency beside {name}", file=sys.stderr)
    yield Section(f"## Latency of a light question\n\n{_ABOUT}\n\n{table(rows)}", tuple(figures))


def _round(light: Workload, beside: Workload | None, plan: Plan) -> tuple[float, float, float, float]:
    """Return the median, p99 and longest time in milliseconds, and how much of the other work was done a second."""
    chance = Random(3)
    moments = list(accumulate(chance.expovariate(RATE) for _ in range(RATE * max(plan.seconds, 5))))
    with started((SERVICE,), plan.serving, LOG_LEVEL="warning") as (server,):
        gc.disable()
        try:
            times, done = asyncio.run(_Load(server).ask_at(moments, light, beside))
        finally:
            gc.enable()
    times = sorted(1e3 * time for time in times)
    return times[len(times) // 2], times[len(times) * 99 // 100], times[-1], done / moments[-1]


class _Load:
    """Questions that are asked at their moments, and the other work beside them, whose answers are counted."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._free: asyncio.Queue[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = asyncio.Queue()
        self._done = 0

    async def ask_at(
        self, moments: Sequence[float], light: Workload, beside: Workload | None
    ) -> tuple[list[float], int]:
        """Ask one question at each moment. Return how long each took from its moment on, and the other work done."""
        for _ in range(CONNECTIONS + BESIDE):
            self._free.put_nowait(await asyncio.open_connection("127.0.0.1", self._server.port))
        others = [asyncio.create_task(self._work(beside)) for _ in range(BESIDE)] if beside else []
        bodies, asked, clock = cycle(light.bodies), list[asyncio.Task[float]](), asyncio.get_running_loop().time
        start = clock()
        for moment in moments:
            while clock() < start + moment:  # noqa: ASYNC110 – timers of the loop are late by a millisecond
                await asyncio.sleep(0)
            asked.append(asyncio.create_task(self._time(start + moment, light.path, next(bodies))))
        times = await asyncio.gather(*asked)
        for other in others:
            other.cancel()
            with suppress(asyncio.CancelledError):
                await other
        return times, self._done

    async def _time(self, due: float, path: str, body: bytes) -> float:
        await self._ask(path, body)
        return asyncio.get_running_loop().time() - due

    async def _work(self, beside: Workload) -> None:
        for body in cycle(beside.bodies):
            await self._ask(beside.path, body)
            self._done += 1

    async def _ask(self, path: str, body: bytes) -> None:
        reader, writer = connection = await self._free.get()
        head = f"POST {path} HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\n"
        writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        answered = await reader.readuntil(b"\r\n\r\n")
        if not answered.startswith(b"HTTP/1.1 200 "):
            raise RuntimeError(f"no good answer: {answered!r}")
        await reader.readexactly(int(answered.lower().partition(b"content-length: ")[2].partition(b"\r")[0]))
        self._free.put_nowait(connection)
