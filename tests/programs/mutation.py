"""Which mutants of the rules are found, and by whom: python -m tests.programs.mutation [CHAPTER ...].

A chapter is a file below service/, or the files of a folder without its subfolders. mutmut makes the mutants. Two
judges look at them, each alone: the conformance kit, asked in process, and the tests of the rules. The table has a line
for each file: the share of mutants that each judge finds, without the equivalent ones. The missed ones follow. mutmut
does not change decorated functions and values of modules.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from configparser import ConfigParser
from itertools import groupby
from pathlib import Path
from typing import Final, Literal, TypeAlias

import msgspec

ROOT: Final = Path(__file__).parents[2]
WORK: Final = ROOT / ".mutation"
"""The folder with a copy of the service for each judge, with all mutants in it."""
CHAPTERS: Final = (
    "game",
    "game/fairness",
    "game/notation",
    "game/rules",
    "game/rules/admission",
    "game/rules/record",
    "game/rulesets",
    "players/claims",
)
Judge: TypeAlias = Literal["kit", "core"]
TESTS: Final[dict[Judge, tuple[str, ...]]] = {
    "kit": ("tests/conformance/test_conformance.py::test_without_a_wrong_rule_no_case_differs_in_process",),
    "core": ("tests/game/test_cards.py", "tests/game/rulesets", "tests/game/rules"),
}
OWN_TESTS: Final = {chapter: (f"tests/{chapter}",) for chapter in ("game/fairness", "game/notation", "players/claims")}
"""Tests of chapters outside TESTS; only the core asks them."""
ALSO_READ: Final = ("openapi", "docs", "CHANGELOG.md")
"""Files that the service and the tests read."""
SETTINGS: Final = {
    "source_paths": "service",
    "also_copy": "\n".join(ALSO_READ),
    "pytest_add_cli_args": "-p\nno:cacheprovider",
    "process_isolation": "forkserver",  # so mutants do not find caches filled by the right rules
    "timeout_multiplier": "5",
    "track_dependencies": "false",
    "use_git_change_detection": "false",
}
"""Settings of mutmut, except the mutated files and the tests."""
MISSED: Final = ("survived", "no tests")
"""Statuses of mutants that a judge misses."""


class Equivalent(msgspec.Struct, frozen=True):
    """Changes of a line that make no wrong rule."""

    file: str
    """Its path below service/, without `.py`."""
    right: str
    """The line, or several with a space between them."""
    why: str
    """The reason why no test can find the change."""
    wrong: tuple[str, ...] = ()
    """The replacements; any, if none is listed."""
    to: frozenset[Judge] = frozenset(TESTS)
    """The judges who cannot find them: the kit does not compare texts for people."""


class Mutant(msgspec.Struct, frozen=True):
    """A mutant, and who misses it."""

    name: str
    """Its name in mutmut."""
    file: str
    """The path of its file below service/, without `.py`."""
    missed: frozenset[Judge]
    """The judges who miss it."""
    excused: frozenset[Judge]
    """Those of them for whom it is equivalent."""
    diff: str
    """What it changes, if a judge misses it."""


EQUIVALENT: Final = msgspec.json.decode(Path(__file__).with_name("equivalent.json").read_bytes(), type=list[Equivalent])


def main(arguments: list[str]) -> None:
    """Judge chapters; print the table, then what was missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chapters", nargs="*", default=CHAPTERS, help="such as game/rules/bare.py; all if left out")
    parser.add_argument("--processes", default=str(os.cpu_count()), help="mutants that are judged at once")
    chosen = parser.parse_args(arguments)
    mutants = list[Mutant]()
    print(f"{'file':<38} mutants equivalent   kit %  core %  both %  seconds")
    for chapter in chosen.chapters:
        started = time.monotonic()
        found = judge_chapter(chapter, chosen.processes)
        for file, of_file in groupby(found, lambda mutant: mutant.file):
            print(write_row(file, tuple(of_file)), flush=True)
        print(f"{chapter:<38} {time.monotonic() - started:51.0f}", flush=True)
        mutants += found
    for mutant in mutants:
        if missed := mutant.missed - mutant.excused:
            print(f"\nmissed by {' and '.join(sorted(missed))}: {mutant.name}\n{mutant.diff}")


