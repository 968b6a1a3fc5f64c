"""The applications that are measured, and which of them stand side by side."""

import subprocess
import sys
from collections.abc import Generator
from contextlib import ExitStack, closing, contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from os import environ, sysconf
from pathlib import Path
from socket import create_server
from tempfile import TemporaryFile
from time import monotonic, sleep
from typing import IO, Final, NamedTuple

import msgspec

from tests.programs.bench.workloads import Workload

ROOT: Final = Path(__file__).parents[3]
_HOST: Final = "127.0.0.1"
_START_WITHIN: Final = 30.0
"""Seconds."""


class Target(NamedTuple):
    """An application: the command that serves it at HOST and PORT of its environment."""

    name: str
    command: tuple[str, ...]


BESIDE: Final = str(ROOT / ".venv-bench" / "bin" / "python")
"""The Python of what the service is compared with."""


def _changed(name: str, change: str, python: str = sys.executable) -> Target:
    return Target(name, (python, "-m", "tests.programs.bench.server", change))


SERVICE: Final = Target("service", (sys.executable, "-m", "service", "serve"))
COMPILED_ROOT: Final = ROOT / ".compiled"
"""The folder of the service as the image serves it, which is made by make."""
COMPILED: Final = Target("service, compiled", ("env", f"--chdir={COMPILED_ROOT}", *SERVICE.command))
FLOOR: Final = _changed("floor", "floor")
UNMEASURED: Final = _changed("without metrics", "unmeasured")
ALONE: Final = Target(
    "service, with what it needs and no more",
    (str(ROOT / ".venv-run/bin/python"), "-m", "tests.programs.bench.foretold"),
)
QUIET: Final = Target("without a log of requests", ("env", "LOG_LEVEL=warning", *SERVICE.command))
LITESTAR: Final = _changed("Litestar as it comes", "litestar", BESIDE)
FASTAPI: Final = _changed("FastAPI + pydantic", "fastapi", BESIDE)
FORETOLD: Final = _changed("service", "foretold")
ELSEWHERE: Final = _changed("service, the last play made by another worker", "elsewhere")
FORGETFUL: Final = _changed("service, game not seen before", "forgetful")


class Server(NamedTuple):
    """A target that serves: where, and as which process."""

    target: Target
    url: str
    process: int

    @property
    def address(self) -> str:
        """Host and port."""
        return self.url.removeprefix("http://")

    def cpu_seconds(self) -> float:
        """Return the CPU time that the process has used so far."""
        after_name = Path(f"/proc/{self.process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(after_name[11]) + int(after_name[12])) / sysconf("SC_CLK_TCK")


@contextmanager
def started(targets: tuple[Target, ...], core: int, **settings: str) -> Generator[list[Server]]:
    """Serve targets from one core, with more settings of the environment, and stop them all in the end."""
    with ExitStack() as stack:
        yield [stack.enter_context(_started(target, core, settings)) for target in targets]


@contextmanager
def _started(target: Target, core: int, more: dict[str, str]) -> Generator[Server]:
    with create_server((_HOST, 0)) as free:
        port = free.getsockname()[1]
    settings = {"PATH": environ["PATH"], "HOST": _HOST, "PORT": str(port), **more}
    command = ["taskset", "-c", str(core), *target.command]
    with TemporaryFile() as log, subprocess.Popen(command, cwd=ROOT, env=settings, stdout=log, stderr=log) as server:
        try:
            _wait_for(target, server, port, log)
            yield Server(target, f"http://{_HOST}:{port}", server.pid)
        finally:
            _stop(server)


def _wait_for(target: Target, server: subprocess.Popen[bytes], port: int, log: IO[bytes]) -> None:
    """Wait until something is answered, whatever it is: it listens before it can answer."""
    limit = monotonic() + _START_WITHIN
    while monotonic() < limit and server.poll() is None:
        with suppress(OSError, HTTPException), closing(HTTPConnection(_HOST, port, timeout=5)) as connection:
            connection.request("GET", "/livez")
            connection.getresponse()
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
    answers = [_ask_all(server.address, workload) for server in servers]
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


def check_strict(server: Server, workload: Workload) -> None:
    """See that a server refuses what the service refuses: another type, and a field that it does not know."""
    asked = msgspec.json.decode(workload.bodies[0], type=dict[str, dict[str, object]])
    state = asked["state"]
    for wrong in ({**state, "dealer": "0"}, {**state, "dealer": 0.0}, {**state, "more": 1}):
        connection = HTTPConnection(server.address, timeout=30)
        body = msgspec.json.encode({**asked, "state": wrong})
        connection.request("POST", workload.path, body, {"content-type": "application/json"})
        if connection.getresponse().status not in {400, 422}:
            raise RuntimeError(f"{server.target.name} takes {body[:300]!r}")
        connection.close()
