"""The service under failovers and other harm, by seeds: each runs the same every time, and finds what is wrong.

The long run is `python -m tests.programs.simulation`.
"""

import subprocess
import sys
from typing import Final

import pytest

from tests.support.processes import ROOT

SHORT: Final = ("--failovers", "6")
FEW: Final = ("--failovers", "12", "--seeds", "60", "--until-found")
BUGS: Final = ("AcknowledgesTooSoon", "ShowsTooSoon", "ReadsStale", "AppendsAgain", "AppendsInTwoSteps", "LosesWakeups")


def _run(*options: str) -> tuple[int, list[str]]:
    """Return the exit code of the program, and the lines that it prints."""
    command = [sys.executable, "-m", "tests.programs.simulation", *options]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert not ended.stderr, ended.stderr
    return ended.returncode, ended.stdout.splitlines()


def test_no_seed_finds_anything_and_each_runs_the_same_again() -> None:
    code, lines = _run(*SHORT, "--seeds", "8")
    assert code == 0, lines
    assert "48 failovers" in lines[-2]
    assert _run(*SHORT, "--first", "5", "--seeds", "1")[1][0] == lines[4]


@pytest.mark.parametrize("planted", BUGS)
def test_a_bug_that_is_planted_in_the_store_is_found_by_a_seed(planted: str) -> None:
    code, lines = _run(*FEW, "--planted", planted)
    assert code == 1
    assert "1 seeds found something" in lines[-2]
    print(*lines, sep="\n")


def test_a_seed_that_finds_something_says_how_it_is_run_again() -> None:
    found = _run(*FEW, "--planted", "ShowsTooSoon")[1]
    (again,) = (line for line in found if line.startswith("  again: python -m tests.programs.simulation "))
    code, lines = _run(*again.split()[4:])
    assert code == 1
    assert lines[:-2] == found[-len(lines) : -2]


def test_every_planted_bug_is_looked_for() -> None:
    with pytest.raises(AssertionError, match=f"choose from {', '.join(map(repr, BUGS))}"):
        _run("--planted", "")
