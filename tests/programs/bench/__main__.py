"""Measure the service: python -m tests.programs.bench."""

import argparse
import os
import signal
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from tests.programs.bench import load, report
from tests.programs.bench.live import measure_live
from tests.programs.bench.memory import measure_memory
from tests.programs.bench.questions import compare
from tests.programs.bench.targets import Plan

_QUIET: Final = 0.05
"""Other work, as a part of the cores' time, that does no harm."""
PARTS: Final[dict[str, Callable[[Plan], Iterable[report.Section]]]] = {
    "questions": compare,
    "live": measure_live,
    "memory": measure_memory,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print the tables, and return the exit code: 0, or 2 where it cannot be measured."""
    chosen = _parse(arguments)
    cores = sorted(os.sched_getaffinity(0))
    if wrong := load.missing() or ("Two cores are needed." if len(cores) < 2 else None):
        print(wrong, file=sys.stderr)
        return 2
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    os.sched_setaffinity(0, {cores[-1]})
    plan, watch = Plan(chosen.seconds, chosen.rounds, cores[0], cores[-1]), report.Watch()
    sections: list[report.Section] = []
    for part in chosen.part or PARTS:
        for section in PARTS[part](plan):
            print(section.text, flush=True)
            sections.append(section)
    if (others := watch.other_work()) > _QUIET:
        print(f"{others:.0%} of the cores' time went into other work: do not trust the figures.", file=sys.stderr)
    if chosen.write:
        report.write(sections, others)
    return 0


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.programs.bench", description="Measure the speed of the service."
    )
    parser.add_argument("--seconds", type=int, default=1, help="how long each target is asked in a round (1)")
    parser.add_argument("--rounds", type=int, default=9, help="how often it is asked (9)")
    part = f"only this part; may be repeated: {', '.join(PARTS)}"
    parser.add_argument("--part", action="append", default=[], choices=PARTS, metavar="PART", help=part)
    parser.add_argument("--write", action="store_true", help=f"write {report.RESULTS.name} and the guide, too")
    chosen = parser.parse_args(arguments)
    if chosen.write and chosen.part:
        parser.error("--write wants everything measured, without --part")
    return chosen


if __name__ == "__main__":
    sys.exit(main())
