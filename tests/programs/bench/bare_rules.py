"""The rules without HTTP, on one core."""

import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import Final

import msgspec

from tests.programs.bench import core
from tests.programs.bench.plan import Plan
from tests.programs.bench.report import Figure, Section, spread, table
from tests.programs.bench.targets import COMPILED_ROOT

_ABOUT: Final = """\
Rates are of CPU time. The cards were drawn beforehand, and timed are the deal, for every play the list of what is legal
and the search for the card in it, and the play. The search core takes plays back, as a search has to. Playouts go
from the deal to its end, each card by rule of thumb. The loops over whole games and deals are interpreted, and cross
into compiled code at every call; playouts and exact search loop in the search core, as players and analyses do.
[TRIED.md](TRIED.md) has the figures beside OpenSpiel."""

Rates = Mapping[tuple[str, str], Sequence[float]]


def measure_rules(plan: Plan) -> Iterator[Section]:
    """Measure the compiled rules, each round in a new process on the core that serves."""
    os.sched_setaffinity(0, {plan.serving})
    rates: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for _ in range(plan.rounds):
        for name, unit, rate in _measure():
            rates[name, unit].append(rate)
    print("measured the rules", file=sys.stderr)
    diagnoses = median(rates[core.DIAGNOSES + core.ANSWERED, "questions"])
    yield Section(_write(rates), (Figure("diagnoses in a batch, a CPU second, without HTTP", diagnoses),))


def _measure() -> list[tuple[str, str, float]]:
    command = [sys.executable, "-m", core.__name__]
    ran = subprocess.run(command, check=True, stdout=subprocess.PIPE, cwd=COMPILED_ROOT, timeout=600)
    return msgspec.json.decode(ran.stdout.splitlines()[-1], type=list[tuple[str, str, float]])


def _write(rates: Rates) -> str:
    rows = [("work", "counted", "per CPU second", "µs each", "spread")]
    for (work, unit), seen in rates.items():
        rows.append((work, unit, f"{median(seen):,.0f}", f"{1e6 / median(seen):.2f}", spread(seen)))
    return f"## The rules alone, without HTTP, on one core\n\n{_ABOUT}\n\n{table(rows, 2)}"
