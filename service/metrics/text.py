"""The text format of Prometheus. The library writes the names of all series anew each time, which takes it longest."""

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import Any, Final, cast

import prometheus_client
from prometheus_client import utils
from prometheus_client.metrics_core import Metric

# The framework adds the charset to every text.
MEDIA_TYPE: Final = prometheus_client.CONTENT_TYPE_LATEST.removesuffix("; charset=utf-8")
_LIBRARY: Final = cast("Any", utils)
"""The library's module, which has no types."""


def write(metrics: Iterable[Metric]) -> str:
    """Write metrics with their samples."""
    lines: list[str] = []
    for metric in metrics:
        lines.append(write_head(metric.name, metric.type, metric.documentation))
        lines += [
            f"{_write_name(sample.name, tuple(sample.labels.items()))} {format_value(sample.value)}\n"
            for sample in metric.samples
        ]
    return "".join(lines)


@cache
def write_head(name: str, kind: str, documentation: str) -> str:
    """Write the lines before the samples of a metric."""
    shown = f"{name}_total" if kind == "counter" else name
    text = documentation.replace("\\", r"\\").replace("\n", r"\n")
    return f"# HELP {shown} {text}\n# TYPE {shown} {kind}\n"


def write_name(name: str, labels: Mapping[str, str]) -> str:
    """Write the name of a series with its labels."""
    return _write_name(name, tuple(labels.items()))


@cache
def _write_name(name: str, labels: tuple[tuple[str, str], ...]) -> str:
    shown = ",".join(f'{label}="{_escape(value)}"' for label, value in sorted(labels))
    return f"{name}{{{shown}}}" if shown else name


def _escape(value: str) -> str:
    return value.replace("\\", r"\\").replace("\n", r"\n").replace('"', r"\"")


@lru_cache(maxsize=8192)
def format_value(value: float) -> str:
    """Write a number; most are those of the scrape before, and most of these 0."""
    text: str = _LIBRARY.floatToGoString(value)
    return text
