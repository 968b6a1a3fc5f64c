"""Which wrong rules the tests of the rules find: python -m tests.programs.mutants [NAME ...].

Those of tests/conformance/mutants.jsonl, which `make test` puts to the conformance kit.
"""

import subprocess
import sys
from typing import Final

import pytest

from tests.conformance.mutants import SERVICE, Mutant, planted, read_mutants

RULES: Final = "game/rules/"
TESTS: Final = ("tests/game/test_cards.py", "tests/game/rulesets", "tests/game/rules")
PLANT: Final = "--plant"
"""The option with which this program runs the tests on one wrong rule, in a process of its own."""
SECONDS: Final = 300
"""The limit of a run. A wrong rule with which the tests never end is found."""
ALLOWED: Final = 2
"""Wrong rules that the tests may miss."""


def run_tests(mutant: Mutant) -> int:
    """Plant a wrong rule in this process, run the tests, and return the exit code of pytest."""
    with planted(mutant):
        return pytest.main(["-q", "-x", "-n", "0", "-p", "no:cacheprovider", *TESTS])


def is_found(mutant: Mutant) -> bool:
    """Return True if a test fails on a wrong rule."""
    command = [sys.executable, "-m", "tests.programs.mutants", PLANT, mutant.name]
    try:
        done = subprocess.run(command, cwd=SERVICE.parent, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return True
    if done.returncode not in {0, 1}:
        raise RuntimeError(done.stdout.decode() + done.stderr.decode())
    return done.returncode == 1


def main(names: list[str]) -> int:
    """Print which wrong rules are found; return 1 if too many are not."""
    mutants = [each for each in read_mutants() if each.file.startswith(RULES)]
    if names[:1] == [PLANT]:
        return run_tests(*[each for each in mutants if each.name in names])
    missed = list[str]()
    for mutant in [each for each in mutants if not names or each.name in names]:
        found = is_found(mutant)
        missed += [] if found else [mutant.name]
        print(f"{mutant.name}: {'found' if found else 'NOT FOUND'}", flush=True)
    print(f"not found by the tests of the rules: {len(missed)}", *missed)
    return int(len(missed) > ALLOWED)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
