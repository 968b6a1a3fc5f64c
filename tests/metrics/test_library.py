"""Private parts of prometheus-client that the metrics use are as they expect them to be.

When one of these fails after an upgrade, look at the file that its message names; then raise the bound in
pyproject.toml.
"""

import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import prometheus_client
import pytest
from prometheus_client import CollectorRegistry, multiprocess

from service.metrics.workers import FOLDER
from tests.support.http.server import WAIT

BUFFERED: Final = "service/metrics/buffered.py counts in numbers of its own and passes them on by this"
WORKERS: Final = "service/metrics/exposition.py finds the files of ended processes by this"
WRITTEN: Final = "service/metrics/buffered.py writes what is shown by this"
TABLE: Final = "service/metrics/table.py reads the names of labels from this"
LIBRARY: Final[Any] = prometheus_client
"""The library without its types, which name none of these parts."""


@pytest.mark.parametrize("kind", ["Counter", "Gauge", "Histogram"])
def test_a_metric_begins_each_of_its_series_by_one_method(kind: str) -> None:
    begun: list[tuple[str, ...]] = []

    class Noted(getattr(LIBRARY, kind)):  # type: ignore[misc]
        def _metric_init(self) -> None:
            super()._metric_init()
            begun.append(self._labelvalues)

    Noted("bare", "help", registry=None)
    labeled = Noted("labeled", "help", ["route"], registry=None)
    labeled.labels("a")
    labeled.labels("a")
    labeled.labels("b")
    assert begun == [(), ("a",), ("b",)], BUFFERED


def test_a_histogram_has_one_value_for_each_bound_and_one_for_the_sum() -> None:
    histogram: Any = LIBRARY.Histogram("seconds", "help", buckets=(1, 2), registry=None)
    assert histogram._upper_bounds == [1, 2, math.inf], BUFFERED
    assert len(histogram._buckets) == 3, BUFFERED
    histogram._buckets[1].inc(5)
    histogram._sum.inc(7)
    (family,) = histogram.collect()
    shown = {sample.labels.get("le", sample.name): sample.value for sample in family.samples}
    assert shown == {"1.0": 0, "2.0": 5, "+Inf": 5, "seconds_count": 5, "seconds_sum": 7}, BUFFERED


def test_a_metric_knows_the_names_of_its_labels() -> None:
    labeled = prometheus_client.Counter("labeled", "help", ["route", "method"], registry=None)
    assert vars(labeled)["_labelnames"] == ("route", "method"), TABLE


def test_a_metric_knows_its_series_and_each_of_them_its_labels_and_samples() -> None:
    labeled: Any = prometheus_client.Counter("labeled", "help", ["route"], registry=None)
    assert vars(labeled)["_metrics"] == {}, WRITTEN
    one = labeled.labels("a")
    assert vars(labeled)["_metrics"] == {("a",): one}, WRITTEN
    assert [vars(one)[name] for name in ("_name", "_labelnames", "_labelvalues")] == ["labeled", ("route",), ("a",)]
    assert [(sample.name, sample.labels, sample.value) for sample in one._child_samples()] == [("_total", {}, 0)]
    assert "_metrics" not in vars(prometheus_client.Counter("bare", "help", registry=None)), WRITTEN


GAUGES: Final = """
import os, prometheus_client
for mode in ("livesum", "livemax", "livemostrecent"):
    prometheus_client.Gauge(mode, "help", multiprocess_mode=mode).set(1)
prometheus_client.Counter("counter", "help").inc()
print(os.getpid())
"""


def test_files_of_a_process_are_named_after_it_and_those_of_live_gauges_go_with_it(tmp_path: Path) -> None:
    command, environment = [sys.executable, "-c", GAUGES], {**os.environ, FOLDER: str(tmp_path)}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=WAIT, check=True)
    process = int(ended.stdout)
    gauges = {f"gauge_{mode}_{process}.db" for mode in ("livesum", "livemax", "livemostrecent")}
    counter = f"counter_{process}.db"
    assert {file.name for file in tmp_path.iterdir()} == {*gauges, counter}, WORKERS
    library: Any = multiprocess
    library.mark_process_dead(process, str(tmp_path))
    assert [file.name for file in tmp_path.iterdir()] == [counter], WORKERS
    registry = CollectorRegistry()
    library.MultiProcessCollector(registry, str(tmp_path))
    assert registry.get_sample_value("counter_total") == 1, WORKERS
