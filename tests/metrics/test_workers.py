"""Several processes that share their metrics: each shows the numbers of all."""

import math
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import httpx
import pytest
from prometheus_client import ProcessCollector
from prometheus_client.parser import text_string_to_metric_families

from service.metrics.workers import FOLDER, share_metrics, shares_metrics
from tests.support.http.server import WAIT, Server, serving
from tests.support.redis_server import free_port

DRAWS: Final = ("catchten_requests_total", {"route": "/v1/draws", "method": "POST", "status": "200"})


def shown(port: int) -> dict[str, float]:
    """Return the value of every series that a process shows."""
    return {
        sample.name + str(sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(httpx.get(_url(port, "/metrics"), timeout=WAIT).text)
        for sample in family.samples
    }


def _url(port: int, path: str) -> str:
    return f"http://127.0.0.1:{port}{path}"


def counted(port: int, name: str, labels: dict[str, str]) -> float:
    """Return the value of a series that a process shows."""
    return shown(port).get(name + str(sorted(labels.items())), math.nan)


def draw(port: int, times: int) -> None:
    """Send questions, each on a connection of its own."""
    for _ in range(times):
        assert httpx.post(_url(port, "/v1/draws"), json={"players": 2}, timeout=WAIT).status_code == 200


def until(condition: Callable[[], bool]) -> None:
    """Wait until a condition is true."""
    end = time.monotonic() + WAIT
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.1)


@pytest.fixture
def two(tmp_path: Path) -> Iterator[tuple[Server, Server]]:
    """Two processes that share their metrics, each on a port of its own."""
    settings = {FOLDER: str(tmp_path)}
    with serving(**settings) as one, serving(**settings) as other:
        yield one, other


def test_each_process_shows_the_sum_of_all(two: tuple[Server, Server]) -> None:
    one, other = two
    draw(one.port, 3)
    draw(other.port, 2)
    for server in two:
        until(lambda port=server.port: counted(port, *DRAWS) == 5)  # type: ignore[misc]
        assert counted(server.port, "catchten_request_duration_seconds_count", _timed()) == 5
        assert counted(server.port, "catchten_request_size_bytes_sum", {"route": "/v1/draws"}) == 5 * 13
        # The request for the metrics itself; of another process it may be shown for a second after its end.
        until(lambda port=server.port: counted(port, "catchten_requests_in_flight", {}) == 1)  # type: ignore[misc]
        assert counted(server.port, "catchten_ready", {}) == 1


def _timed() -> dict[str, str]:
    return {name: label for name, label in DRAWS[1].items() if name != "status"}


def test_every_series_of_ours_is_there_from_the_start_and_none_names_a_process(two: tuple[Server, Server]) -> None:
    alone = free_port()
    with serving(METRICS_PORT=str(alone)) as one:
        assert one.port
        expected = {name for name in shown(alone) if name.startswith("catchten")}
    assert {name for name in shown(two[0].port) if name.startswith("catchten")} == expected


def test_what_a_process_counted_outlives_it_but_not_what_it_showed_of_its_present(two: tuple[Server, Server]) -> None:
    one, other = two
    draw(other.port, 4)
    until(lambda: counted(one.port, *DRAWS) == 4)
    other.process.kill()
    other.process.wait(WAIT)
    assert counted(one.port, *DRAWS) == 4
    until(lambda: counted(one.port, "catchten_requests_in_flight", {}) == 1)


@pytest.mark.parametrize("port_of_its_own", [False, True])
def test_workers_share_their_metrics(port_of_its_own: bool) -> None:
    asked = {"METRICS_PORT": str(free_port())} if port_of_its_own else {}
    # Nobody answers at the address of the store: questions and metrics do not need it.
    with serving(WORKERS="2", REDIS_URL=f"redis://127.0.0.1:{free_port()}/0", **asked) as server:
        draw(server.port, 20)
        until(lambda: counted(int(asked.get("METRICS_PORT", server.port)), *DRAWS) == 20)


def facts(port: int, name: str) -> dict[str, float]:
    """Return what is shown of each process."""
    text = httpx.get(_url(port, "/metrics"), timeout=WAIT).text
    (family,) = (family for family in text_string_to_metric_families(text) if family.name == name)
    return {sample.labels["process"]: sample.value for sample in family.samples}


def test_memory_time_and_descriptors_of_every_process_are_shown(two: tuple[Server, Server]) -> None:
    of_the_library = {family.name: family.type for family in ProcessCollector(registry=None).collect()}
    for server in two:
        text = httpx.get(_url(server.port, "/metrics"), timeout=WAIT).text
        families = {family.name: family for family in text_string_to_metric_families(text)}
        for name, kind in of_the_library.items():
            assert families[name].type == kind
            assert {sample.labels["process"] for sample in families[name].samples} == {"worker-1", "worker-2"}
    memory = facts(two[0].port, "process_resident_memory_bytes")
    for number, server in enumerate(two, 1):
        status = Path(f"/proc/{server.process.pid}/status").read_text(encoding="ascii")
        now = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")) * 1024
        assert memory[f"worker-{number}"] == pytest.approx(now, rel=0.1)


def test_a_process_that_replaces_another_goes_on_with_its_series(tmp_path: Path) -> None:
    settings = {FOLDER: str(tmp_path)}
    with serving(**settings) as first, serving(**settings) as second:
        before = facts(second.port, "process_start_time_seconds")
        assert list(before) == ["worker-1", "worker-2"]
        first.process.kill()
        first.process.wait(WAIT)
        assert list(facts(second.port, "process_start_time_seconds")) == ["worker-2"]
        with serving(**settings):
            after = facts(second.port, "process_start_time_seconds")
    assert after["worker-1"] > before["worker-1"]
    assert after["worker-2"] == before["worker-2"]


def test_the_process_that_starts_the_workers_is_shown_as_well() -> None:
    with serving(WORKERS="2", REDIS_URL=f"redis://127.0.0.1:{free_port()}/0") as server:
        assert set(facts(server.port, "process_open_fds")) == {"supervisor", "worker-1", "worker-2"}


def test_the_folder_is_named_while_processes_may_be_started_and_is_gone_afterwards(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(FOLDER, raising=False)
    assert not shares_metrics()
    with share_metrics():
        assert shares_metrics()
    assert not shares_metrics()
