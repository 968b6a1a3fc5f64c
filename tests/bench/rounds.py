"""Contestants in turn, round by round, each round in the other order, so that a slow moment spoils no ratio."""

import sys
from collections.abc import Callable, Sequence
from statistics import median
from typing import NamedTuple

from tests.bench.load import Sample, wrk
from tests.bench.plan import Plan
from tests.bench.targets import Server
from tests.bench.workloads import Workload


class Contestant(NamedTuple):
    """One that is measured: its name, what measures it once, and the CPU time that its server has used so far."""

    name: str
    measure: Callable[[], Sample]
    cpu_seconds: Callable[[], float] | None = None


class Taken(NamedTuple):
    """What was seen of a contestant in each round.

    Unit: `cpu` in seconds of the server's CPU time.
    """

    samples: list[Sample]
    cpu: list[float]

    def middle(self, tell: Callable[[Sample], float]) -> float:
        """Tell the median over the rounds."""
        return median(map(tell, self.samples))

    @property
    def rate(self) -> float:
        """The median of requests a second."""
        return self.middle(lambda sample: sample.rate)

    @property
    def spread(self) -> float:
        """The way from the slowest round to the fastest, as a part of the median."""
        rates = [sample.rate for sample in self.samples]
        return (max(rates) - min(rates)) / median(rates)

    @property
    def cpu_each(self) -> float:
        """The median of the server's CPU time for a request, in seconds."""
        return median(used / sample.requests for used, sample in zip(self.cpu, self.samples, strict=True))

    def ratio(self, other: "Taken") -> float:
        """Tell the rate as a part of another's, round by round."""
        pairs = zip(self.samples, other.samples, strict=True)
        return median(mine.rate / theirs.rate for mine, theirs in pairs)


def take_turns(contestants: Sequence[Contestant], rounds: int, what: str) -> dict[str, Taken]:
    """Measure each contestant in each round; tells what was seen by name."""
    taken = {contestant.name: Taken([], []) for contestant in contestants}
    for at in range(rounds):
        for contestant in contestants[:: -1 if at % 2 else 1]:
            used = contestant.cpu_seconds or float
            before = used()
            taken[contestant.name].samples.append(contestant.measure())
            taken[contestant.name].cpu.append(used() - before)
    print(f"measured {what}", file=sys.stderr)
    return taken


def asked(server: Server, workload: Workload, plan: Plan, name: str = "") -> Contestant:
    """Make a contestant of a server that is asked a workload; its name is the target's unless another is given."""
    return Contestant(
        name or server.target.name,
        lambda: wrk(server.url, workload, plan.seconds, plan.loading),
        server.cpu_seconds,
    )