def write_row(file: str, mutants: tuple[Mutant, ...]) -> str:
    """Write the line of a file: equivalent mutants do not count, and both judges together find what either finds."""
    row = f"{file:<38} {len(mutants):>7} {sum(len(mutant.excused) == len(TESTS) for mutant in mutants):>10}"
    for judges in (*({judge} for judge in TESTS), set(TESTS)):
        asked = [mutant for mutant in mutants if not mutant.excused >= judges]
        found = sum(not mutant.missed >= judges for mutant in asked)
        row += f" {100 * found / len(asked) if asked else 100:>7.1f}"
    return row


def judge_chapter(chapter: str, processes: str) -> list[Mutant]:
    """Return all mutants of a chapter, judged."""
    statuses = {judge: _run(chapter, judge, processes) for judge in TESTS}
    return [_compare(name, {judge: statuses[judge][name] for judge in TESTS}) for name in statuses["kit"]]


def _compare(name: str, statuses: dict[Judge, str]) -> Mutant:
    file = re.split(r"\.x[_ǁ]", name)[0].removeprefix("service.").replace(".", "/")
    missed: frozenset[Judge] = frozenset(judge for judge, status in statuses.items() if status in MISSED)
    shown = _mutmut("kit", "show", name).splitlines() if missed else []
    right, wrong = (" ".join(line[1:].strip() for line in shown if line.startswith(sign)) for sign in ("- ", "+ "))
    excused: frozenset[Judge] = frozenset(
        judge
        for each in EQUIVALENT
        if (each.file, each.right) == (file, right) and (not each.wrong or wrong in each.wrong)
        for judge in each.to & missed
    )
    if leave_rule(right) == leave_rule(wrong):
        excused = missed
    return Mutant(name, file, missed, excused, f"  - {right}\n  + {wrong}")


def leave_rule(line: str) -> str:
    """Remove texts for people and the `strict` of zip from a line: neither is a rule."""
    without = re.sub(r", (strict=\w+)?(?=\))", "", line)
    return re.sub(r'f?"[^"]*"', lambda found: "" if " " in found[0] else found[0], without)


def _run(chapter: str, judge: Judge, processes: str) -> dict[str, str]:
    """Run mutmut in a folder of its own, and return the status of each mutant by its name."""
    home, path = WORK / judge, ROOT / "service" / chapter
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir(parents=True)
    for name in ("service", "tests", "pyproject.toml", *ALSO_READ):
        (home / name).symlink_to(ROOT / name)
    files = [path] if path.is_file() else sorted(path.glob("*.py"))
    own = OWN_TESTS.get(chapter, ()) if judge == "core" else ()
    config = ConfigParser()
    config["mutmut"] = SETTINGS | {
        "only_mutate": "\n".join(str(file.relative_to(ROOT)) for file in files),
        "pytest_add_cli_args_test_selection": "\n".join([*TESTS[judge], *own]),
    }
    with (home / "setup.cfg").open("w", encoding="utf-8") as written:
        config.write(written)
    _mutmut(judge, "run", "--max-children", processes)
    results = _mutmut(judge, "results", "--all", "true").split("\n")
    return dict(line.strip().split(": ") for line in results if line)


def _mutmut(judge: Judge, *arguments: str) -> str:
    """Run a command of mutmut, and return what it prints."""
    command = [str(Path(sys.executable).with_name("mutmut")), *arguments]
    done = subprocess.run(command, cwd=WORK / judge, stdout=subprocess.PIPE, encoding="utf-8", check=False)
    if done.returncode:
        raise RuntimeError(done.stdout)
    return done.stdout


if __name__ == "__main__":
    main(sys.argv[1:])
