"""Which wrong rules the conformance kit and the tests of the rules find: python -m tests.programs.mutants [NAME ...].

Each line of tests/conformance/mutants.jsonl changes one line of service/game/rules, in a copy of the tree. Each must
change an answer: one that changes none is no wrong rule, and does not belong there.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import msgspec

ROOT: Final = Path(__file__).parents[2]
COPIED: Final = ("service", "tests", "openapi", "deploy", "docs", "pyproject.toml", "README.md", "CHANGELOG.md")
TESTS: Final = {
    "kit": ("tests/conformance/test_conformance.py::test_without_a_wrong_rule_no_case_differs_in_process",),
    "core": ("tests/game/test_cards.py", "tests/game/rulesets", "tests/game/rules"),
}
SECONDS: Final = 300
"""The limit of a run. A wrong rule with which the tests never end is found."""

ALLOWED: Final = 2
"""Wrong rules that the kit, or the tests, may miss."""


class Mutant(msgspec.Struct, frozen=True):
    """A wrong rule: the part of a line that is right, and what stands in its place."""

    name: str
    file: str
    right: str
    wrong: str


def read_mutants() -> tuple[Mutant, ...]:
    """Read all wrong rules."""
    lines = (ROOT / "tests/conformance/mutants.jsonl").read_bytes().splitlines()
    return tuple(msgspec.json.decode(line, type=Mutant) for line in lines)


def apply_mutant(mutant: Mutant, source: str) -> str:
    """Return the source of a file with the wrong rule.

    Errors: ValueError if the right rule does not stand there once; SyntaxError if the wrong one is no code.
    """
    if source.count(mutant.right) != 1:
        raise ValueError(f"{mutant.name}: stands {source.count(mutant.right)} times in {mutant.file}: {mutant.right}")
    wrong = source.replace(mutant.right, mutant.wrong)
    compile(wrong, mutant.file, "exec")
    return wrong


def find_mutant(tree: Path, mutant: Mutant) -> list[str]:
    """Return the names of the tests that find a wrong rule."""
    path = tree / "service/game/rules" / mutant.file
    right = path.read_text(encoding="utf-8")
    path.write_text(apply_mutant(mutant, right), encoding="utf-8")
    found = [name for name, tests in TESTS.items() if not _passes(tree, tests)]
    path.write_text(right, encoding="utf-8")
    return found


def _passes(tree: Path, tests: tuple[str, ...]) -> bool:
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-n", "0", "-p", "no:cacheprovider", *tests]
    try:
        done = subprocess.run(
            command,
            cwd=tree,
            env=os.environ | {"PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False
    if done.returncode not in {0, 1}:
        raise RuntimeError(done.stdout.decode() + done.stderr.decode())
    return done.returncode == 0


def _copy_tree(tree: Path) -> None:
    for path in [ROOT / name for name in COPIED]:
        if path.is_dir():
            shutil.copytree(path, tree / path.name, ignore=shutil.ignore_patterns("node_modules", "__pycache__"))
        else:
            shutil.copyfile(path, tree / path.name)


def main(names: list[str]) -> int:
    """Print who finds each wrong rule; return 1 if the kit or the tests miss too many."""
    mutants = [mutant for mutant in read_mutants() if not names or mutant.name in names]
    missed = dict.fromkeys(TESTS, 0)
    with TemporaryDirectory() as folder:
        _copy_tree(Path(folder))
        for mutant in mutants:
            found = find_mutant(Path(folder), mutant)
            for name in TESTS:
                missed[name] += name not in found
            print(f"{mutant.name}: {' and '.join(found) or 'NOT FOUND'}", flush=True)
    print(f"{len(mutants)} wrong rules; not found by the kit: {missed['kit']}, by the core's tests: {missed['core']}")
    return int(max(missed.values()) > ALLOWED)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
