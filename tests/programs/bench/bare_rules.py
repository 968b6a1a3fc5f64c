"""The rules without HTTP, on one core, and beside them whole games of OpenSpiel."""

import gc
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import Final

import msgspec

from tests.programs.bench import core, spiel
from tests.programs.bench.plan import Plan
from tests.programs.bench.report import Section, at_least, spread, table
from tests.programs.bench.targets import BESIDE, ROOT

_ABOUT: Final = """\
Rates are of CPU time. OpenSpiel is asked through its Python API; in both, the cards were drawn beforehand, and timed
are the deal, for every play the list of what is legal and the search for the card in it, and the play. OpenSpiel's
plays count what is passed and bid, too. Ratio: to hearts. A search has to come back: the search core takes plays back,
and hearts, which cannot, makes a child of each state. Playouts go from the deal to its end: the search core's choose
each card by rule of thumb, hearts' at random. The loops over whole games and deals are interpreted in both, and cross
into compiled code at every call; playouts and exact search loop in the search core, as players and analyses do."""

_HEARTS: Final = "OpenSpiel hearts"
_BACK: Final = _HEARTS + spiel.WITH_WAY_BACK
_PLAYED_OUT: Final = _HEARTS + spiel.PLAYED_OUT

Rates = Mapping[tuple[str, str], Sequence[float]]


def measure_rules(plan: Plan) -> Iterator[Section]:
    """Measure the rules in turn with OpenSpiel."""
    os.sched_setaffinity(0, {plan.serving})
    measures = core.measures(plan.workloads)
    gc.freeze()
    rates: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for _ in range(plan.rounds):
        for game, each in _spiel().items():
            rates[f"OpenSpiel {game}", "plays"].append(each)
        for measure in measures:
            rates[measure.name, measure.unit].append(core.rate(measure))
    gc.unfreeze()
    print("measured the rules", file=sys.stderr)
    yield Section(
        _write(rates),
        (
            at_least("rules core, plays/s, beside OpenSpiel hearts", 1.2, _ratio(rates, core.KNOWN), " ×"),
            at_least("search core, plays/s and back, beside hearts", 1.2, _ratio(rates, core.SEARCHED, _BACK), " ×"),
            at_least("exact search, plays/s, beside hearts and back", 4, _ratio(rates, core.SOLVED, _BACK), " ×"),
            at_least("playouts, plays/s, beside hearts", 1.2, _ratio(rates, core.PLAYED_OUT, _PLAYED_OUT), " ×"),
        ),
    )


def _spiel() -> dict[str, float]:
    """Measure OpenSpiel in a process of its environment, which runs on our core."""
    command = [BESIDE, "-m", spiel.__name__]
    ran = subprocess.run(command, check=True, capture_output=True, cwd=ROOT, timeout=120)
    return msgspec.json.decode(ran.stdout.splitlines()[-1], type=dict[str, float])


def _ratio(rates: Rates, name: str, other: str = _HEARTS) -> float:
    beside = rates[other, "plays"]
    return median(ours / theirs for ours, theirs in zip(rates[name, "plays"], beside, strict=True))


def _write(rates: Rates) -> str:
    rows = [("work", "counted", "per CPU second", "µs each", "ratio", "spread")]
    for (work, unit), seen in rates.items():
        ratio = f"{_ratio(rates, work):.2f}" if unit == "plays" else ""
        rows.append((work, unit, f"{median(seen):,.0f}", f"{1e6 / median(seen):.2f}", ratio, spread(seen)))
    return f"## The rules alone, without HTTP, on one core\n\n{_ABOUT}\n\n{table(rows, 2)}"
