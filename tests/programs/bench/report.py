"""The report: tables of what was measured, and a summary of what was asked for and reached."""

import traceback
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from tests.programs.bench.machine import facts

RESULTS: Final = Path(__file__).with_name("RESULTS.md")
_ABOUT: Final = """\
# How fast it is

Written by `make bench`. The server has one core; the load, and Redis where there is one, the other, all on loopback.
Contestants are asked in turn, round by round, each round in the other order, with the same bodies: states of random
games of every ruleset and count of players. wrk asks over 16 connections that each wait for their answer, 2 for
batches. Figures are medians of the rounds. [TRIED.md](TRIED.md) tells where the time goes and what was tried.
"""
_WORDS: Final = """\
- **floor**: the same decoding, rules and encoding in a bare ASGI function, with nothing around them, on the same
  server.
- **ratio**: of what is done in a second, to the contestant that the table's head names, round by round.
- **CPU µs**: the server's CPU time for each; it tells most when the machine is busy with other work, too.
- **bytes**: of a request's body. **questions/s**: a request of a batch is 1,000 questions.
- **p50, p99**: of a whole request under full load, waiting for its turn included, unless the text says otherwise.
- **spread**: from the slowest round to the fastest, as a part of the median.
"""


class Figure(NamedTuple):
    """A figure with what is asked of it."""

    name: str
    asked: str
    measured: str
    reached: bool


def at_least(name: str, least: float, measured: float, unit: str = "") -> Figure:
    """Judge a figure that is to be high."""
    return Figure(name, f"≥ {_number(least)}{unit}", f"{_number(measured)}{unit}", measured >= least)


def at_most(name: str, most: float, measured: float, unit: str = "") -> Figure:
    """Judge a figure that is to be low."""
    return Figure(name, f"≤ {_number(most)}{unit}", f"{_number(measured)}{unit}", measured <= most)


def _number(value: float) -> str:
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
        figure = Figure(f"part {part}", "measured", "failed", reached=False)
        yield Section(f"## Failed: {part}\n\n{exc!r}\n", (figure,), failed=True)


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


def _summary(figures: Sequence[Figure]) -> str:
    head = ("figure", "asked", "measured", "reached")
    rows = [(name, asked, measured, "yes" if reached else "**no**") for name, asked, measured, reached in figures]
    return f"## Summary\n\n{table([head, *rows])}"


def write_report(sections: Sequence[Section], other_work: float) -> str:
    """Write the whole report.

    Unit: `other_work` is the part of the cores' time that went into anything else.
    """
    known = (*facts(), ("other work meanwhile", f"{other_work:.0%} of the cores' time"))
    summary = _summary([figure for section in sections for figure in section.figures])
    told = "".join(f"- {name}: {fact}\n" for name, fact in known)
    return "\n".join((_ABOUT, told, summary, _WORDS, *(section.text for section in sections)))
