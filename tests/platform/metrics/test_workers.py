"""Several processes that serve one port: their supervisor shows the numbers of all."""

import math
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final, NamedTuple

import httpx
import pytest
from prometheus_client import ProcessCollector, generate_latest
from prometheus_client.parser import text_string_to_metric_families

from service.platform.metrics.workers import FOLDER, share_metrics, shared_registry
from service.server.server import WORKER_TIMEOUT
from tests.support.http.server import WAIT, Line, Server, head, serving
from tests.support.processes import children
from tests.support.redis_server import free_port

DRAWS: Final = ("catchten_requests_total", {"route": "/v1/draws", "method": "POST", "status": "200"})
IN_FLIGHT: Final[tuple[str, dict[str, str]]] = ("catchten_requests_in_flight", {})
STARTED: Final = "process_start_time_seconds"
NAMES: Final = {"supervisor", "worker-1", "worker-2"}


class Workers(NamedTuple):
    """Two processes that serve one port, and the port of their metrics."""

    server: Server
    metrics_port: int

    def shown(self) -> dict[str, float]:
        """Return the value of every series that is shown."""
        return shown(self.metrics_port)

    def counted(self, name: str, labels: dict[str, str]) -> float:
        """Return the value of a series that is shown."""
        return self.shown().get(name + str(sorted(labels.items())), math.nan)

    def facts(self, name: str) -> dict[str, float]:
        """Return what is shown of each process."""
        families = text_string_to_metric_families(_read(self.metrics_port))
        (family,) = (family for family in families if family.name == name)
        return {sample.labels["process"]: sample.value for sample in family.samples}

    def draw(self, times: int) -> None:
        """Send questions, each on a connection of its own."""
        url = f"http://127.0.0.1:{self.server.port}/v1/draws"
        for _ in range(times):
            assert httpx.post(url, json={"players": 2}, timeout=WAIT).status_code == 200

    def ids(self) -> list[int]:
        """Return the ids of the processes that serve."""
        return [child for child, command in children(self.server.process.pid).items() if "spawn_main" in command]


def _read(port: int) -> str:
    return httpx.get(f"http://127.0.0.1:{port}/metrics", timeout=WAIT).text


def shown(port: int) -> dict[str, float]:
    """Return the value of every series that is shown on a port."""
    return {
        sample.name + str(sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(_read(port))
        for sample in family.samples
    }


def until(condition: Callable[[], bool], seconds: float = WAIT) -> None:
    """Wait until a condition is true."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.1)


@pytest.fixture(scope="module")
def two() -> Iterator[Workers]:
    """Two workers; nobody answers at the address of their store, which questions and metrics do not need."""
    settings = {"WORKERS": "2", "REDIS_URL": f"redis://127.0.0.1:{free_port()}/0", "METRICS_PORT": str(free_port())}
    with serving(**settings) as server:
        yield Workers(server, int(settings["METRICS_PORT"]))


def test_the_sums_of_all_are_shown(two: Workers) -> None:
    timed = {name: label for name, label in DRAWS[1].items() if name != "status"}
    two.draw(20)
    # A request is counted after its answer is read, by one series after the other.
    until(lambda: two.counted(*IN_FLIGHT) == 0 and two.counted(*DRAWS) == 20)
    until(lambda: two.counted("catchten_request_duration_seconds_count", timed) == 20)
    until(lambda: two.counted("catchten_request_bytes_total", {"route": "/v1/draws"}) == 20 * 13)


def test_every_series_of_ours_is_there_from_the_start_and_none_names_a_process(two: Workers) -> None:
    alone = free_port()
    with serving(METRICS_PORT=str(alone)):
        expected = {name for name in shown(alone) if name.startswith("catchten")}
    assert {name for name in two.shown() if name.startswith("catchten")} == expected


def test_memory_time_and_descriptors_of_every_process_are_shown(two: Workers) -> None:
    families = {family.name: family for family in text_string_to_metric_families(_read(two.metrics_port))}
    for family in ProcessCollector(registry=None).collect():
        assert families[family.name].type == family.type
        assert {sample.labels["process"] for sample in families[family.name].samples} == NAMES


def test_what_a_process_counted_outlives_it_and_another_takes_its_name_but_not_what_it_showed(two: Workers) -> None:
    begun = head("/v1/draws", ("content-length", "9"))
    with ExitStack() as stack:
        for line in [stack.enter_context(Line(two.server.port)) for _ in range(20)]:
            line.send(begun)
        until(lambda: two.counted(*IN_FLIGHT) == 20)
        counted, started = two.counted(*DRAWS), two.facts(STARTED)
        os.kill(two.ids()[0], signal.SIGKILL)
        until(lambda: (now := two.facts(STARTED)).keys() == NAMES and now != started)
    after = two.facts(STARTED)
    assert sum(after[name] != started[name] for name in NAMES) == 1
    assert two.counted(*DRAWS) == counted
    until(lambda: two.counted(*IN_FLIGHT) == 0)


def test_a_worker_that_is_killed_while_it_is_asked_for_its_health_is_replaced_at_once(two: Workers) -> None:
    started = two.facts(STARTED)
    worker = two.ids()[0]
    os.kill(worker, signal.SIGSTOP)
    time.sleep(1.5)  # the supervisor asks twice a second
    os.kill(worker, signal.SIGKILL)
    until(lambda: (now := two.facts(STARTED)).keys() == NAMES and now != started, WORKER_TIMEOUT / 2)


def test_a_file_that_a_process_has_only_begun_to_make_is_passed_over() -> None:
    with share_metrics():
        Path(os.environ[FOLDER], "counter_1.db").touch()
        assert generate_latest(shared_registry(dict)) == b""
