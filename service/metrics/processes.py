"""The memory, CPU time and descriptors of each of the processes that serve one port.

Each takes the lowest free number, so that one that takes the place of another goes on with its series. Whichever is
asked reads the facts of all from /proc, by the collector with which the library shows those of a single process.
"""

import fcntl
import os
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import count
from multiprocessing import parent_process
from pathlib import Path
from typing import Final, TextIO

from prometheus_client import ProcessCollector
from prometheus_client.metrics_core import Metric

_LABEL: Final = "process"
_SUPERVISOR: Final = "supervisor"
"""The process that starts the others, and serves nothing."""


def take_number(folder: Path) -> TextIO:
    """Take the lowest number that no other process has; return the file whose lock holds it until it is closed."""
    for number in count(1):
        file = (folder / f"worker-{number}.pid").open("a", encoding="ascii")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            continue
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        return file
    raise AssertionError


def collect_processes(folder: Path) -> Iterable[Metric]:
    """Return the `process_*` metrics of every process, each under its name."""
    metrics: dict[str, Metric] = {}
    for name, process in _list_processes(folder):
        for metric in _collector(process).collect():
            shown = metrics.setdefault(metric.name, Metric(metric.name, metric.documentation, metric.type))
            for sample in metric.samples:
                shown.add_sample(sample.name, {_LABEL: name}, sample.value)
    return metrics.values()


def _list_processes(folder: Path) -> Iterator[tuple[str, int]]:
    parent = parent_process()
    if parent is not None and parent.pid is not None:
        yield _SUPERVISOR, parent.pid
    for file in sorted(folder.glob("worker-*.pid")):
        process = file.read_text(encoding="ascii")
        if process:  # it may have only just been made
            yield file.stem, int(process)


@lru_cache(maxsize=128)
def _collector(process: int) -> ProcessCollector:
    return ProcessCollector(pid=lambda: process, registry=None)
