"""Several processes that share their metrics: each shows the numbers of all."""

import math
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import httpx
import pytest
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


def test_every_series_is_there_from_the_start_and_none_names_a_process(two: tuple[Server, Server]) -> None:
    alone = free_port()
    with serving(METRICS_PORT=str(alone)) as one:
        assert one.port
        expected = {name for name in shown(alone) if name.startswith("catchten")}
    assert set(shown(two[0].port)) == expected


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


def test_the_folder_is_named_while_processes_may_be_started_and_is_gone_afterwards(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(FOLDER, raising=False)
    assert not shares_metrics()
    with share_metrics():
        assert shares_metrics()
    assert not shares_metrics()
