"""The latency of a light question alone, and beside batches, analyses and suggestions that never end."""

import sys
from collections.abc import Iterator, Sequence
from itertools import accumulate
from random import Random
from statistics import median
from typing import Final

from tests.programs.bench.arrivals import ask_at, write_request
from tests.programs.bench.plan import Plan
from tests.programs.bench.report import Figure, Section, table
from tests.programs.bench.targets import SERVICE, started
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
    (light,) = [each for each in draw_workloads() if each.name == "legal_moves"]
    rows: list[Sequence[str]] = [_HEAD]
    figures: list[Figure] = []
    for name, beside in (("nothing", None), *((each.name, each) for each in draw_long())):
        rounds = [_ask(light, beside, plan) for _ in range(plan.rounds)]
        p50, p99, longest, rate = (median(each) for each in zip(*rounds, strict=True))
        rows.append((name, f"{p50:.2f}", f"{p99:.2f}", f"{longest:.1f}", f"{rate:.1f}" if beside else ""))
        if beside:
            figures.append(Figure(f"p99 of a light question beside {name}, ms", p99))
        print(f"measured the latency beside {name}", file=sys.stderr)
    yield Section(f"## Latency of a light question\n\n{_ABOUT}\n\n{table(rows)}", tuple(figures))


def _ask(light: Workload, beside: Workload | None, plan: Plan) -> tuple[float, float, float, float]:
    """Return the median, p99 and longest time in milliseconds, and how much of the other work was done a second."""
    chance = Random(3)
    moments = list(accumulate(chance.expovariate(RATE) for _ in range(RATE * max(plan.seconds, 5))))
    others = [write_request(beside.path, body) for body in beside.bodies] if beside else []
    with started((SERVICE,), plan.serving, LOG_LEVEL="warning") as (server,):
        requests = [write_request(light.path, body) for body in light.bodies]
        times, done = ask_at(moments, server.address, requests, CONNECTIONS, others, BESIDE if others else 0)
    times = sorted(1e3 * time for time in times)
    return times[len(times) // 2], times[len(times) * 99 // 100], times[-1], done / moments[-1]
