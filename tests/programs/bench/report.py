"""The report: tables of what was measured, and a summary of what was asked for and reached."""

import traceback
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from tests.programs.bench.goals import GOALS
from tests.programs.bench.machine import facts

RESULTS: Final = Path(__file__).with_name("RESULTS.md")
_ABOUT: Final = """\
# How fast it is

Written by `make bench`. The server has one core; the load, and Redis where there is one, the other, all on loopback.
Everything is compiled as the image is. Contestants are asked in turn, round by round, each round in the other order,
with the same bodies: states of random games of every ruleset and count of players. wrk asks over 16 connections that
each wait for their answer, 2 for batches. Figures are medians of the rounds. [TRIED.md](TRIED.md) tells where the time
goes and what was tried.
"""
_WORDS: Final = """\
- **CPU µs**: the server's CPU time for each, as the scheduler counts it; it hardly minds other work on the machine.
- **bytes**: of a request's body. **a second**: questions, of which a batch has 1,000.
- **p50, p99**: of a whole request under full load, waiting for its turn included, unless the text says otherwise.
- **spread**: from the least CPU time to the greatest, as a part of the median.
"""


class Figure(NamedTuple):
    """A figure; its goal, if it has one, stands in `goals.py` under its name."""

    name: str
    value: float


def number(value: float) -> str:
    """Write a figure as it is read: three digits, or whole from 1,000 on."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


class Section(NamedTuple):
    """A part of the report: text with its tables, and the figures of the summary that come from it."""

    text: str
    figures: tuple[Figure, ...] = ()
    failed: bool = False


def until_failure(part: str, sections: Iterable[Section]) -> Iterator[Section]:
    """Yield the sections of a part, and where it fails, one that says so: the other parts are worth their time."""
    try:
        yield from sections
    except Exception as exc:  # noqa: BLE001 – after any failure, the report is to be written
        traceback.print_exception(exc)
        yield Section(f"## Failed: {part}\n\n{exc!r}\n", failed=True)


def table(rows: Sequence[Sequence[str]], words: int = 1) -> str:
    """Write rows, the first one their head; all but the first `words` columns are numbers."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    right = [at >= words for at in range(len(widths))]
    lines = [
        [cell.rjust(w) if r else cell.ljust(w) for cell, w, r in zip(row, widths, right, strict=True)] for row in rows
    ]
    rule = ["-" * (w - 1) + (":" if r else "-") for w, r in zip(widths, right, strict=True)]
    return "".join(f"| {' | '.join(line)} |\n" for line in (lines[0], rule, *lines[1:]))


def spread(values: Sequence[float]) -> str:
    """Return the way from the least to the greatest as a part of the median."""
    return f"{(max(values) - min(values)) / median(values):.0%}"


def write_summary(figures: Sequence[Figure]) -> str:
    """Write every figure with its goal, the reason for it, and where it is missed, what stands in the way."""
    rows = [("figure", "measured", "goal", "why, and what stands in the way"), *map(_judge, figures)]
    return f"## Summary\n\n{table(rows)}"


def _judge(figure: Figure) -> tuple[str, str, str, str]:
    goal = GOALS.get(figure.name)
    if goal is None:
        return figure.name, number(figure.value), "", ""
    bound = f"{'≥' if goal.is_least else '≤'} {number(goal.bound)}"
    if goal.is_reached(figure.value):
        return figure.name, number(figure.value), bound, goal.why
    return figure.name, number(figure.value), f"{bound}: **no**", f"{goal.why}; in the way: {goal.obstacle}"


def write_report(sections: Sequence[Section], other_work: float) -> str:
    """Write the whole report.

    Unit: `other_work` is the part of the cores' time that went into anything else.
    """
    known = (*facts(), ("other work meanwhile", f"{other_work:.0%} of the cores' time"))
    summary = write_summary([figure for section in sections for figure in section.figures])
    told = "".join(f"- {name}: {fact}\n" for name, fact in known)
    return "\n".join((_ABOUT, told, summary, _WORDS, *(section.text for section in sections)))
