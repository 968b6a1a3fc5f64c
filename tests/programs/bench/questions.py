"""Questions over HTTP: bare and as shipped, beside a floor of the same build."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from statistics import median
from typing import Final

from tests.programs.bench.load import Taken, ask, take_turns
from tests.programs.bench.report import Figure, Section, table
from tests.programs.bench.targets import FLOOR, SERVICE, Plan, as_shipped, started
from tests.programs.bench.workloads import Workload, draw_workloads
from tests.support.redis_server import running

RESTARTS: Final = 3
"""Starts of every target: how its memory happens to be laid out moves a figure by some percent."""
_SHIPPED: Final = f"{SERVICE.name} as shipped"
_HEAD: Final = ("question", "target", "bytes", "CPU µs", "of the floor", "a second", "p50 µs", "p99 µs", "spread")
_ABOUT: Final = """\
The floor is the same build: decoding, rules and encoding in a bare ASGI function, on stock uvicorn. As shipped is the
service with the settings of the compose file: a quota in Redis, a trusted proxy, the log as JSON. All answer alike.
Each is started three times. CPU µs are per question, also in a batch."""

Seen = Mapping[str, Taken]


def compare(plan: Plan) -> Iterator[Section]:
    """Measure each kind of question by itself."""
    workloads = draw_workloads()
    seen: dict[str, dict[str, Taken]] = {name: {} for name in workloads}
    with running() as redis:
        for _ in range(RESTARTS):
            with started((FLOOR, SERVICE, as_shipped(redis)), plan.serving) as servers:
                for name, workload in workloads.items():
                    measured = {server.target.name: partial(ask, server, workload, plan) for server in servers}
                    take_turns(measured, -(-plan.rounds // RESTARTS), seen[name])
                    print(f"measured {name}", file=sys.stderr)
    rows = [row for name, taken in seen.items() for row in _rows(workloads[name], taken)]
    figures = (*_differences(seen), *_rates(workloads, seen))
    yield Section(f"## Questions\n\n{_ABOUT}\n\n{table([_HEAD, *rows], 2)}", figures)


def _rows(workload: Workload, taken: Seen) -> Iterator[Sequence[str]]:
    size = f"{median(map(len, workload.bodies)):,.0f}"
    for name, each in taken.items():
        micros, times = f"{each.micros / workload.questions:.1f}", f"{each.times(taken[FLOOR.name]):.2f}"
        yield workload.name, name, size, micros, times, *each.cells(workload.questions)


def _differences(seen: Mapping[str, Seen]) -> Iterator[Figure]:
    for name in ("legal_moves", "verdicts", "trick_winners", "next_states"):
        floor = seen[name][FLOOR.name]
        yield Figure(f"{name}, µs above the floor", seen[name][SERVICE.name].above(floor))
        yield Figure(f"{name} as shipped, of the floor", seen[name][_SHIPPED].times(floor))


def _rates(workloads: Mapping[str, Workload], seen: Mapping[str, Seen]) -> Iterator[Figure]:
    rates = {name: taken[_SHIPPED].rate * workloads[name].questions for name, taken in seen.items()}
    for what, is_batch in (("light", False), ("batched", True)):
        chosen = [rate for name, rate in rates.items() if (workloads[name].questions > 1) == is_batch]
        yield Figure(f"{what} questions as shipped, a second: least", min(chosen))
        yield Figure(f"{what} questions as shipped, a second: most", max(chosen))
