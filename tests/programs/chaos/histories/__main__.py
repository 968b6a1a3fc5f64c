"""A long run: python -m tests.programs.chaos.histories --topology cluster --failovers 60 --plays 20000 --replicas 1.

The exit code is 1 when something was wrong, or, where replicas were asked for, lost or taken back.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Final

from tests.programs.chaos.histories.history import Findings
from tests.programs.chaos.histories.run import Plan, run

PLAN: Final = Plan(failovers=60, kills=20, plays=20_000, replicas=1)
MOST: Final = 20
"""Failures that are printed."""


def _read_plan() -> Plan:
    parser = argparse.ArgumentParser(prog="python -m tests.programs.chaos.histories", description=__doc__)
    usual: dict[str, int | float | str] = PLAN._asdict()
    for name, value in usual.items():
        parser.add_argument(f"--{name}", type=type(value), default=value, help=f"{value} unless named")
    return Plan(**vars(parser.parse_args()))


def _list_failures(plan: Plan, findings: Findings) -> Sequence[object]:
    """List what should not be: without replicas, changes may be lost, unless each failover is planned."""
    is_safe = plan.replicas or not plan.failovers or (plan.planned == 1 and not plan.kills)
    return [*findings.lost, *findings.taken_back, *findings.wrong] if is_safe else findings.wrong


def main() -> int:
    """Carry out the plan of the command line, and print what was found."""
    plan, began = _read_plan(), monotonic()
    print(plan, flush=True)
    with TemporaryDirectory() as folder:
        outcome = run(plan, Path(folder))
    print(f"{outcome}; in {monotonic() - began:.0f} s")
    failures = _list_failures(plan, outcome.findings)
    print(*failures[:MOST], sep="\n", end="\n" if failures else "")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
