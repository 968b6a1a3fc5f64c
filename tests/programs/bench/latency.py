"""The latency of questions where the service has time for them: at 70 % of what it can do, and in bursts."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate
from random import Random
from statistics import median
from typing import Final, NamedTuple, TypeAlias

from tests.programs.bench.arrivals import ask_at, write_request
from tests.programs.bench.load import wrk
from tests.programs.bench.plan import Plan
from tests.programs.bench.report import Section, at_most, table
from tests.programs.bench.targets import FLOOR, SERVICE, Server, started
from tests.programs.bench.workloads import Workload

SHARE: Final = 0.7
CONNECTIONS: Final = 128
BURST: Final = 64
EVERY: Final = 0.025
"""Seconds from burst to burst."""
_HEAD: Final = ("question", "target", "load", "asked a second", "p50 µs", "p99 µs", "p99.9 µs", "ratio of p99")
_ABOUT: Final = """\
The load is one process that spins on the core that does not serve. At 70 %: requests come at random, independent of
each other and of the answers (exponential gaps, an open loop), over 128 connections, at 70 % of the rate that wrk got
out of the same server just before in the same round. Bursts: 64 requests at once on 64 connections, every 25 ms. Time
counts from the moment at which a request was due until its answer was read, the client's own time included. Figures
are medians of the rounds; the ratio is to the floor, round by round."""


class Tail(NamedTuple):
    """The requests of a second of a round, and the greater times, in microseconds."""

    rate: float
    p50: float
    p99: float
    p999: float


Asking: TypeAlias = Callable[[Server, Workload, Plan], Tail]
Seen: TypeAlias = Mapping[str, Sequence[Tail]]
"""By name of the target, a tail of each round."""


def measure_latency(plan: Plan) -> Iterator[Section]:
    """Measure the service in turn with the floor."""
    rows: list[tuple[str, ...]] = [_HEAD]
    steady, bursts = list[float](), list[float]()
    with started((SERVICE, FLOOR), plan.serving) as servers:
        for workload in plan.named("legal_moves", "next_states"):
            at_share = _take_turns(servers, workload, plan, _steadily)
            in_bursts = _take_turns(servers, workload, plan, _in_bursts)
            steady.append(_ratio(at_share[SERVICE.name], at_share[FLOOR.name]))
            bursts.append(median(tail.p999 for tail in in_bursts[SERVICE.name]))
            for load, seen in ((f"{SHARE:.0%}", at_share), (f"bursts of {BURST}", in_bursts)):
                rows += [_row((workload.name, name, load), seen[name], seen[FLOOR.name]) for name in seen]
    figures = (
        at_most("p99 at 70 % load, of the floor's p99", 1.5, max(steady), " ×"),
        at_most("p99.9 in bursts of 64", 8, max(bursts) / 1000, " ms"),
    )
    yield Section(f"## Latency\n\n{_ABOUT}\n\n{table(rows, 3)}", figures)


def _take_turns(servers: Sequence[Server], workload: Workload, plan: Plan, ask: Asking) -> Seen:
    seen: dict[str, list[Tail]] = {server.target.name: [] for server in servers}
    for at in range(plan.rounds):
        for server in servers[:: -1 if at % 2 else 1]:
            seen[server.target.name].append(ask(server, workload, plan))
    print(f"measured the latency of {workload.name}", file=sys.stderr)
    return seen


def _steadily(server: Server, workload: Workload, plan: Plan) -> Tail:
    """Ask at random moments, so often that the server has work for 70 % of its time."""
    rate = SHARE * wrk(server.url, workload, plan.seconds, plan.loading).rate
    chance = Random(3)
    moments = list(accumulate(chance.expovariate(rate) for _ in range(int(rate * plan.seconds))))
    return _ask(moments, server, workload, CONNECTIONS)


def _in_bursts(server: Server, workload: Workload, plan: Plan) -> Tail:
    bursts = int(plan.seconds / EVERY)
    return _ask([burst * EVERY for burst in range(bursts) for _ in range(BURST)], server, workload, BURST)


def _ask(moments: Sequence[float], server: Server, workload: Workload, connections: int) -> Tail:
    requests = [write_request(workload.path, body) for body in workload.bodies]
    times = sorted(ask_at(moments, server.address, requests, connections))
    parts = (times[int(len(times) * part)] for part in (0.5, 0.99, 0.999))
    return Tail(len(times) / moments[-1], *(1e6 * part for part in parts))


def _ratio(seen: Sequence[Tail], base: Sequence[Tail]) -> float:
    return median(ours.p99 / theirs.p99 for ours, theirs in zip(seen, base, strict=True))


def _row(words: tuple[str, str, str], seen: Sequence[Tail], base: Sequence[Tail]) -> tuple[str, ...]:
    figures = (f"{median(part):,.0f}" for part in zip(*seen, strict=True))
    return (*words, *figures, f"{_ratio(seen, base):.2f}")
