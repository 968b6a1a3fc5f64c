"""Seeds one after the other, each with a line of what it did, and the sum of all at the end."""

import argparse
import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from service.app import make_store
from tests.programs.simulation.planted import PLANTED, plant
from tests.programs.simulation.run import Result, run_seed

KINDS: Final = {kind.__name__: kind for kind in PLANTED}


def run_seeds(arguments: Sequence[str]) -> int:
    """Run the seeds that are named, and print what was found; return 1 if that is anything."""
    options = _read_options(arguments)
    logging.disable()
    make = plant(KINDS[options.planted]) if options.planted else make_store
    done, found, changes, absent = Counter[str](), 0, 0, 0
    for seed in range(options.first, options.first + options.seeds):
        result = run_seed(seed, options.failovers, make, options.trace)
        print(_format(result, options), flush=True)
        done.update(result.done)
        changes += result.changes
        absent += result.absent
        found += bool(result.faults)
        if found and options.until_found:
            break
    failovers = _count_failovers(done)
    made = f"{changes} changes acknowledged, {absent} cards played for absent seats"
    print(f"{failovers} failovers, {made}, {found} seeds found something")
    print(", ".join(f"{name.replace('_', ' ')} {times}" for name, times in sorted(done.items())))
    return bool(found)


def _read_options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.programs.simulation")
    parser.add_argument("--first", type=int, default=1, help="the first seed; 1 unless named")
    parser.add_argument("--seeds", type=int, default=50, help="how many; 50 unless named")
    parser.add_argument("--failovers", type=int, default=80, help="in each seed; 80 unless named")
    parser.add_argument("--planted", choices=KINDS, help="a bug to look for, in place of the service's own store")
    parser.add_argument("--until-found", action="store_true", help="stop at the first seed that finds something")
    parser.add_argument("--trace", type=Path, help="a file for all that arrives anywhere, of one seed")
    return parser.parse_args(arguments)


def _count_failovers(done: Mapping[str, int]) -> int:
    return sum(times for name, times in done.items() if name.startswith("replace"))


def _format(result: Result, options: argparse.Namespace) -> str:
    failovers = _count_failovers(result.done)
    line = (
        f"seed {result.seed}: {result.digest}, {result.seconds:.1f} s, {failovers} failovers, {result.changes} changes"
    )
    if not result.faults:
        return line
    again = f"python -m tests.programs.simulation --first {result.seed} --seeds 1 --failovers {options.failovers}"
    again += f" --planted {options.planted}" if options.planted else ""
    return "\n  ".join([line, *dict.fromkeys(result.faults[:5]), f"again: {again}"])
