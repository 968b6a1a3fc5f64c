"""Attack a service on purpose, and tell what that does to its memory and to others.

One of them asks light questions; another one, with `--play`, plays against three easy computers, and waits for them.

`--tree` names the source tree to serve, so that two versions can be compared:
python -m tests.programs.attacks --tree ../before.
"""

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Final, NamedTuple

from tests.programs.attacks.attacks import ATTACKS, Attack
from tests.programs.attacks.balanced import MAX_BALANCER_MB, measure_balancer
from tests.programs.attacks.balancer_attacks import BALANCER_ATTACKS
from tests.programs.attacks.dearest import DEAREST, MAX_MB, MAX_P99, make_dearest
from tests.programs.attacks.memory import KernelMemory, peak
from tests.programs.attacks.others import ADDRESS, Other, Waits, ask_questions, play_against_computers
from tests.programs.harness import Balancer
from tests.support.http.server import ROOT, Line
from tests.support.processes import Service

HEAD_START: Final = 0.7
"""Seconds for which light questions are asked before the attack."""
ALONE: Final = 50
"""The first light questions: even a slow machine answers these within the head start."""


def wait(other: Other, port: int, process: int, seconds: float, told: Connection) -> None:
    """Act as another caller for a while, and return its waits: see `Waits`."""
    with suppress(PermissionError):
        os.nice(-20)
    waits = Waits(process)
    with Line(port, ADDRESS) as line:
        other(line, monotonic() + seconds, waits.timing)
    told.send((waits.took, waits.worked))


class Figures(NamedTuple):
    """The memory of a process before an attack and at its peak, that of the kernel, and how long others waited.

    Unit: `before`, `peak` and `kernel` in MB, `waits` in seconds, with how long the service worked meanwhile.
    """

    before: float
    peak: float
    kernel: float
    waits: dict[str, tuple[Sequence[float], Sequence[float]]]

    def describe(self) -> str:
        """Write the figures on a line."""
        memory = f"{self.before:5.0f} MB -> {self.peak:5.0f} MB, kernel {self.kernel:4.0f} MB"
        return "".join([memory, *(_describe(name, *both) for name, both in self.waits.items())])

    def are_within_bounds(self) -> bool:
        """Return True if a process stands this, and others hardly notice."""
        return self.peak < MAX_MB and all(_times_alone(worked) <= MAX_P99 for _, worked in self.waits.values())


def measure(
    tree: Path, prepare: Callable[[int], Attack], seconds: float, others: Mapping[str, Other], *, balanced: bool = False
) -> Figures:
    """Prepare an attack on a service, and attack it for a while, directly or through the load balancer of deploy/."""
    context = get_context("fork")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        settings = {"trusted_proxies": "127.0.0.1"} if balanced else {}
        service = stack.enter_context(Service(folder / "log", tree, log_level="error", pythonpath=tree, **settings))
        kernel = stack.enter_context(KernelMemory(service.port))
        process = service.pid
        port = stack.enter_context(Balancer(folder / "haproxy", [service.port])).port if balanced else service.port
        attack, before = prepare(service.port), peak(process)
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
        for _, told in pipes.values():
            told.close()  # so that nobody waits for one who failed
        waits = {name: heard.recv() for name, (heard, _) in pipes.items()}
        attacking.kill()
        for one in (*waiting, attacking):
            one.join()
        return Figures(before, peak(process), kernel.peak / 1024**2, waits)


def _choose(name: str, _: int) -> Attack:
    return ATTACKS[name]


def _p99(times: Sequence[float]) -> float:
    return sorted(times)[int(len(times) * 0.99)]


def _times_alone(worked: Sequence[float]) -> float:
    """Return the p99 as a multiple of what the first ones took, before the attack."""
    return _p99(worked) / median(worked[:ALONE])


def _describe(name: str, took: Sequence[float], worked: Sequence[float]) -> str:
    """Write how long the waits were, each with how long the service worked meanwhile."""
    p99, p99_cpu = _p99(took) * 1000, _p99(worked) * 1000
    longest, longest_cpu = max(took) * 1000, max(worked) * 1000
    return (
        f"   p99 {p99:6.1f} ms ({p99_cpu:5.1f} CPU)   longest {longest:6.1f} ms ({longest_cpu:5.1f} CPU)   "
        f"{_times_alone(worked):4.0f} x one alone   of {len(took)} {name}"
    )


def measure_dearest(operations: Sequence[str], seconds: float) -> int:
    """Send the dearest request of each operation, direct and through the balancer; return 1 if one harms others."""
    harmful = list[str]()
    for operation in operations:
        for balanced in (False, True):
            prepare = partial(make_dearest, operation)
            figures = measure(ROOT, prepare, seconds, {"questions": ask_questions}, balanced=balanced)
            name = f"{operation} {'haproxy' if balanced else 'direct'}"
            print(f"{name:24} {figures.describe()}", flush=True)
            if not figures.are_within_bounds():
                harmful.append(name)
    if harmful:
        print(f"beyond {MAX_MB} MB or {MAX_P99:.0f} light questions: {', '.join(harmful)}", file=sys.stderr)
    return int(bool(harmful))


def measure_balancers(names: Sequence[str], seconds: float) -> int:
    """Attack the load balancer in these ways; return 1 if it takes much memory, or another address is refused."""
    harmful = list[str]()
    for name in names:
        figures = measure_balancer(name, seconds)
        print(f"{name:20} {figures.describe()}", flush=True)
        if not figures.are_within_bounds():
            harmful.append(name)
    if harmful:
        print(f"beyond {MAX_BALANCER_MB} MB, or another address was refused: {', '.join(harmful)}", file=sys.stderr)
    return int(bool(harmful))


def main(arguments: Sequence[str] | None = None) -> int:
    """Attack, and print a line for each attack."""
    parser = argparse.ArgumentParser(prog="python -m tests.programs.attacks", description=__doc__)
    parser.add_argument("--tree", type=Path, default=ROOT, help="the source tree to serve (this one)")
    parser.add_argument("--seconds", type=float, default=8, help="how long each attack lasts (8)")
    parser.add_argument("--play", action="store_true", help="somebody else plays against computers, too")
    parser.add_argument(
        "--dearest", action="store_true", help="send each operation its dearest request, a hundred at once"
    )
    parser.add_argument("--balancer", action="store_true", help="attack the load balancer of deploy/ from one address")
    names = ", ".join((*ATTACKS, *BALANCER_ATTACKS))
    parser.add_argument("names", nargs="*", help=f"of {names}, or operations; all unless named")
    chosen = parser.parse_args(arguments)
    if chosen.balancer:
        return measure_balancers(chosen.names or [*BALANCER_ATTACKS], chosen.seconds)
    if chosen.dearest:
        return measure_dearest(chosen.names or [*DEAREST], chosen.seconds)
    others: dict[str, Other] = {"questions": ask_questions}
    if chosen.play:
        others["turns of computers"] = play_against_computers
    for name in chosen.names or ATTACKS:
        figures = measure(chosen.tree.resolve(), partial(_choose, name), chosen.seconds, others)
        print(f"{name:20} {figures.describe()}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
