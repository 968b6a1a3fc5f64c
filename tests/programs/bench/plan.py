"""The plan: what is measured, for how long, and on which cores."""

from typing import NamedTuple

from tests.programs.bench.workloads import Workload


class Plan(NamedTuple):
    """The plan of a measurement.

    Unit: `seconds` that each contestant is asked in a round; `serving` and `loading` are numbers of cores; `streams`
    open at once.
    """

    workloads: tuple[Workload, ...]
    seconds: int
    rounds: int
    serving: int
    loading: int
    streams: int

    def named(self, *names: str) -> list[Workload]:
        """Return those of the workloads that are asked for, in this order."""
        return [workload for name in names for workload in self.workloads if workload.name == name]
