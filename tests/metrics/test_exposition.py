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

from service.metrics import buffered, text
from service.metrics.exposition import write_all
from service.metrics.merging import Merger
from service.metrics.workers import FOLDER
from tests.support.http.client import Request, ask, the_app
from tests.support.http.server import ROOT, WAIT, environment

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


def read(written: str) -> dict[str, tuple[str, str, set[tuple[str, str, str]]]]:
    """Return the families of a text: their type, their meaning and their samples."""
    return {
        family.name: (
            family.type,
            family.documentation,
            {(sample.name, str(sorted(sample.labels.items())), str(sample.value)) for sample in family.samples},
        )
        for family in text_string_to_metric_families(written)
    }


def merged_by_the_library(folder: Path) -> str:
    registry = CollectorRegistry()
    library: Any = multiprocess
    library.MultiProcessCollector(registry, str(folder))
    return prometheus_client.generate_latest(registry).decode()


def test_the_sums_of_processes_are_those_of_the_library_also_after_there_are_more(tmp_path: Path) -> None:
    merger = Merger(tmp_path)
    assert merger.write() == ""
    for add in (1, 2):
        count(tmp_path, add)
        assert read(merger.write()) == read(merged_by_the_library(tmp_path))
    count(tmp_path, 3)
    shown = read(merger.write())
    assert shown == read(merged_by_the_library(tmp_path))
    assert len(shown) == 7
    assert ("seconds_count", "[('kind', 'a')]", "15.0") in shown["seconds"][2]
    assert ("labeled_total", str(sorted({"kind": "a", "why": AWKWARD}.items())), "6.0") in shown["labeled"][2]


def test_a_file_without_numbers_is_that_of_a_process_that_begins(tmp_path: Path) -> None:
    count(tmp_path, 1)
    before = Merger(tmp_path).write()
    (tmp_path / "counter_1.db").touch()
    (tmp_path / "histogram_1.db").write_bytes(bytes(64))
    assert Merger(tmp_path).write() == before


def test_the_metrics_of_one_process_are_written_as_by_the_library() -> None:
    the_app()
    buffered.flush()
    ours, theirs = (read(written) for written in (write_all().decode(), written_by_the_library()))
    assert ours.keys() == theirs.keys()
    for name in ours:
        if name.startswith("catchten"):
            assert ours[name] == theirs[name]


def written_by_the_library() -> str:
    return prometheus_client.generate_latest(prometheus_client.REGISTRY).decode()


def test_a_number_that_is_none_is_written_as_by_the_library() -> None:
    registry = CollectorRegistry()
    prometheus_client.Gauge("nothing", AWKWARD, registry=registry).set(float("nan"))
    assert text.write(registry.collect()) == prometheus_client.generate_latest(registry).decode()


def test_a_series_is_written_anew_once_it_has_changed_and_only_then() -> None:
    counter = buffered.Counter("changing", "Counts.", ["why"], registry=None)
    histogram = buffered.Histogram("lasting", "Takes time.", buckets=(1, 2), registry=None)
    assert counter.write() == "# HELP changing_total Counts.\n# TYPE changing_total counter\n"
    counter.labels(AWKWARD).count()
    histogram.note(1.5)
    for metric in (counter.labels(AWKWARD), histogram):
        before = metric.write_series()
        metric.flush()
        assert metric.write_series() != before
        assert metric.write_series() is metric.write_series()
    assert histogram.write().splitlines()[2:] == [
        'lasting_bucket{le="1.0"} 0.0',
        'lasting_bucket{le="2.0"} 1.0',
        'lasting_bucket{le="+Inf"} 1.0',
        "lasting_count 1.0",
        "lasting_sum 1.5",
    ]


STARTED: Final = """
import asyncio
from service.metrics import text
from service.metrics.exposition import write_metrics
from service.runtime import worker
worker.SignalHandler.install = lambda *_, **__: None  # there is no server to stop
async def start():
    worker.make_app()
    before = text._write_name.cache_info()
    assert (await write_metrics()).count(b"\\n") > 1000
    print(before.misses, text._write_name.cache_info().misses)
asyncio.run(start())
"""


@pytest.mark.parametrize("shared", [False, True])
def test_a_process_names_its_series_before_it_serves_so_that_its_first_scrape_is_as_light_as_the_next(
    tmp_path: Path, shared: bool
) -> None:
    settings = {FOLDER: str(tmp_path)} if shared else {}
    process = subprocess.run(
        [sys.executable, "-c", STARTED],
        env=environment(settings),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        timeout=WAIT,
        check=True,
    )
    before, after = map(int, process.stdout.split()[-2:])
    assert before == after > 1000


def least(work: Callable[[], object]) -> float:
    """Return the least CPU time of a few runs."""
    times: list[float] = []
    for _ in range(5):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def test_a_scrape_of_one_process_takes_less_than_a_third_of_the_librarys() -> None:
    the_app()
    assert least(write_all) < 0.3 * least(written_by_the_library)


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
    assert least(merger.write) < 0.5 * least(lambda: merged_by_the_library(tmp_path))


@pytest.mark.parametrize("accepted", ["gzip", "deflate, GZIP;q=0.5", "identity, gzip"])
def test_a_scrape_is_compressed_for_who_accepts_that(accepted: str) -> None:
    answer = ask(Request("/metrics", method="GET", headers=(("accept-encoding", accepted),)))
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["vary"] == "accept-encoding"
    written = gzip.decompress(answer.body)
    assert written.startswith(b"# HELP ")
    assert len(answer.body) < len(written) / 10


@pytest.mark.parametrize("accepted", [None, "", "identity", "gzip;q=0", "br"])
def test_and_for_nobody_else(accepted: str | None) -> None:
    headers = () if accepted is None else (("accept-encoding", accepted),)
    answer = ask(Request("/metrics", method="GET", headers=headers))
    assert "content-encoding" not in answer.headers
    assert answer.headers["vary"] == "accept-encoding"
    assert answer.body.startswith(b"# HELP ")
