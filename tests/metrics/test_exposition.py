"""What is shown is what prometheus-client would show, in less time, and compressed for those who ask for that."""

import gzip
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import prometheus_client
import pytest
from prometheus_client import CollectorRegistry, multiprocess
from prometheus_client.parser import text_string_to_metric_families

from service.metrics.exposition import write
from service.metrics.merging import Merger
from service.metrics.workers import FOLDER
from tests.support.http.client import Request, ask, the_app
from tests.support.http.server import WAIT

AWKWARD: Final = 'a "quoted"\\ \n text'
COUNTING: Final = """
import json, sys, prometheus_client as p
add, calls = int(sys.argv[1]), sys.argv[2]
p.Counter("plain", "Counts.").inc(add)
counter = p.Counter("labeled", "Counts\\n by \\\\ label.", ["kind", "why"])
counter.labels("a", json.loads(calls)).inc(add)
counter.labels(f"only{add}", "x").inc(0.5)
histogram = p.Histogram("seconds", "Takes time.", ["kind"], buckets=(0.1, 2.5, 10))
for amount in (0.05, 1, 2.5, 9, 11 * add):
    histogram.labels("a").observe(amount)
p.Histogram("bare", "Without labels.", buckets=(1,)).observe(add)
for mode in ("livesum", "livemax", "livemostrecent"):
    p.Gauge(f"gauge_{mode}", "Shows.", multiprocess_mode=mode).set(add)
"""


def count(folder: Path, add: int) -> None:
    """Count in a process of its own, whose files stay."""
    command = [sys.executable, "-c", COUNTING, str(add), json.dumps(AWKWARD)]
    subprocess.run(command, env={**os.environ, FOLDER: str(folder)}, timeout=WAIT, check=True)


def read(text: bytes) -> dict[str, tuple[str, str, set[tuple[str, str, str]]]]:
    """Return the families of a text: their type, their meaning and their samples."""
    return {
        family.name: (
            family.type,
            family.documentation,
            {(sample.name, str(sorted(sample.labels.items())), str(sample.value)) for sample in family.samples},
        )
        for family in text_string_to_metric_families(text.decode())
    }


def merged_by_the_library(folder: Path) -> bytes:
    registry = CollectorRegistry()
    library: Any = multiprocess
    library.MultiProcessCollector(registry, str(folder))
    return prometheus_client.generate_latest(registry)


def test_the_sums_of_processes_are_those_of_the_library_also_after_there_are_more(tmp_path: Path) -> None:
    merger = Merger(tmp_path)
    assert write(merger.collect()) == b""
    for add in (1, 2):
        count(tmp_path, add)
        assert read(write(merger.collect())) == read(merged_by_the_library(tmp_path))
    count(tmp_path, 3)
    shown = read(write(merger.collect()))
    assert shown == read(merged_by_the_library(tmp_path))
    assert len(shown) == 7
    assert ("seconds_count", "[('kind', 'a')]", "15.0") in shown["seconds"][2]
    assert ("labeled_total", str(sorted({"kind": "a", "why": AWKWARD}.items())), "6.0") in shown["labeled"][2]


def test_a_file_without_numbers_is_that_of_a_process_that_begins(tmp_path: Path) -> None:
    count(tmp_path, 1)
    before = write(Merger(tmp_path).collect())
    (tmp_path / "counter_1.db").touch()
    (tmp_path / "histogram_1.db").write_bytes(bytes(64))
    assert write(Merger(tmp_path).collect()) == before


def test_the_metrics_of_one_process_are_written_as_by_the_library() -> None:
    the_app()
    registry = CollectorRegistry()
    prometheus_client.Gauge("nothing", "Not known.", registry=registry).set(float("nan"))
    families = [family for family in prometheus_client.REGISTRY.collect() if family.name.startswith("catchten")]
    ours, theirs = (read(text) for text in (write(families), prometheus_client.generate_latest(_Fixed(families))))
    assert ours == theirs
    assert b"nothing NaN\n" in write(registry.collect())


class _Fixed(CollectorRegistry):
    """A registry of families that are collected already."""

    def __init__(self, families: list[Any]) -> None:
        super().__init__()
        self._families = families

    def collect(self) -> list[Any]:
        return self._families


def least(work: Callable[[], object]) -> float:
    """Return the least CPU time of a few runs."""
    times: list[float] = []
    for _ in range(5):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def test_a_scrape_of_one_process_takes_less_than_the_librarys() -> None:
    the_app()
    registry = prometheus_client.REGISTRY
    ours = least(lambda: write(registry.collect()))
    assert ours < 0.8 * least(lambda: prometheus_client.generate_latest(registry))


MANY: Final = """
from service.app import create_app
from service.settings import Settings
create_app(Settings())
"""


def test_a_scrape_of_several_processes_takes_less_than_half_of_the_librarys(tmp_path: Path) -> None:
    for _ in range(2):
        environment = {**os.environ, FOLDER: str(tmp_path)}
        subprocess.run([sys.executable, "-c", MANY], env=environment, timeout=WAIT, check=True)
    merger = Merger(tmp_path)
    assert least(lambda: write(merger.collect())) < 0.5 * least(lambda: merged_by_the_library(tmp_path))


@pytest.mark.parametrize("accepted", ["gzip", "deflate, GZIP;q=0.5", "identity, gzip"])
def test_a_scrape_is_compressed_for_who_accepts_that(accepted: str) -> None:
    answer = ask(Request("/metrics", method="GET", headers=(("accept-encoding", accepted),)))
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["vary"] == "accept-encoding"
    text = gzip.decompress(answer.body)
    assert text.startswith(b"# HELP ")
    assert len(answer.body) < len(text) / 10


@pytest.mark.parametrize("accepted", [None, "", "identity", "gzip;q=0", "br"])
def test_and_for_nobody_else(accepted: str | None) -> None:
    headers = () if accepted is None else (("accept-encoding", accepted),)
    answer = ask(Request("/metrics", method="GET", headers=headers))
    assert "content-encoding" not in answer.headers
    assert answer.headers["vary"] == "accept-encoding"
    assert answer.body.startswith(b"# HELP ")
