"""Contestants in turn, round by round, each round in the other order, so that a slow moment spoils no ratio."""

import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from statistics import median
from typing import NamedTuple

import msgspec

from tests.programs.bench.load import Sample, wrk
from tests.programs.bench.plan import Plan
from tests.programs.bench.targets import Server
from tests.programs.bench.workloads import Workload


class Contestant(NamedTuple):
    """One that is measured: its name, and what measures it once."""

    name: str
    measure: Callable[[], Sample]


class Taken(NamedTuple):
    """The measurements of a contestant in each round."""

    samples: list[Sample]

    def middle(self, tell: Callable[[Sample], float]) -> float:
        """Return the median over the rounds."""
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
        return self.middle(lambda sample: sample.cpu / sample.requests)

    def ratio(self, other: "Taken") -> float:
        """Return the rate as a part of another's, round by round."""
        pairs = zip(self.samples, other.samples, strict=True)
        return median(mine.rate / theirs.rate for mine, theirs in pairs)

    def cpu_ratio(self, other: "Taken") -> float:
        """Return another's CPU time for a request as a part of this one's, round by round."""
        pairs = zip(self.samples, other.samples, strict=True)
        return median(theirs.cpu / theirs.requests / (mine.cpu / mine.requests) for mine, theirs in pairs)


def side_by_side(contestants: Sequence[Contestant], rounds: int, what: str) -> dict[str, Taken]:
    """Measure all contestants at once in each round, so that a slow moment slows all of them as much."""
    taken = {contestant.name: Taken([]) for contestant in contestants}
    with ThreadPoolExecutor(len(contestants)) as threads:
        for _ in range(rounds):
            begun = {contestant.name: threads.submit(contestant.measure) for contestant in contestants}
            for name, sample in begun.items():
                taken[name].samples.append(sample.result())
    print(f"measured {what}", file=sys.stderr)
    return taken


def take_turns(contestants: Sequence[Contestant], rounds: int, what: str) -> dict[str, Taken]:
    """Measure each contestant in each round; return what was seen by name."""
    taken = {contestant.name: Taken([]) for contestant in contestants}
    for at in range(rounds):
        for contestant in contestants[:: -1 if at % 2 else 1]:
            taken[contestant.name].samples.append(contestant.measure())
    print(f"measured {what}", file=sys.stderr)
    return taken


def asked(server: Server, workload: Workload, plan: Plan, name: str = "") -> Contestant:
    """Make a contestant of a server that is asked a workload; its name is the target's unless another is given."""

    def measure() -> Sample:
        return with_cpu(server, lambda: wrk(server.url, workload, plan.seconds, plan.loading))

    return Contestant(name or server.target.name, measure)


def with_cpu(server: Server, load: Callable[[], Sample]) -> Sample:
    """Load a server, and see how much CPU time it takes."""
    before = server.cpu_seconds()
    sample = load()
    return msgspec.structs.replace(sample, cpu=server.cpu_seconds() - before)
