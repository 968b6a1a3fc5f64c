"""The rules without HTTP, on one core."""

import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Final

import msgspec

from tests.programs.bench import core
from tests.programs.bench.plan import Plan
from tests.programs.bench.report import Section, at_least, spread, table
from tests.programs.bench.targets import COMPILED_ROOT, ROOT

_ABOUT: Final = """\
Rates are of CPU time. The cards were drawn beforehand, and timed are the deal, for every play the list of what is legal
and the search for the card in it, and the play. The search core takes plays back, as a search has to. Playouts go
from the deal to its end, each card by rule of thumb. The loops over whole games and deals are interpreted, and cross
into compiled code at every call; playouts and exact search loop in the search core, as players and analyses do. Each
round starts both builds anew. [TRIED.md](TRIED.md) has the figures beside OpenSpiel."""

_BUILDS: Final = (COMPILED_ROOT, ROOT)
"""The working directory of each."""

Rates = Mapping[tuple[str, str], Sequence[float]]


def measure_rules(plan: Plan) -> Iterator[Section]:
    """Measure both builds of the rules in turn."""
    os.sched_setaffinity(0, {plan.serving})
    rates: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for at in range(plan.rounds):
        for folder in _BUILDS[:: -1 if at % 2 else 1]:
            for name, unit, rate in _measure(folder):
                rates[name, unit].append(rate)
    print("measured the rules", file=sys.stderr)
    figure = at_least("batch of diagnoses, compiled, of decoding alone", 0.5, _of_decoding(rates))
    yield Section(_write(rates), (figure,))


def _measure(folder: Path) -> list[tuple[str, str, float]]:
    """Measure once, in a process of its own, which runs on our core."""
    command = [sys.executable, "-m", core.__name__]
    ran = subprocess.run(command, check=True, stdout=subprocess.PIPE, cwd=folder, timeout=600)
    return msgspec.json.decode(ran.stdout.splitlines()[-1], type=list[tuple[str, str, float]])


def _of_decoding(rates: Rates) -> float:
    answered, decoded = (
        rates[core.DIAGNOSES + work + core.COMPILED, "questions"] for work in (core.ANSWERED, core.DECODED)
    )
    return median(ours / alone for ours, alone in zip(answered, decoded, strict=True))


def _write(rates: Rates) -> str:
    rows = [("work", "counted", "per CPU second", "µs each", "spread")]
    for (work, unit), seen in rates.items():
        rows.append((work, unit, f"{median(seen):,.0f}", f"{1e6 / median(seen):.2f}", spread(seen)))
    return f"## The rules alone, without HTTP, on one core\n\n{_ABOUT}\n\n{table(rows, 2)}"
