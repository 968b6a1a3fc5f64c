"""Threads that read a kind of answer for the first time, at the same moment."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Final

import catch_the_ten
import pytest

from tests.python_client.script import LIVE

READING: Final = """
import sys
from threading import Barrier, Thread
from catch_the_ten.models import LiveGame
from catch_the_ten.request import decode

def read(later):
    together.wait()
    for _ in range(later):
        pass
    decode(raw, LiveGame)

sys.setswitchinterval(1e-6)
raw, together = sys.stdin.buffer.read(), Barrier(8)
threads = [Thread(target=read, args=(300 * number,)) for number in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""
"""A process of its own, in which the types of answers are read for the first time."""


@pytest.mark.parametrize("attempt", range(4))
def test_threads_may_read_a_kind_of_answer_for_the_first_time_together(attempt: int) -> None:
    path = {"PYTHONPATH": str(Path(catch_the_ten.__file__).parents[1])}
    raw = json.dumps(LIVE).encode()
    done = subprocess.run([sys.executable, "-c", READING], input=raw, env=path, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b""), attempt
