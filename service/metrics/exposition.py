"""The metrics as they are shown: of this process or, where several serve one port, of all of them."""

import asyncio
import gzip
import os
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final, cast

from prometheus_client import GC_COLLECTOR, PLATFORM_COLLECTOR, PROCESS_COLLECTOR, multiprocess

from service import __version__
from service.metrics import buffered, families
from service.metrics.merging import Merger
from service.metrics.processes import collect_processes
from service.metrics.text import write
from service.metrics.workers import FOLDER

_MULTIPROCESS: Final = cast("Any", multiprocess)
"""The library's module, which has no types."""
_COLLECTORS: Final = (PROCESS_COLLECTOR, PLATFORM_COLLECTOR, GC_COLLECTOR)
"""What the library itself shows of a process."""
_COMPRESSION: Final = 1
"""The level of gzip: more costs three times as much, and spares a tenth."""

families.BUILD_INFO.labels(__version__, os.environ.get("COMMIT") or "unknown").set(1)


async def write_metrics(*, compressed: bool = False) -> bytes:
    """Write every metric, in a thread: that may take as long as some dozens of questions."""
    buffered.flush()
    return await asyncio.to_thread(write_all, compressed=compressed)


def write_all(*, compressed: bool = False) -> bytes:
    """Write every metric as it was flushed last.

    The first time it lays out the names of all series, which takes several times as long.
    """
    folder = os.environ.get(FOLDER)
    if folder is None:
        text = _write_own()
    else:
        forget_dead(Path(folder))
        text = _merger(folder).write() + write(collect_processes(Path(folder)))
    return gzip.compress(text.encode(), _COMPRESSION) if compressed else text.encode()


def _write_own() -> str:
    """Write the metrics of this process."""
    parts = [
        family.write() if isinstance(family, buffered.Written) else write(family.collect())
        for family in families.list_families()
    ]
    return "".join(parts) + write(metric for collector in _COLLECTORS for metric in collector.collect())


@cache
def _merger(folder: str) -> Merger:
    return Merger(Path(folder))


def forget_dead(folder: Path) -> None:
    """Remove the gauges of processes that have ended; their counters and histograms stay."""
    for file in folder.glob("gauge_live*.db"):
        process = int(file.stem.rpartition("_")[2])
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            with suppress(FileNotFoundError):  # another process does the same
                _MULTIPROCESS.mark_process_dead(process, str(folder))
