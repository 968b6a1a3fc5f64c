"""Measure the service: python -m tests.bench."""

import argparse
import gc
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from tests.bench import core, load, report
from tests.bench.machine import Watch
from tests.bench.targets import COMPARISONS, Comparison, Server, check_alike, started
from tests.bench.workloads import NAMES, Workload, draw_workloads

_QUIET: Final = 0.05
"""Other work, as a part of the cores' time, that does no harm."""


class Plan(NamedTuple):
    """What to measure, for how long, and which cores serve and load."""

    workloads: tuple[Workload, ...]
    seconds: int
    rounds: int
    serving: int
    loading: int


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print the tables, and tell the exit code: 0, or 2 where it cannot be measured."""
    chosen = _parse(arguments)
    cores = sorted(os.sched_getaffinity(0))
    if wrong := load.missing() or ("Two cores are needed." if len(cores) < 2 else None):
        print(wrong, file=sys.stderr)
        return 2
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    asked = tuple(workload for workload in draw_workloads() if not chosen.only or workload.name in chosen.only)
    _measure(Plan(asked, chosen.seconds, chosen.rounds, cores[0], cores[-1]), alone=not chosen.only, write=chosen.write)
    return 0


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="Measure the speed of the service.")
    parser.add_argument("--seconds", type=int, default=2, help="how long each target is asked in a round (2)")
    parser.add_argument("--rounds", type=int, default=5, help="how often it is asked (5)")
    only = f"only this, and nothing without HTTP; may be repeated: {', '.join(NAMES)}"
    parser.add_argument("--only", action="append", default=[], choices=NAMES, metavar="KIND", help=only)
    parser.add_argument("--write", action="store_true", help=f"write {report.RESULTS.name}, too")
    chosen = parser.parse_args(arguments)
    if chosen.only and chosen.write:
        parser.error("--write wants everything measured, without --only")
    return chosen


def _measure(plan: Plan, *, alone: bool, write: bool) -> None:
    watch = Watch()
    tables = list(_tables(plan, alone=alone))
    others = watch.other_work()
    if others > _QUIET:
        print(f"{others:.0%} of the cores' time went into other work: do not trust the figures.", file=sys.stderr)
    if write:
        report.RESULTS.write_text(report.write_report(tables, others), encoding="utf-8")


def _tables(plan: Plan, *, alone: bool) -> Iterator[str]:
    """Measure table by table, and print each as soon as it is there."""
    os.sched_setaffinity(0, {plan.loading})
    for comparison in COMPARISONS:
        if rounds := _compare(comparison, plan):
            yield _shown(report.write_comparison(rounds))
    if alone:
        os.sched_setaffinity(0, {plan.serving})
        yield _shown(_measure_core(plan))


def _shown(table: str) -> str:
    print(table, flush=True)
    return table


def _compare(comparison: Comparison, plan: Plan) -> list[report.Rounds]:
    wanted = comparison.workloads
    asked = [workload for workload in plan.workloads if wanted is None or workload.name in wanted]
    if not asked:
        return []
    with started(comparison.targets, plan.serving) as servers:
        return [_ask(comparison, workload, servers, plan) for workload in asked]


def _ask(comparison: Comparison, workload: Workload, servers: list[Server], plan: Plan) -> report.Rounds:
    """Ask a workload of every target, round by round, each round in the other order."""
    check_alike(servers, workload)
    names = [server.target.name for server in servers]
    rounds = report.Rounds(comparison, workload, {name: [] for name in names}, {name: [] for name in names})
    for at in range(plan.rounds):
        for server in servers[:: -1 if at % 2 else 1]:
            before = server.cpu_seconds()
            seen = server.target.load(server.url, workload, plan.seconds, plan.loading)
            rounds.samples[server.target.name].append(seen)
            rounds.cpu[server.target.name].append(server.cpu_seconds() - before)
    print(f"measured {workload.name}", file=sys.stderr)
    return rounds


def _measure_core(plan: Plan) -> str:
    measures = core.measures(plan.workloads)
    gc.freeze()
    rates: dict[tuple[str, str], list[float]] = {(measure.name, measure.unit): [] for measure in measures}
    for _ in range(plan.rounds):
        for measure in measures:
            rates[measure.name, measure.unit].append(core.rate(measure))
    return report.write_core(rates)


if __name__ == "__main__":
    sys.exit(main())
