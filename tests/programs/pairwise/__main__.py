"""Make the journey of every row: PYTHONPATH=clients/python/src python -m tests.programs.pairwise [--row N].

The exit code is 1 when a row failed.
"""

import argparse
import signal
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Final, NamedTuple, NoReturn

from tests.programs.pairwise.array import covered_by, make_array, possible_pairs
from tests.programs.pairwise.available import list_missing
from tests.programs.pairwise.factors import Row, without
from tests.programs.pairwise.journey import run_row

AT_ONCE: Final = 2
LONGEST: Final = 600
"""Seconds after which a journey is given up."""


class Outcome(NamedTuple):
    """The outcome of a row, by its number."""

    number: int
    fault: str
    seconds: float


def main() -> int:
    """Run the rows of the command line, or all, and print what was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.programs.pairwise", description=__doc__)
    parser.add_argument("--row", type=int, help="the number of the only row; all of them if it is left out")
    number: int | None = parser.parse_args().row
    missing = list(list_missing())
    levels = without([level for level, _ in missing])
    rows = make_array(levels)
    if number is not None:
        _run_alone(rows[number])
        return 0
    for (name, level), why in missing:
        print(f"left out: {name} {level}: {why}")
    outcomes = _run_all(rows)
    done = [rows[outcome.number] for outcome in outcomes if not outcome.fault]
    covered, possible = covered_by(done), possible_pairs(levels)
    faults = sum(bool(outcome.fault) for outcome in outcomes)
    print(f"{len(rows)} rows, {len(covered)} of {len(possible)} pairs covered, {faults} rows failed")
    return bool(faults)


def _run_alone(row: Row) -> None:
    def give_up(*_: object) -> NoReturn:
        raise TimeoutError(f"the journey takes more than {LONGEST} seconds")

    signal.signal(signal.SIGALRM, give_up)
    signal.alarm(LONGEST)
    with TemporaryDirectory() as folder:
        run_row(row, Path(folder))


def _run_all(rows: Sequence[Row]) -> list[Outcome]:
    """Run each row in a process of its own, and print what came of it."""
    outcomes: list[Outcome] = []
    with ThreadPoolExecutor(AT_ONCE) as threads:
        for outcome in threads.map(_run_apart, range(len(rows))):
            outcomes.append(outcome)
            print(f"row {outcome.number}: {outcome.fault or 'ok'} ({outcome.seconds:.0f} s)", flush=True)
            if outcome.fault:
                print(*rows[outcome.number], sep=", ")
                print(f"to run it alone: python -m tests.programs.pairwise --row {outcome.number}", flush=True)
    return outcomes


def _run_apart(number: int) -> Outcome:
    began = monotonic()
    command = [sys.executable, "-m", "tests.programs.pairwise", "--row", str(number)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return Outcome(number, done.stderr if done.returncode else "", monotonic() - began)


if __name__ == "__main__":
    sys.exit(main())
