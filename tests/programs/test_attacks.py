"""The attacks can be made, and a service stands them for a moment."""

import re
import subprocess
import sys

from tests.support.http.server import ROOT


def test_an_attack_tells_what_it_does_to_the_service_and_to_others() -> None:
    made = subprocess.run(
        [sys.executable, "-m", "tests.programs.attacks", "--seconds", "1.5", "control-characters"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    said = re.fullmatch(
        r"control-characters +\d+ MB -> +(\d+) MB, kernel +\d+ MB"
        r" +p99 +[\d.]+ ms \( *[\d.]+ CPU\) +longest +[\d.]+ ms \( *[\d.]+ CPU\) +of (\d+) questions\n",
        made.stdout,
    )
    assert said, made
    assert int(said[1]) < 150
    assert int(said[2]) > 0
