"""The load: wrk on its own core, and its results by round."""

import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct

from tests.programs.bench.targets import Plan, Server
from tests.programs.bench.workloads import Workload

CONNECTIONS: Final = 16
"""Connections over which live games are played, one game at a time on each."""


class Sample(Struct, frozen=True, forbid_unknown_fields=True):
    """The results of one run of the load.

    Unit: `p50` and `p99` in microseconds, from request to answer; `refused` counts 4xx and 5xx; `cpu` in seconds, of
    the server.
    """

    requests: int
    seconds: float
    p50: float
    p99: float
    refused: int
    broken: int
    cpu: float = 0.0

    @property
    def micros(self) -> float:
        """The server's CPU time for a request, in microseconds."""
        return 1e6 * self.cpu / self.requests


class Taken(NamedTuple):
    """The samples of a target, one for each round."""

    samples: list[Sample]

    def middle(self, tell: Callable[[Sample], float]) -> float:
        """Return the median over the rounds."""
        return median(map(tell, self.samples))

    @property
    def rate(self) -> float:
        """The median of requests a second."""
        return self.middle(lambda sample: sample.requests / sample.seconds)

    @property
    def micros(self) -> float:
        """The median of the server's CPU time for a request, in microseconds."""
        return self.middle(lambda sample: sample.micros)

    def above(self, other: "Taken") -> float:
        """Return the microseconds of CPU time of a request above another's, round by round."""
        return median(a.micros - b.micros for a, b in zip(self.samples, other.samples, strict=True))

    def times(self, other: "Taken") -> float:
        """Return the CPU time of a request as a multiple of another's, round by round."""
        return median(a.micros / b.micros for a, b in zip(self.samples, other.samples, strict=True))

    def cells(self, questions: int = 1) -> tuple[str, ...]:
        """Write the last columns of a table: a second, p50, p99 and the spread of the CPU time."""
        each = [sample.micros for sample in self.samples]
        return (
            f"{self.rate * questions:,.0f}",
            f"{self.middle(lambda sample: sample.p50):,.0f}",
            f"{self.middle(lambda sample: sample.p99):,.0f}",
            f"{(max(each) - min(each)) / median(each):.0%}",
        )


def take_turns(measured: Mapping[str, Callable[[], Sample]], rounds: int, taken: dict[str, Taken]) -> None:
    """Measure everything in each round, every other round in the other order: a slow moment spoils no ratio."""
    for at in range(rounds):
        for name in list(measured)[:: -1 if at % 2 else 1]:
            taken.setdefault(name, Taken([])).samples.append(measured[name]())


def missing() -> str | None:
    """Return what is not there to measure with, and how to get it."""
    for tool, package in (("wrk", "wrk"), ("taskset", "util-linux")):
        if shutil.which(tool) is None:
            return f"{tool} is needed. On Debian or Ubuntu: apt-get install {package}"
    return None


def ask(server: Server, workload: Workload, plan: Plan) -> Sample:
    """Ask the workload's bodies in turn."""
    with TemporaryDirectory() as folder:
        bodies = Path(folder, "bodies")
        bodies.write_bytes(b"\n".join(workload.bodies))
        return _run(server, ["-t1", f"-c{workload.connections}"], [server.url + workload.path, "--", str(bodies)], plan)


def play(server: Server, plays: Path, plan: Plan) -> Sample:
    """Play the plays of a file: a thread for each connection, as a thread knows only its own answers."""
    read = [server.url, "--", str(plays), str(CONNECTIONS)]
    return _run(server, [f"-t{CONNECTIONS}", f"-c{CONNECTIONS}"], read, plan)


def _run(server: Server, threads: list[str], read: list[str], plan: Plan) -> Sample:
    """Run wrk, once more if a busy machine let not one request through; see how much CPU time the server takes."""
    script = str(Path(__file__).with_name("load.lua"))
    command = ["taskset", "-c", str(plan.loading), "wrk", *threads, f"-d{plan.seconds}s", "-s", script, *read]
    for tried in range(2):
        before = server.cpu_seconds()
        ran = subprocess.run(command, check=True, stdout=subprocess.PIPE, timeout=plan.seconds + 30)
        sample = msgspec.json.decode(ran.stdout.splitlines()[-1], type=Sample)
        if sample.broken or sample.refused or (tried and not sample.requests):
            raise RuntimeError(f"{read[0]} of {server.target.name} went wrong: {sample}")
        if sample.requests:
            return msgspec.structs.replace(sample, cpu=server.cpu_seconds() - before)
    raise AssertionError
