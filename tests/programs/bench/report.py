"""The report: tables of what was measured, a summary with goals, and the operators' table of sizes."""

import os
import platform
import re
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from time import monotonic
from typing import Final, NamedTuple

from tests.support.redis_server import find_or_get

RESULTS: Final = Path(__file__).with_name("RESULTS.md")
GUIDE: Final = Path(__file__).parents[3] / "deploy" / "CAPACITY.md"
_PACKAGES: Final = ("litestar", "msgspec", "uvicorn", "uvloop", "httptools", "prometheus-client", "redis")
_ABOUT: Final = """\
# How fast it is

Written by `make bench`. The server has one core, the load and Redis the other, all on loopback and compiled as in the
image. Targets answer the same bodies in alternating rounds: states of random games of every ruleset and number of
players. wrk uses 16 connections, 2 for batches. Figures are medians of the rounds. [TRIED.md](TRIED.md) says where
the time goes.
"""
_WORDS: Final = """\
- **CPU µs**: the server's CPU time for each, as the scheduler counts it.
- **bytes**: of a request's body. **a second**: questions; a batch has 1,000.
- **p50, p99**: of a whole request under full load, with the wait for its turn.
- **spread**: from the least to the greatest CPU time, as a part of the median.
"""
_CLOSE: Final = "the rules should cost more than the service around them"
GOALS: Final[dict[str, tuple[float, str]]] = {
    "legal_moves, µs above the floor": (5, "a question may cost what a bare function costs"),
    "verdicts, µs above the floor": (8, _CLOSE),
    "trick_winners, µs above the floor": (8, _CLOSE),
    "next_states, µs above the floor": (8, _CLOSE),
    "legal_moves as shipped, of the floor": (1.3, "quota, proxies, log and metrics are what operators pay for"),
    "live play, µs": (140, "seven thousand plays a second and core; redis-py takes more"),
    "live play as shipped, µs more": (8, "quota, proxies and log cost a play no more than a question"),
    "worker after load, MiB": (65, "seven replicas in half a gigabyte"),
}
"""The most that a figure may be, and why. A figure without a goal is for operators who plan by it."""
_BEGIN: Final = "<!-- figures -->\n"
_END: Final = "<!-- /figures -->\n"
_LIGHT: Final = "light questions as shipped, a second"
_BATCHED: Final = "batched questions as shipped, a second"
_SIZES: Final = (
    ("light questions a second and core, one by one, as shipped", f"{{{_LIGHT}: least}} to {{{_LIGHT}: most}}"),
    (
        "questions a second and core, in batches of 1,000, as shipped",
        f"{{{_BATCHED}: least}} to {{{_BATCHED}: most}}",
    ),
    ("plays of live games a second and core, as shipped, with Redis", "{live plays as shipped, a second}"),
    ("memory of a process after its start", "{worker after its start, MiB} MiB"),
    ("memory of a process after batches of 1,000 and live plays", "{worker after load, MiB} MiB"),
    ("memory of a finished live game in Redis", "{finished game in Redis, bytes} bytes"),
)
"""The figures of the operators' guide, with their names."""


class Figure(NamedTuple):
    """A figure; its goal, if it has one, stands in `GOALS` under its name."""

    name: str
    value: float


class Section(NamedTuple):
    """A part of the report: text with its tables, and the figures of the summary that come from it."""

    text: str
    figures: tuple[Figure, ...] = ()


def _number(value: float) -> str:
    """Write a figure as it is read: three digits, or whole from 1,000 on."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def table(rows: Sequence[Sequence[str]], words: int = 1) -> str:
    """Write rows, the first one their head; all but the first `words` columns are numbers."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    right = [at >= words for at in range(len(widths))]
    lines = [
        [cell.rjust(w) if r else cell.ljust(w) for cell, w, r in zip(row, widths, right, strict=True)] for row in rows
    ]
    rule = ["-" * (w - 1) + (":" if r else "-") for w, r in zip(widths, right, strict=True)]
    return "".join(f"| {' | '.join(line)} |\n" for line in (lines[0], rule, *lines[1:]))


def write_summary(figures: Sequence[Figure]) -> str:
    """Write every figure with its goal and the reason for it."""
    rows = [("figure", "measured", "goal", "why")]
    for name, value in figures:
        bound, why = GOALS.get(name, (None, ""))
        missed = bound is not None and value > bound
        goal = "" if bound is None else f"≤ {_number(bound)}{': **no**' if missed else ''}"
        rows.append((name, _number(value), goal, why))
    return f"## Summary\n\n{table(rows)}"


def write_sizes(figures: Sequence[Figure], guide: str) -> str:
    """Return the guide with the figures in the place of those that it has."""
    rows = [("what", "figure"), *_SIZES]
    for name, value in figures:
        # Two digits of a number of three or more: nobody sizes by the third.
        figure = _number(float(f"{value:.2g}") if value >= 100 else round(value))
        rows = [(what, text.replace(f"{{{name}}}", figure)) for what, text in rows]
    before, _, rest = guide.partition(_BEGIN)
    return f"{before}{_BEGIN}\n{table(rows, 2)}\n{_END}{rest.partition(_END)[2]}"


def write(sections: Sequence[Section], other_work: float) -> None:
    """Write the whole report, and the table in the guide.

    Unit: `other_work` is the part of the cores' time that went into anything else.
    """
    figures = [figure for section in sections for figure in section.figures]
    told = "".join(f"- {name}: {fact}\n" for name, fact in _facts(other_work))
    parts = (_ABOUT, told, write_summary(figures), _WORDS, *(section.text for section in sections))
    RESULTS.write_text("\n".join(parts), encoding="utf-8")
    GUIDE.write_text(write_sizes(figures, GUIDE.read_text("utf-8")), encoding="utf-8")


def _facts(other_work: float) -> list[tuple[str, str]]:
    """Return when and with what it is measured."""
    processor = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    machine = f"{processor[1] if processor else platform.machine()}, {platform.system()} {platform.release()}"
    return [
        ("when", f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"),
        ("commit", _ask("git", "describe", "--always", "--dirty").strip()),
        ("machine", f"{os.cpu_count()} cores, {machine}"),
        ("python", f"CPython {sys.version.split()[0]}"),
        ("packages", ", ".join(f"{name} {version(name)}" for name in _PACKAGES)),
        ("tools", f"wrk {_release('wrk')}, redis-server {_release(find_or_get())}"),
        ("other work meanwhile", f"{other_work:.0%} of the cores' time"),
    ]


def _release(program: str) -> str:
    found = re.search(r"\d+\.\d+(\.\d+)?", _ask(program, "--version"))
    return found[0] if found else "of an unknown version"


def _ask(*command: str) -> str:
    """Return a program's output; wrk prints its version with its usage and fails."""
    return subprocess.run(command, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout


class Watch:
    """Watches the cores from its making on."""

    def __init__(self) -> None:
        self._start = monotonic()
        self._others = self._by_others()

    def other_work(self) -> float:
        """Return the part of the cores' time that went into other work than ours; what we started must have ended."""
        others = self._by_others() - self._others
        return max(0.0, others) / (monotonic() - self._start) / (os.cpu_count() or 1)

    def _by_others(self) -> float:
        """Count the seconds that the cores have worked for others, other guests of the host among them."""
        first = Path("/proc/stat").read_text(encoding="utf-8").partition("\n")[0].split()
        user, nice, system, _idle, _waiting, interrupts, soft, stolen = map(int, first[1:9])
        return (user + nice + system + interrupts + soft + stolen) / os.sysconf("SC_CLK_TCK") - sum(os.times()[:4])
