"""What is measured: the applications, and which of them stand side by side."""

import subprocess
import sys
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager, suppress
from http.client import HTTPConnection
from os import environ, sysconf
from pathlib import Path
from socket import create_connection, create_server
from tempfile import TemporaryFile
from time import monotonic, sleep
from typing import IO, Final, NamedTuple, TypeAlias

import msgspec

from tests.bench.load import Sample, wrk
from tests.bench.workloads import Workload

ROOT: Final = Path(__file__).parents[2]
_HOST: Final = "127.0.0.1"
_START_WITHIN: Final = 30.0
"""Seconds."""

Load: TypeAlias = Callable[[str, Workload, int, int], Sample]
"""From the URL, the workload, the seconds and the core of the load, what was seen."""


class Target(NamedTuple):
    """An application: the command that serves it at HOST and PORT of its environment, and what loads it."""

    name: str
    command: tuple[str, ...]
    load: Load = wrk


class Comparison(NamedTuple):
    """Targets side by side, the last one the measure of the others; `workloads` None asks all of them."""

    title: str
    targets: tuple[Target, ...]
    workloads: frozenset[str] | None = None


_OWN: Final = (sys.executable, "-m", "tests.bench.server")
SERVICE: Final = Target("service", (sys.executable, "-m", "service", "serve"))
LOGGED: Final = Target("with a log of requests", ("env", "LOG_LEVEL=info", *SERVICE.command))
FLOOR: Final = Target("floor", (*_OWN, "floor"))
UNMEASURED: Final = Target("without metrics", (*_OWN, "unmeasured"))

COMPARISONS: Final = (
    Comparison("The service beside the floor", (SERVICE, FLOOR)),
    Comparison("What metrics cost", (SERVICE, UNMEASURED), frozenset({"legal_moves"})),
    Comparison("What the log of requests costs", (LOGGED, SERVICE), frozenset({"legal_moves"})),
)


class Server(NamedTuple):
    """A target that serves: where, and as which process."""

    target: Target
    url: str
    process: int

    def cpu_seconds(self) -> float:
        """Tell the CPU time that the process has used so far."""
        after_name = Path(f"/proc/{self.process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(after_name[11]) + int(after_name[12])) / sysconf("SC_CLK_TCK")


@contextmanager
def started(targets: tuple[Target, ...], core: int) -> Generator[list[Server]]:
    """Serve targets from one core, and stop them all in the end."""
    with ExitStack() as stack:
        yield [stack.enter_context(_started(target, core)) for target in targets]


@contextmanager
def _started(target: Target, core: int) -> Generator[Server]:
    with create_server((_HOST, 0)) as free:
        port = free.getsockname()[1]
    settings = {"PATH": environ["PATH"], "HOST": _HOST, "PORT": str(port), "LOG_LEVEL": "warning"}
    command = ["taskset", "-c", str(core), *target.command]
    with TemporaryFile() as log, subprocess.Popen(command, cwd=ROOT, env=settings, stdout=log, stderr=log) as server:
        try:
            _wait_for(target, server, port, log)
            yield Server(target, f"http://{_HOST}:{port}", server.pid)
        finally:
            _stop(server)


def _wait_for(target: Target, server: subprocess.Popen[bytes], port: int, log: IO[bytes]) -> None:
    limit = monotonic() + _START_WITHIN
    while monotonic() < limit and server.poll() is None:
        with suppress(OSError), create_connection((_HOST, port), timeout=1):
            return
        sleep(0.05)
    log.seek(0)
    raise RuntimeError(f"{target.name} does not serve:\n{log.read().decode(errors='replace')[-2000:]}")


def _stop(server: subprocess.Popen[bytes]) -> None:
    server.terminate()
    try:
        server.wait(10)
    except subprocess.TimeoutExpired:
        server.kill()


def check_alike(servers: list[Server], workload: Workload) -> None:
    """Ask every body once of every target: the status must be the workload's, the answers the same."""
    answers = [_ask_all(server.url.removeprefix("http://"), workload) for server in servers]
    for server, given in zip(servers, answers, strict=True):
        if given != answers[0]:
            names = f"{server.target.name} and {servers[0].target.name}"
            raise RuntimeError(f"{names} answer {workload.name} differently")


def _ask_all(address: str, workload: Workload) -> list[object]:
    connection = HTTPConnection(address, timeout=30)
    answers: list[object] = []
    for body in workload.bodies:
        connection.request("POST", workload.path, body, {"content-type": "application/json"})
        response = connection.getresponse()
        raw = response.read()
        if response.status != workload.status:
            raise RuntimeError(f"{workload.name} at {address}: {response.status}, not {workload.status}: {raw[:500]!r}")
        answers.append(msgspec.json.decode(raw))
    connection.close()
    return answers
