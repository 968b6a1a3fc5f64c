"""Contestants in turn, round by round, each round in the other order, so that a slow moment spoils no ratio."""

from collections.abc import Callable, Sequence
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
        """The way from the least CPU time of a request to the greatest, as a part of the median."""
        each = [sample.micros for sample in self.samples]
        return (max(each) - min(each)) / median(each)

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


def take_turns(contestants: Sequence[Contestant], rounds: int, taken: dict[str, Taken]) -> None:
    """Measure each contestant in each round; add what was seen to what was taken by name."""
    for at in range(rounds):
        for contestant in contestants[:: -1 if at % 2 else 1]:
            taken.setdefault(contestant.name, Taken([])).samples.append(contestant.measure())


def asked(server: Server, workload: Workload, plan: Plan) -> Contestant:
    """Make a contestant of a server that is asked a workload."""

    def measure() -> Sample:
        return with_cpu(server, lambda: wrk(server.url, workload, plan.seconds, plan.loading))

    return Contestant(server.target.name, measure)


def with_cpu(server: Server, load: Callable[[], Sample]) -> Sample:
    """Load a server, and see how much CPU time it takes."""
    before = server.cpu_seconds()
    sample = load()
    return msgspec.structs.replace(sample, cpu=server.cpu_seconds() - before)
