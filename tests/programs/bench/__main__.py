"""Measure the service: python -m tests.programs.bench."""

import argparse
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from tests.programs.bench import load, report, sizing
from tests.programs.bench.bare_rules import measure_rules
from tests.programs.bench.comparisons import compare
from tests.programs.bench.latency import measure_latency
from tests.programs.bench.live import measure_live
from tests.programs.bench.machine import Watch
from tests.programs.bench.memory import measure_memory
from tests.programs.bench.plan import Plan
from tests.programs.bench.workloads import NAMES, draw_workloads

_QUIET: Final = 0.05
"""Other work, as a part of the cores' time, that does no harm."""
PARTS: Final[dict[str, Callable[[Plan], Iterable[report.Section]]]] = {
    "questions": compare,
    "live": measure_live,
    "latency": measure_latency,
    "memory": measure_memory,
    "rules": measure_rules,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print the tables, and return the exit code: 0, 1 where a part failed, 2 where it cannot be measured."""
    chosen = _parse(arguments)
    cores = sorted(os.sched_getaffinity(0))
    if wrong := load.missing() or ("Two cores are needed." if len(cores) < 2 else None):
        print(wrong, file=sys.stderr)
        return 2
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    asked = tuple(workload for workload in draw_workloads() if not chosen.only or workload.name in chosen.only)
    plan = Plan(asked, chosen.seconds, chosen.rounds, cores[0], cores[-1], chosen.streams)
    return _measure(plan, ["questions"] if chosen.only else chosen.part or list(PARTS), write=chosen.write)


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.programs.bench", description="Measure the speed of the service."
    )
    parser.add_argument("--seconds", type=int, default=1, help="how long each contestant is asked in a round (1)")
    parser.add_argument("--rounds", type=int, default=9, help="how often it is asked (9)")
    parser.add_argument("--streams", type=int, default=10_000, help="event streams open at once (10000)")
    part = f"only this part; may be repeated: {', '.join(PARTS)}"
    parser.add_argument("--part", action="append", default=[], choices=PARTS, metavar="PART", help=part)
    only = f"only this question; may be repeated: {', '.join(NAMES)}"
    parser.add_argument("--only", action="append", default=[], choices=NAMES, metavar="KIND", help=only)
    parser.add_argument("--write", action="store_true", help=f"write {report.RESULTS.name}, too")
    chosen = parser.parse_args(arguments)
    if chosen.write and (chosen.only or chosen.part):
        parser.error("--write wants everything measured, without --part and --only")
    return chosen


def _measure(plan: Plan, parts: Sequence[str], *, write: bool) -> int:
    watch = Watch()
    sections = list(_sections(plan, parts))
    others = watch.other_work()
    if others > _QUIET:
        print(f"{others:.0%} of the cores' time went into other work: do not trust the figures.", file=sys.stderr)
    if write:
        report.RESULTS.write_text(report.write_report(sections, others), encoding="utf-8")
        figures = [figure for section in sections for figure in section.figures]
        sizing.GUIDE.write_text(sizing.write_sizing(figures, sizing.GUIDE.read_text("utf-8")), encoding="utf-8")
    return int(any(section.failed for section in sections))


def _sections(plan: Plan, parts: Sequence[str]) -> Iterator[report.Section]:
    """Measure part by part, and print each section as soon as it is there."""
    for part in parts:
        os.sched_setaffinity(0, {plan.loading})
        for section in report.until_failure(part, PARTS[part](plan)):
            print(section.text, flush=True)
            yield section


if __name__ == "__main__":
    sys.exit(main())
