"""The programs in the README of the package run as they stand there."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from clients.python.generate.__main__ import PACKAGE
from tests.support.patience import WAIT

README: Final = (PACKAGE.parents[1] / "README.md").read_text(encoding="utf-8")
PROGRAMS: Final[list[str]] = re.findall(r"^```python\n(.*?)^```", README, re.DOTALL | re.MULTILINE)


def run(program: str, url: str, folder: Path) -> list[str]:
    """Run a program against a service, and return the lines that it prints."""
    (folder / "program.py").write_text(program.replace("http://127.0.0.1:8000", url), encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}
    command = (sys.executable, "-W", "error", str(folder / "program.py"))
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, check=True, timeout=WAIT
    ).stdout.splitlines()


def test_a_first_game_takes_twenty_lines(url: str, tmp_path: Path) -> None:
    assert len(PROGRAMS[0].splitlines()) <= 20
    *played, end = run(PROGRAMS[0], url, tmp_path)
    assert played
    assert all(re.fullmatch(r"Seat [0-3] plays the \w+ of \w+\.", line) for line in played)
    assert re.fullmatch(r"Totals: \d+ \d+ Winners: [01]", end)


@pytest.mark.parametrize("program", PROGRAMS[1:], ids=["questions"])
def test_questions_are_asked(program: str, url: str, tmp_path: Path) -> None:
    verdict, legal, refused, answers = run(program, url, tmp_path)
    assert verdict.startswith("False AS was led, the hand is void in spades")
    assert legal.startswith("[")
    assert "6C" in refused
    assert answers.count("Verdict(") + answers.count("Problem(") == 2
