"""Seeds one after the other, each with a line of what it did, and the sum of all at the end; or the planted bugs."""

import argparse
import logging
import time
from collections import Counter
from collections.abc import Generator, Iterable, Sequence
from contextlib import closing
from pathlib import Path

from tests.programs.simulation.planted import BUGS, planted
from tests.programs.simulation.run import Result, run_seed

_read_real_clock = time.process_time


def run_seeds(arguments: Sequence[str]) -> int:
    """Run the named seeds, and print the findings; return 1 if there are any."""
    options = _read_options(arguments)
    logging.disable()
    if options.bugs is not None:
        return _look_for(options.bugs or [*BUGS], options)
    done, lossless, changes, absent, found = Counter[str](), 0, 0, 0, 0
    for result in _run(options):
        print(_format(result, options), flush=True)
        done.update(result.done)
        lossless += result.failovers if result.replicas else 0
        changes += result.changes
        absent += result.absent
        found += bool(result.faults)
        if found and options.until_found:
            break
    failovers = sum(times for name, times in done.items() if name.startswith("replace"))
    made = f"{changes} changes acknowledged, {absent} cards played for absent seats"
    print(f"{failovers} failovers, {lossless} of them with replicas asked for, {made}, {found} seeds found something")
    print(", ".join(f"{name.replace('_', ' ')} {times}" for name, times in sorted(done.items())))
    return bool(found)


def _run(options: argparse.Namespace) -> Generator[Result]:
    with planted(options.planted):
        for seed in range(options.first, options.first + options.seeds):
            yield run_seed(seed, options.failovers, options.trace)


def _look_for(bugs: Iterable[str], options: argparse.Namespace) -> int:
    """Print a table of the planted bugs, each with the first seed that finds it; return 1 if one is not found."""
    print("| planted | seed | failovers | s of CPU | found |\n| --- | ---: | ---: | ---: | --- |")
    missed = 0
    for bug in bugs:
        options.planted, began, failovers = bug, _read_real_clock(), 0
        where, what = "–", "not found"
        with closing(_run(options)) as results:
            for result in results:
                failovers += result.failovers
                if result.faults:
                    where, what = str(result.seed), result.faults[0]
                    break
        missed += where == "–"
        print(f"| `{bug}` | {where} | {failovers} | {_read_real_clock() - began:.1f} | {what[:90]} |", flush=True)
    return bool(missed)


def _read_options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.programs.simulation")
    parser.add_argument("--first", type=int, default=1, help="the first seed; 1 unless named")
    parser.add_argument("--seeds", type=int, default=50, help="how many; 50 unless named")
    parser.add_argument("--failovers", type=int, default=20, help="in each seed; 20 unless named")
    parser.add_argument("--planted", choices=BUGS, help="a bug that is planted")
    parser.add_argument("--bugs", choices=BUGS, nargs="*", help="bugs, or all, to look for one after the other")
    parser.add_argument("--until-found", action="store_true", help="stop at the first seed that finds something")
    parser.add_argument("--trace", type=Path, help="a file for all that arrives anywhere, of one seed")
    return parser.parse_args(arguments)


def _format(result: Result, options: argparse.Namespace) -> str:
    figures = f"{result.seconds:.1f} s, {result.failovers} failovers, {result.changes} changes"
    line = f"seed {result.seed}: {result.digest}, {figures}"
    if not result.faults:
        return line
    again = f"python -m tests.programs.simulation --first {result.seed} --seeds 1 --failovers {options.failovers}"
    again += f" --planted {options.planted}" if options.planted else ""
    return "\n  ".join([line, *dict.fromkeys(result.faults[:5]), f"again: {again}"])
