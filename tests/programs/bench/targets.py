"""The applications that are measured: all by the compiled rules, all from one core, each with its settings."""

import sys
from collections.abc import Generator
from contextlib import ExitStack, closing, contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from os import environ
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

import msgspec

from tests.programs.bench.workloads import Workload
from tests.support.processes import Process
from tests.support.redis_server import free_port

ROOT: Final = Path(__file__).parents[3]
COMPILED_ROOT: Final = ROOT / ".compiled"
"""The folder of the service as the image serves it, which is made by make."""
BESIDE: Final = str(ROOT / ".venv-tools" / "bin" / "python")
"""The Python of what the service is compared with."""
MUCH: Final = "999999/second"
"""A quota that no load reaches, and that is counted as any other."""


class Target(NamedTuple):
    """An application: the command that serves it at HOST and PORT of its environment, and its other settings."""

    name: str
    command: tuple[str, ...]
    settings: tuple[tuple[str, str], ...] = ()

    def with_settings(self, name: str, **settings: str) -> "Target":
        """Return the same application under another name and with more settings."""
        return Target(name, self.command, (*self.settings, *settings.items()))


def _compiled(*command: str) -> tuple[str, ...]:
    return ("env", f"--chdir={COMPILED_ROOT}", *command)


def _served(name: str, application: str, python: str = sys.executable) -> Target:
    return Target(name, _compiled(python, "-m", "tests.programs.bench.server", application))


SERVICE: Final = Target("service", _compiled(sys.executable, "-m", "service", "serve"))
FORETOLD: Final = _served("service", "foretold")
ALONE: Final = Target(
    "service, with what it needs and no more",
    _compiled(str(ROOT / ".venv-run/bin/python"), "-m", "tests.programs.bench.foretold"),
)
FLOOR: Final = _served("floor", "floor")
LITESTAR: Final = _served("Litestar by its documentation", "litestar", BESIDE)
FASTAPI: Final = _served("FastAPI", "fastapi", BESIDE)


def as_shipped(target: Target, redis: int) -> Target:
    """Return the target with the settings of the compose file: a quota in Redis, a proxy, the log as JSON."""
    url = f"redis://127.0.0.1:{redis}"
    return target.with_settings(
        f"{target.name} as shipped", REDIS_URL=url, RATE_LIMIT=MUCH, TRUSTED_PROXIES="127.0.0.1", LOG_FORMAT="json"
    )


class Server(Process):
    """A target that serves, on one core, with nothing of the environment but its settings."""

    def __init__(self, target: Target, core: int, log: Path, settings: dict[str, str]) -> None:
        super().__init__(log)
        self.target = target
        port = free_port()
        self.address = f"127.0.0.1:{port}"
        self.url = f"http://{self.address}"
        self._command = ("taskset", "-c", str(core), *target.command)
        self._settings = {"PATH": environ["PATH"], "HOST": "127.0.0.1", "PORT": str(port)}
        self._settings |= {**dict(target.settings), **settings}

    def start(self) -> None:
        self.run(self._command, self._settings)
        self.until(self._answers, f"{self.target.name} does not serve")

    def _answers(self) -> bool:
        """Return True once something is answered, which may be a refusal: it listens before it can answer."""
        with suppress(OSError, HTTPException), closing(HTTPConnection(self.address, timeout=5)) as connection:
            connection.request("GET", "/livez")
            connection.getresponse()
            return True
        return False

    def cpu_seconds(self) -> float:
        """Return the CPU time that the process has used so far, as the scheduler counts it, in nanoseconds."""
        tasks = Path(f"/proc/{self.pid}/task").glob("*/schedstat")
        return sum(int(task.read_text(encoding="utf-8").split()[0]) for task in tasks) / 1e9


@contextmanager
def started(targets: tuple[Target, ...], core: int, **settings: str) -> Generator[list[Server]]:
    """Serve targets from one core, with more settings of the environment, and stop them all in the end."""
    with TemporaryDirectory() as folder, ExitStack() as stack:
        servers = [Server(target, core, Path(folder, str(at)), settings) for at, target in enumerate(targets)]
        yield [stack.enter_context(server) for server in servers]


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
        if response.status != 200:
            raise RuntimeError(f"{workload.name} at {address}: {response.status}: {raw[:500]!r}")
        answers.append(msgspec.json.decode(raw))
    connection.close()
    return answers


def check_strict(server: Server, workload: Workload) -> None:
    """See that a server refuses what the service refuses: another type, and a field that it does not know."""
    asked = msgspec.json.decode(workload.bodies[0], type=dict[str, Any])
    state = asked["state"]
    for wrong in ({**state, "dealer": "0"}, {**state, "dealer": 0.0}, {**state, "more": 1}):
        connection = HTTPConnection(server.address, timeout=30)
        body = msgspec.json.encode({**asked, "state": wrong})
        connection.request("POST", workload.path, body, {"content-type": "application/json"})
        if connection.getresponse().status not in {400, 422}:
            raise RuntimeError(f"{server.target.name} takes {body[:300]!r}")
        connection.close()
