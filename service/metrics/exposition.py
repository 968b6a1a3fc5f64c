"""The metrics in the text format of Prometheus: of this process or, where several serve one port, of all of them."""

import asyncio
import os
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, cast

import prometheus_client
from prometheus_client import multiprocess

from service import __version__
from service.metrics import buffered, families
from service.metrics.workers import FOLDER

_MULTIPROCESS: Final = cast("Any", multiprocess)
"""The library's module, which has no types."""
# The framework adds the charset to every text.
MEDIA_TYPE: Final = prometheus_client.CONTENT_TYPE_LATEST.removesuffix("; charset=utf-8")

families.BUILD_INFO.labels(__version__, os.environ.get("COMMIT") or "unknown").set(1)


async def write_metrics() -> bytes:
    """Write every metric, in a thread: it takes as long as a thousand questions."""
    buffered.flush()
    return await asyncio.to_thread(_write)


def _write() -> bytes:
    folder = os.environ.get(FOLDER)
    if folder is None:
        return prometheus_client.generate_latest()
    forget_dead(Path(folder))
    registry = prometheus_client.CollectorRegistry()
    _MULTIPROCESS.MultiProcessCollector(registry, folder)
    return prometheus_client.generate_latest(registry)


def forget_dead(folder: Path) -> None:
    """Remove the gauges of processes that have ended; their counters and histograms stay."""
    for file in folder.glob("gauge_live*.db"):
        process = int(file.stem.rpartition("_")[2])
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            with suppress(FileNotFoundError):  # another process does the same
                _MULTIPROCESS.mark_process_dead(process, str(folder))
