"""The rules without HTTP, on one core, and beside them whole games of OpenSpiel."""

import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Final

import msgspec

from tests.programs.bench import core, spiel
from tests.programs.bench.plan import Plan
from tests.programs.bench.report import Figure, Section, at_least, spread, table
from tests.programs.bench.targets import BESIDE, COMPILED_ROOT, ROOT

_ABOUT: Final = """\
Rates are of CPU time. OpenSpiel is asked through its Python API; in both, the cards were drawn beforehand, and timed
are the deal, for every play the list of what is legal and the search for the card in it, and the play. OpenSpiel's
plays count what is passed and bid, too. Ratio: to hearts. A search has to come back: the search core takes plays back,
and hearts, which cannot, makes a child of each state. Playouts go from the deal to its end: the search core's choose
each card by rule of thumb, hearts' at random. The loops over whole games and deals are interpreted in both, and cross
into compiled code at every call; playouts and exact search loop in the search core, as players and analyses do. Each
round starts every contestant anew."""

_BACK: Final = spiel.HEARTS + spiel.WITH_WAY_BACK
_PLAYED_OUT: Final = spiel.HEARTS + spiel.PLAYED_OUT
_CONTESTANTS: Final = (
    (BESIDE, spiel.__name__, ROOT),
    (sys.executable, core.__name__, COMPILED_ROOT),
    (sys.executable, core.__name__, ROOT),
)
"""The Python, the module and the working directory of each."""

Rates = Mapping[tuple[str, str], Sequence[float]]


def measure_rules(plan: Plan) -> Iterator[Section]:
    """Measure both builds of the rules in turn with OpenSpiel."""
    os.sched_setaffinity(0, {plan.serving})
    rates: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for at in range(plan.rounds):
        for contestant in _CONTESTANTS[:: -1 if at % 2 else 1]:
            for name, unit, rate in _measure(*contestant):
                rates[name, unit].append(rate)
    print("measured the rules", file=sys.stderr)
    yield Section(
        _write(rates),
        (
            at_least("batch of diagnoses, compiled, of decoding alone", 0.5, _of_decoding(rates)),
            _figure("rules core, compiled, plays/s, beside OpenSpiel hearts", 1.2, rates, core.KNOWN, spiel.HEARTS),
            _figure("search core, compiled, plays/s and back, beside hearts", 4, rates, core.SEARCHED, _BACK),
            _figure("exact search, compiled, plays/s, beside hearts and back", 4, rates, core.SOLVED, _BACK),
            _figure("playouts, compiled, plays/s, beside hearts", 1.2, rates, core.PLAYED_OUT, _PLAYED_OUT),
        ),
    )


def _measure(python: str, module: str, folder: Path) -> list[tuple[str, str, float]]:
    """Measure once, in a process of its own, which runs on our core."""
    ran = subprocess.run([python, "-m", module], check=True, stdout=subprocess.PIPE, cwd=folder, timeout=600)
    return msgspec.json.decode(ran.stdout.splitlines()[-1], type=list[tuple[str, str, float]])


def _figure(name: str, least: float, rates: Rates, work: str, other: str) -> Figure:
    """Judge the compiled build, which is what players and analyses run on where they are served."""
    return at_least(name, least, _ratio(rates, work + core.COMPILED, other), " ×")


def _of_decoding(rates: Rates) -> float:
    answered, decoded = (
        rates[core.DIAGNOSES + work + core.COMPILED, "questions"] for work in (core.ANSWERED, core.DECODED)
    )
    return median(ours / alone for ours, alone in zip(answered, decoded, strict=True))


def _ratio(rates: Rates, name: str, other: str = spiel.HEARTS) -> float:
    beside = rates[other, "plays"]
    return median(ours / theirs for ours, theirs in zip(rates[name, "plays"], beside, strict=True))


def _write(rates: Rates) -> str:
    rows = [("work", "counted", "per CPU second", "µs each", "ratio", "spread")]
    for (work, unit), seen in rates.items():
        ratio = f"{_ratio(rates, work):.2f}" if unit == "plays" else ""
        rows.append((work, unit, f"{median(seen):,.0f}", f"{1e6 / median(seen):.2f}", ratio, spread(seen)))
    return f"## The rules alone, without HTTP, on one core\n\n{_ABOUT}\n\n{table(rows, 2)}"
