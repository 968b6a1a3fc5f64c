"""Run the service with software of other people, and print what that gave as a table.

The exit code is 0 when nothing failed, and 1 when something did. What cannot be had is named with the reason.
"""

import argparse
import os
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Final

from tests.programs.binaries import NoProgram
from tests.programs.neighbors.agents import AGENTS
from tests.programs.neighbors.checks import BALANCERS
from tests.programs.neighbors.clients import CLIENTS
from tests.programs.neighbors.rows import Result, Row
from tests.programs.neighbors.stores import STORES
from tests.programs.neighbors.traces import TRACES
from tests.programs.neighbors.watchers import WATCHERS

ROWS: Final = (*CLIENTS, *STORES, *TRACES, *AGENTS, *BALANCERS, *WATCHERS)
"""The rows; clients take longest, so they begin first."""
LONGEST: Final = 300
"""Characters of a fault in the table: the last ones, as tools say there what was wrong."""


def _run(row: Row) -> bool:
    """Run a row, print it, and return whether nothing failed."""
    began = monotonic()
    try:
        version = row.version()
        with TemporaryDirectory() as folder:
            results = row.run(Path(folder))
    except NoProgram as exc:
        print(f"| {row.name} | not run: {exc} | | | |", flush=True)
        return True
    except Exception as exc:  # noqa: BLE001 – the others run all the same, and this one has failed
        version, results = "", [Result("", [str(exc) or repr(exc)])]
    faults = Counter(" ".join(fault.split())[-LONGEST:] for result in results for fault in result.failed)
    said = "; ".join(f"{number} × {fault}" for fault, number in faults.most_common(9))
    counted = "; ".join(result.counted for result in results)
    print(f"| {row.name} | {version} | {counted} | {said or '0 failed'} | {monotonic() - began:.0f} s |", flush=True)
    return not faults


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the rows, as many at once as there are cores, and those with timers alone; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.programs.neighbors", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="leave out what takes minutes")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(row.name for row in ROWS)} (all)")
    asked = parser.parse_args(arguments)
    rows = [row for row in ROWS if row.name in asked.names or (not asked.names and row.is_quick >= asked.quick)]
    print("| software | version | what was run | result | time |\n| --- | --- | --- | --- | --- |", flush=True)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        passed = [*pool.map(_run, [row for row in rows if not row.is_alone])]
    return int(not all([*passed, *map(_run, [row for row in rows if row.is_alone])]))


if __name__ == "__main__":
    sys.exit(main())
