"""Questions over HTTP: bare and as shipped, beside a floor of the same build, and beside frameworks."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import Final

from tests.programs.bench.plan import Plan
from tests.programs.bench.report import Figure, Section, table
from tests.programs.bench.rounds import Taken, asked, take_turns
from tests.programs.bench.targets import (
    FASTAPI,
    FLOOR,
    LITESTAR,
    SERVICE,
    Server,
    as_shipped,
    check_alike,
    check_strict,
    started,
)
from tests.programs.bench.workloads import Workload
from tests.support.redis_server import running

PEERED: Final = ("legal_moves", "next_states")
"""The questions that the frameworks answer, too."""
RESTARTS: Final = 3
"""Starts of every contestant: how its memory happens to be laid out moves a figure by some percent."""
LONG: Final = ("knowledge", "claims", "analyses", "adjudications")
"""Questions that take long; all others are light."""
SHIPPED: Final = f"{SERVICE.name} as shipped"
_HEAD: Final = ("question", "target", "bytes", "CPU µs", "of the floor", "a second", "p50 µs", "p99 µs", "spread")
_ABOUT: Final = """\
The floor is the same build: decoding, rules and encoding in a bare ASGI function, on uvicorn as it comes. As shipped is
the service with the settings of the compose file: a quota that is kept in Redis, a trusted proxy, the log as JSON.
Litestar by its documentation has its own metrics and log of requests; it reads and writes the service's types, and is
not strict: it takes "3" for 3. FastAPI has models of pydantic with the same bounds and strictness, without metrics and
log. All answer alike, by the same rules. Each is started three times. CPU µs are of a question, in a batch, too."""

Seen = Mapping[str, Taken]


def compare(plan: Plan) -> Iterator[Section]:
    """Compare all that is asked for, each question by itself."""
    seen: dict[Workload, dict[str, Taken]] = {workload: {} for workload in plan.workloads}
    with running() as redis:
        targets = (FLOOR, SERVICE, as_shipped(SERVICE, redis), LITESTAR, FASTAPI)
        for _ in range(RESTARTS):
            with started(targets, plan.serving) as servers:
                for workload, taken in seen.items():
                    _measure(servers if workload.name in PEERED else servers[:-2], workload, plan, taken)
    rows = [_row(workload, name, each, taken) for workload, taken in seen.items() for name, each in taken.items()]
    yield Section(f"## Questions\n\n{_ABOUT}\n\n{table([_HEAD, *rows], 2)}", tuple(_figures(seen)))


def _measure(servers: list[Server], workload: Workload, plan: Plan, taken: dict[str, Taken]) -> None:
    """Ask a workload of every server; they must give the same answers."""
    check_alike(servers, workload)
    if servers[-1].target is FASTAPI:
        check_strict(servers[-1], workload)
    take_turns([asked(server, workload, plan) for server in servers], -(-plan.rounds // RESTARTS), taken)
    print(f"measured {workload.name}", file=sys.stderr)


def _figures(seen: Mapping[Workload, Seen]) -> Iterator[Figure]:
    by_name = {workload.name: taken for workload, taken in seen.items()}
    for name in ("legal_moves", "verdicts", "trick_winners", "next_states"):
        if taken := by_name.get(name):
            yield Figure(f"{name}, µs above the floor", taken[SERVICE.name].above(taken[FLOOR.name]))
            yield Figure(f"{name} as shipped, of the floor", taken[SHIPPED].times(taken[FLOOR.name]))
    for name in PEERED:
        if taken := by_name.get(name):
            service = taken[SERVICE.name]
            for peer in (FASTAPI.name, LITESTAR.name):
                yield Figure(f"{name}, {peer} in times of the service", taken[peer].times(service))
    yield from _rates(seen)


def _rates(seen: Mapping[Workload, Seen]) -> Iterator[Figure]:
    for what, workloads in (
        ("light", [w for w in seen if w.questions == 1 and w.name not in LONG]),
        ("batched", [w for w in seen if w.questions > 1]),
    ):
        rates = sorted(seen[workload][SHIPPED].rate * workload.questions for workload in workloads)
        if rates:
            yield Figure(f"{what} questions as shipped, a second: least", rates[0])
            yield Figure(f"{what} questions as shipped, a second: most", rates[-1])


def _row(workload: Workload, name: str, each: Taken, taken: Seen) -> Sequence[str]:
    return (
        workload.name,
        name,
        f"{median(map(len, workload.bodies)):,.0f}",
        f"{each.micros / workload.questions:.1f}",
        f"{each.times(taken[FLOOR.name]):.2f}",
        f"{each.rate * workload.questions:,.0f}",
        f"{each.middle(lambda sample: sample.p50):,.0f}",
        f"{each.middle(lambda sample: sample.p99):,.0f}",
        f"{each.spread:.0%}",
    )
