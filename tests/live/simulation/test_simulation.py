"""The service under failovers and other harm, by seeds: each runs the same every time, and finds what is wrong.

The long run is `python -m tests.programs.simulation`, and all planted bugs are looked for by its option `--bugs`.
"""

import subprocess
import sys
from typing import Final

import pytest

from tests.support.effort import choose_effort
from tests.support.guard import guarded_group
from tests.support.processes import ROOT

SHORT: Final = ("--failovers", "6")
SEEDS: Final = choose_effort(daily=2, nightly=5)
FOUND: Final = (("no-wait", 1), ("reads-stale", 1), ("two-next-games", 7), ("limit-halved", 2), ("index-forgotten", 3))
"""Planted bugs, each with a seed that finds it; after a change of the service, it may be another one."""


def _run(*options: str) -> tuple[int, list[str]]:
    """Return the exit code of the program, and the lines that it prints."""
    command = [sys.executable, "-m", "tests.programs.simulation", *options]
    ended = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, process_group=guarded_group()
    )
    assert not ended.stderr, ended.stderr
    return ended.returncode, ended.stdout.splitlines()


def test_no_seed_finds_anything_and_each_runs_the_same_again() -> None:
    code, lines = _run(*SHORT, "--seeds", str(SEEDS))
    assert code == 0, lines
    with_replicas = choose_effort(daily=12, nightly=24)
    assert f"{6 * SEEDS} failovers, {with_replicas} of them with replicas asked for" in lines[-2]
    assert _run(*SHORT, "--first", "2", "--seeds", "1")[1][0] == lines[1]


@pytest.mark.parametrize(("planted", "seed"), [*FOUND, pytest.param("absence-unheeded", 4, marks=pytest.mark.nightly)])
def test_a_bug_that_is_planted_in_the_service_is_found_by_a_seed(planted: str, seed: int) -> None:
    code, lines = _run(*SHORT, "--first", str(seed), "--seeds", "1", "--planted", planted)
    assert code == 1
    assert lines[1].startswith("  "), lines
    (again,) = (line for line in lines if line.startswith("  again: python -m tests.programs.simulation "))
    assert f"--planted {planted}" in again
