"""Metrics of several processes that serve one port: each writes its numbers to files, and their supervisor reads them.

prometheus-client looks for the folder of these files when it is imported. It must therefore be named in the environment
before the processes start, and each must start as a new Python, not as a fork of this one.
"""

import os
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, cast

from prometheus_client import CollectorRegistry, ProcessCollector, multiprocess
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable in which prometheus-client looks for the folder."""
_LIBRARY: Final = cast("Any", multiprocess)
"""The library's module, which has no types."""


@contextmanager
def share_metrics() -> Generator[None]:
    """Make processes that are started meanwhile share their metrics, and remove the files at the end."""
    with TemporaryDirectory(prefix="catchten-metrics-") as folder:
        os.environ[FOLDER] = folder
        try:
            yield
        finally:
            del os.environ[FOLDER]


def shared_registry(list_processes: Callable[[], Mapping[str, int]]) -> CollectorRegistry:
    """Return a registry of the sums over all processes, and of each process by its name, whose id is listed."""
    registry = CollectorRegistry()
    registry.register(_SharedCollector())
    registry.register(_ProcessesCollector(list_processes))
    return registry


def forget_process(process: int) -> None:
    """Remove the gauges of a process that has ended; what it counted stays."""
    _LIBRARY.mark_process_dead(process)


class _SharedCollector(Collector):
    """The sums over all processes, by the library's own merging."""

    def collect(self) -> Iterable[Metric]:
        """Return the metrics of every file in the folder that has been begun.

        A process that starts makes a file and then gives it a size; the library fails at one that has none yet.
        """
        files = [str(file) for file in Path(os.environ[FOLDER]).glob("*.db") if _is_begun(file)]
        merged: Iterable[Metric] = _LIBRARY.MultiProcessCollector.merge(files)
        return merged


def _is_begun(file: Path) -> bool:
    try:
        return file.stat().st_size > 0
    except FileNotFoundError:  # the gauges of a process that has ended since
        return False


class _ProcessesCollector(Collector):
    """The `process_*` metrics of several processes, with the label `process`."""

    def __init__(self, list_processes: Callable[[], Mapping[str, int]]) -> None:
        self._list_processes = list_processes

    def collect(self) -> Iterable[Metric]:
        """Return the metrics of each process that is listed."""
        shown: dict[str, Metric] = {}
        for name, process in self._list_processes().items():
            for metric in ProcessCollector(pid=partial(int, process), registry=None).collect():
                family = shown.setdefault(metric.name, Metric(metric.name, metric.documentation, metric.type))
                for sample in metric.samples:
                    family.add_sample(sample.name, {"process": name}, sample.value)
        return shown.values()
