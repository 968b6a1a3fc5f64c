"""The metrics in the text format of Prometheus: of this process or, where several serve one port, of all of them."""

import asyncio
import gzip
import os
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final, cast

import prometheus_client
from prometheus_client import multiprocess, utils
from prometheus_client.metrics_core import Metric

from service import __version__
from service.metrics import buffered, families
from service.metrics.merging import Merger
from service.metrics.workers import FOLDER

_MULTIPROCESS: Final = cast("Any", multiprocess)
"""The library's module, which has no types."""
_format: Final = cast("Any", utils).floatToGoString
_COMPRESSION: Final = 1
"""The level of gzip: more costs three times as much, and spares a tenth."""
# The framework adds the charset to every text.
MEDIA_TYPE: Final = prometheus_client.CONTENT_TYPE_LATEST.removesuffix("; charset=utf-8")

families.BUILD_INFO.labels(__version__, os.environ.get("COMMIT") or "unknown").set(1)


async def write_metrics(*, compressed: bool = False) -> bytes:
    """Write every metric, in a thread: it takes as long as a hundred questions."""
    buffered.flush()
    return await asyncio.to_thread(_write_all, compressed=compressed)


def _write_all(*, compressed: bool) -> bytes:
    folder = os.environ.get(FOLDER)
    if folder is None:
        text = write(prometheus_client.REGISTRY.collect())
    else:
        forget_dead(Path(folder))
        text = write(_merger(folder).collect())
    return gzip.compress(text, _COMPRESSION) if compressed else text


@cache
def _merger(folder: str) -> Merger:
    return Merger(Path(folder))


def write(metrics: Iterable[Metric]) -> bytes:
    """Write metrics. The library's own function writes the names of all series anew, which takes most of its time."""
    lines: list[str] = []
    for metric in metrics:
        lines.append(_head(metric.name, metric.type, metric.documentation))
        lines += [
            f"{_start(sample.name, tuple(sample.labels.items()))} {_format(sample.value)}\n"
            for sample in metric.samples
        ]
    return "".join(lines).encode()


@cache
def _head(name: str, kind: str, documentation: str) -> str:
    shown = f"{name}_total" if kind == "counter" else name
    text = documentation.replace("\\", r"\\").replace("\n", r"\n")
    return f"# HELP {shown} {text}\n# TYPE {shown} {kind}\n"


@cache
def _start(name: str, labels: tuple[tuple[str, str], ...]) -> str:
    """Return the name of a series with its labels."""
    shown = ",".join(f'{label}="{_escape(value)}"' for label, value in sorted(labels))
    return f"{name}{{{shown}}}" if shown else name


def _escape(value: str) -> str:
    return value.replace("\\", r"\\").replace("\n", r"\n").replace('"', r"\"")


def forget_dead(folder: Path) -> None:
    """Remove the gauges of processes that have ended; their counters and histograms stay."""
    for file in folder.glob("gauge_live*.db"):
        process = int(file.stem.rpartition("_")[2])
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            with suppress(FileNotFoundError):  # another process does the same
                _MULTIPROCESS.mark_process_dead(process, str(folder))
