"""Attack a service on purpose, and tell what that does to its memory and to others.

One of them asks light questions; another one, with `--play`, plays against three easy computers, and waits for them.

`--tree` names the source tree to serve, so that two versions can be compared: python -m tests.attacks --tree ../before.
"""

import argparse
import re
import subprocess
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from time import monotonic, sleep
from typing import Final

from tests.attacks.attacks import ATTACKS, Attack
from tests.attacks.others import ADDRESS, Other, Waits, ask_questions, play_against_computers
from tests.support.http.server import ROOT, Line, environment

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


def wait(other: Other, port: int, process: int, seconds: float, told: Connection) -> None:
    """Be one of the others for a while, and tell the waits."""
    waits = Waits(process)
    with Line(port, ADDRESS) as line:
        other(line, monotonic() + seconds, waits.timing)
    told.send((waits.took, waits.worked))


def measure(tree: Path, attack: Attack, seconds: float, others: Mapping[str, Other]) -> str:
    """Attack a service for a while; tell its memory before and at its peak, and how long others waited."""
    context = get_context("fork")
    with serving(tree) as (port, process):
        before = peak(process)
        pipes = {name: context.Pipe() for name in others}
        waiting = [
            context.Process(target=wait, args=(others[name], port, process, seconds, told))
            for name, (_, told) in pipes.items()
        ]
        attacking = context.Process(target=attack, args=(port, seconds - HEAD_START))
        for one in waiting:
            one.start()
        sleep(HEAD_START)
        attacking.start()
        told_by = {name: heard.recv() for name, (heard, _) in pipes.items()}
        attacking.kill()
        for one in (*waiting, attacking):
            one.join()
        return "".join(
            [
                f"{before:5.0f} MB -> {peak(process):5.0f} MB",
                *(_describe(name, *told) for name, told in told_by.items()),
            ]
        )


def _describe(name: str, took: Sequence[float], worked: Sequence[float]) -> str:
    """Write how long the waits were, each with how long the service worked meanwhile."""
    both = sorted(took), sorted(worked)
    p99, p99_cpu = (times[int(len(times) * 0.99)] * 1000 for times in both)
    longest, longest_cpu = (times[-1] * 1000 for times in both)
    return (
        f"   p99 {p99:6.1f} ms ({p99_cpu:5.1f} CPU)   longest {longest:6.1f} ms ({longest_cpu:5.1f} CPU)   "
        f"of {len(took)} {name}"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Attack, and print a line for each attack."""
    parser = argparse.ArgumentParser(prog="python -m tests.attacks", description=__doc__)
    parser.add_argument("--tree", type=Path, default=ROOT, help="the source tree to serve (this one)")
    parser.add_argument("--seconds", type=float, default=8, help="how long each attack lasts (8)")
    parser.add_argument("--play", action="store_true", help="somebody else plays against computers, too")
    parser.add_argument("names", nargs="*", help=f"of {', '.join(ATTACKS)}; all unless named")
    chosen = parser.parse_args(arguments)
    others: dict[str, Other] = {"questions": ask_questions}
    if chosen.play:
        others["turns of computers"] = play_against_computers
    for name in chosen.names or ATTACKS:
        said = measure(chosen.tree.resolve(), ATTACKS[name], chosen.seconds, others)
        print(f"{name:20} {said}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
