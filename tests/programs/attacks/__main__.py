"""Attack a service on purpose, and tell what that does to its memory and to others.

One of them asks light questions; another one, with `--play`, plays against three easy computers, and waits for them.

`--tree` names the source tree to serve, so that two versions can be compared:
python -m tests.programs.attacks --tree ../before.
"""

import argparse
import re
import sys
from collections.abc import Mapping, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from time import monotonic, sleep
from typing import Final, Self

from tests.programs.attacks.attacks import ATTACKS, Attack
from tests.programs.attacks.others import ADDRESS, Other, Waits, ask_questions, play_against_computers
from tests.support.http.server import ROOT, Line
from tests.support.processes import Service

HEAD_START: Final = 0.7
"""Seconds for which light questions are asked before the attack."""


def peak(process: int) -> float:
    """Return the largest resident memory that a process had, in MB."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text(encoding="ascii"))
    assert found is not None
    return int(found[1]) / 1024


class KernelMemory:
    """The largest memory that the kernel held for the clients of a port, looked at ten times a second.

    Unit: bytes, of what was written and not yet acknowledged, or came and was not yet read.
    """

    def __init__(self, port: int) -> None:
        self.peak = 0
        self._port = f"{port:04X}"
        self._ended = Event()
        self._watching = Thread(target=self._watch)

    def __enter__(self) -> Self:
        """Begin to watch."""
        self._watching.start()
        return self

    def __exit__(self, *_: object) -> None:
        """End the watch."""
        self._ended.set()
        self._watching.join()

    def _watch(self) -> None:
        while not self._ended.wait(0.1):
            lines = [line.split() for line in Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]]
            queues = [line[4].split(":") for line in lines if line[1].endswith(f":{self._port}")]
            self.peak = max(self.peak, sum(int(size, 16) for queue in queues for size in queue))


def wait(other: Other, port: int, process: int, seconds: float, told: Connection) -> None:
    """Be one of the others for a while, and tell the waits."""
    waits = Waits(process)
    with Line(port, ADDRESS) as line:
        other(line, monotonic() + seconds, waits.timing)
    told.send((waits.took, waits.worked))


def measure(tree: Path, attack: Attack, seconds: float, others: Mapping[str, Other]) -> str:
    """Attack a service for a while; return its memory, the kernel's at its peak, and how long others waited."""
    context = get_context("fork")
    with (
        TemporaryDirectory() as folder,
        Service(Path(folder, "log"), tree, log_level="error", pythonpath=tree) as service,
        KernelMemory(service.port) as kernel,
    ):
        port, process = service.port, service.pid
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
                f"{before:5.0f} MB -> {peak(process):5.0f} MB, kernel {kernel.peak / 1024**2:4.0f} MB",
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
    parser = argparse.ArgumentParser(prog="python -m tests.programs.attacks", description=__doc__)
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
