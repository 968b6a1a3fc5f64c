"""What was measured, as tables."""

from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from tests.bench.load import Sample
from tests.bench.machine import facts
from tests.bench.targets import Comparison
from tests.bench.workloads import Workload

RESULTS: Final = Path(__file__).with_name("RESULTS.md")
_HEAD: Final = ("question", "bytes", "target", "questions/s", "ratio", "CPU µs", "p50 µs", "p99 µs", "spread")
_ABOUT: Final = """\
# How fast it is

Written by `make bench`. The server has one core, wrk the other, on loopback: 16 connections that each wait for
their answer, 2 for batches. Targets are asked in turn, round by round, with the same bodies: states of random
games of every ruleset and count of players. Figures are medians of the rounds.

- **floor**: the same decoding, rules and encoding in a bare ASGI function, with nothing around them, on the same
  server.
- **ratio**: of questions/s, to the last target of the same question, round by round.
- **CPU µs**: the server's CPU time for a question; it tells most when the machine is busy with other work, too.
- **bytes**: of a request's body. **questions/s**: a request of a batch is 1,000 questions.
- **p50, p99**: of a whole request under full load, waiting for its turn included.
- **spread**: from the slowest round to the fastest, as a part of the median.
"""


class Rounds(NamedTuple):
    """A workload asked of the targets of a comparison, by name of the target: a sample of each round.

    Unit: `cpu` in seconds of the server's CPU time, for each round.
    """

    comparison: Comparison
    workload: Workload
    samples: dict[str, list[Sample]]
    cpu: dict[str, list[float]]


def _table(rows: Sequence[Sequence[str]], numbers: frozenset[str] = frozenset()) -> str:
    """Write rows, the first one their head, with the columns of numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    right = [head in numbers for head in rows[0]]
    lines = [
        [cell.rjust(w) if r else cell.ljust(w) for cell, w, r in zip(row, widths, right, strict=True)] for row in rows
    ]
    rule = ["-" * (w - 1) + (":" if r else "-") for w, r in zip(widths, right, strict=True)]
    return "".join(f"| {' | '.join(line)} |\n" for line in (lines[0], rule, *lines[1:]))


def _spread(values: Sequence[float]) -> str:
    return f"{(max(values) - min(values)) / median(values):.0%}"


def _rows(rounds: Rounds) -> list[tuple[str, ...]]:
    workload = rounds.workload
    size = median(map(len, workload.bodies))
    base = rounds.samples[rounds.comparison.targets[-1].name]
    rows: list[tuple[str, ...]] = []
    for name, samples in rounds.samples.items():
        rates = [sample.rate for sample in samples]
        ratio = median(rate / beside.rate for rate, beside in zip(rates, base, strict=True))
        cpu = median(used / sample.requests for used, sample in zip(rounds.cpu[name], samples, strict=True))
        p50, p99 = (median(getattr(sample, part) for sample in samples) for part in ("p50", "p99"))
        asked = f"{median(rates) * workload.questions:,.0f}"
        cpu_each = f"{1e6 * cpu / workload.questions:.1f}"
        figures = (asked, f"{ratio:.2f}", cpu_each, f"{p50:,.0f}", f"{p99:,.0f}", _spread(rates))
        rows.append((workload.name, f"{size:,.0f}", name, *figures))
    return rows


def write_comparison(rounds: Sequence[Rounds]) -> str:
    """Write the table of a comparison."""
    rows = [_HEAD, *(row for asked in rounds for row in _rows(asked))]
    return f"## {rounds[0].comparison.title}\n\n{_table(rows, frozenset(_HEAD) - {'question', 'target'})}"


def write_core(rates: dict[tuple[str, str], list[float]]) -> str:
    """Write the table of the rules alone; its keys are what was done and what was counted."""
    rows = [("work", "counted", "per CPU second", "µs each", "spread")]
    for (work, unit), seen in rates.items():
        rows.append((work, unit, f"{median(seen):,.0f}", f"{1e6 / median(seen):.2f}", _spread(seen)))
    return f"## The rules alone, without HTTP, on one core\n\n{_table(rows, frozenset(rows[0][2:]))}"


def write_report(tables: Sequence[str], other_work: float) -> str:
    """Write the whole report.

    Unit: `other_work` is the part of the cores' time that went into anything else.
    """
    known = (*facts(), ("other work meanwhile", f"{other_work:.0%} of the cores' time"))
    return "\n".join((_ABOUT, "".join(f"- {name}: {fact}\n" for name, fact in known), *tables))
