"""A long run: python -m tests.programs.chaos.histories --topology cluster --failovers 60 --plays 20000 --replicas 1.

The exit code is 1 when something was wrong, or, where replicas were asked for, lost or taken back.
"""

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Final

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


def main() -> int:
    """Carry out the plan of the command line, and print what was found."""
    plan, began = _read_plan(), monotonic()
    print(plan, flush=True)
    with TemporaryDirectory() as folder:
        outcome = run(plan, Path(folder))
    print(f"{outcome}; in {monotonic() - began:.0f} s")
    print(*outcome.findings[:MOST], sep="\n")
    return bool(outcome.findings)


if __name__ == "__main__":
    sys.exit(main())
