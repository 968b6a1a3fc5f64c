"""Attack a service on purpose, and tell what that does to its memory and to a light question of somebody else.

`--tree` names the source tree to serve, so that two versions can be compared: python -m tests.attacks --tree ../before.
"""

import argparse
import re
import subprocess
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from time import monotonic, perf_counter, sleep
from typing import Final

import msgspec

from tests.attacks.attacks import ATTACKS, Attack
from tests.support.http.samples import BODIES
from tests.support.http.server import ROOT, Line, environment

LIGHT: Final = msgspec.json.encode(BODIES["verdicts"])
PAUSE: Final = 0.005
"""Seconds between two light questions."""
HEAD_START: Final = 0.7
"""Seconds for which light questions are asked before the attack."""


@contextmanager
def serving(tree: Path) -> Generator[tuple[int, int]]:
    """Serve a tree on a free port; give the port and the process."""
    process = subprocess.Popen(
        [sys.executable, "-m", "service", "serve"],
        cwd=tree,
        env={**environment({"LOG_LEVEL": "error"}), "PYTHONPATH": str(tree)},
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            assert process.stdout is not None
            said = next(line for line in process.stdout if "/docs" in line)
            found = re.search(r":(\d+)/docs", said)
            assert found is not None
            yield int(found[1]), process.pid
        finally:
            process.kill()


def peak(process: int) -> float:
    """Return the largest resident memory that a process had, in MB."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text(encoding="ascii"))
    assert found is not None
    return int(found[1]) / 1024


def ask(port: int, seconds: float, told: Connection) -> None:
    """Ask a light question again and again, and tell how long each answer took."""
    took: list[float] = []
    end = monotonic() + seconds
    with Line(port) as line:
        while monotonic() < end:
            start = perf_counter()
            assert line.ask("/v1/verdicts", LIGHT).status == 200
            took.append(perf_counter() - start)
            sleep(PAUSE)
    told.send(took)


def measure(tree: Path, attack: Attack, seconds: float) -> str:
    """Attack a service for a while; tell its memory before and at its peak, and how long others waited."""
    context = get_context("fork")
    with serving(tree) as (port, process):
        before = peak(process)
        heard, told = context.Pipe()
        asking = context.Process(target=ask, args=(port, seconds, told))
        attacking = context.Process(target=attack, args=(port, seconds - HEAD_START))
        asking.start()
        sleep(HEAD_START)
        attacking.start()
        took = sorted(heard.recv())
        asking.join()
        attacking.kill()
        attacking.join()
        p99, longest = took[int(len(took) * 0.99)] * 1000, took[-1] * 1000
        memory = f"{before:5.0f} MB -> {peak(process):5.0f} MB"
        return f"{memory}   p99 {p99:6.1f} ms   longest {longest:6.1f} ms   of {len(took)} questions"


def main(arguments: Sequence[str] | None = None) -> int:
    """Attack, and print a line for each attack."""
    parser = argparse.ArgumentParser(prog="python -m tests.attacks", description=__doc__)
    parser.add_argument("--tree", type=Path, default=ROOT, help="the source tree to serve (this one)")
    parser.add_argument("--seconds", type=float, default=8, help="how long each attack lasts (8)")
    parser.add_argument("names", nargs="*", help=f"of {', '.join(ATTACKS)}; all unless named")
    chosen = parser.parse_args(arguments)
    for name in chosen.names or ATTACKS:
        print(f"{name:20} {measure(chosen.tree.resolve(), ATTACKS[name], chosen.seconds)}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
