"""The applications that are measured: all by the compiled rules, all from one core, each with its settings."""

import sys
from collections.abc import Generator
from contextlib import ExitStack, closing, contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from os import environ
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from tests.support.processes import Process
from tests.support.redis_server import free_port

ROOT: Final = Path(__file__).parents[3]
COMPILED_ROOT: Final = ROOT / ".compiled"
"""The folder of the service as the image serves it, which is made by make."""
MUCH: Final = "999999/second"
"""A quota that no load reaches, and that is counted as any other."""


class Plan(NamedTuple):
    """The plan of a measurement.

    Unit: `seconds` that each target is asked in a round; `serving` and `loading` are numbers of cores.
    """

    seconds: int
    rounds: int
    serving: int
    loading: int


class Target(NamedTuple):
    """An application: the command that serves it at HOST and PORT of its environment, and its other settings."""

    name: str
    command: tuple[str, ...]
    settings: tuple[tuple[str, str], ...] = ()


def _compiled(name: str, python: str, *module: str) -> Target:
    return Target(name, ("env", f"--chdir={COMPILED_ROOT}", python, "-m", *module))


FLOOR: Final = _compiled("floor", sys.executable, "tests.programs.bench.floor")
SERVICE: Final = _compiled("service", sys.executable, "service", "serve")
ALONE: Final = _compiled("service alone", str(ROOT / ".venv-run/bin/python"), "service", "serve")
"""With the packages that it needs and no more, as in an image."""


def as_shipped(redis: int) -> Target:
    """Return the service with the settings of the compose file: a quota in Redis, a proxy, the log as JSON."""
    settings = {"RATE_LIMIT": MUCH, "TRUSTED_PROXIES": "127.0.0.1", "LOG_FORMAT": "json", "REDIS_URL": url_of(redis)}
    return SERVICE._replace(name="service as shipped", settings=tuple(settings.items()))


def url_of(redis: int) -> str:
    """Return the URL of a Redis on this machine."""
    return f"redis://127.0.0.1:{redis}"


class Server(Process):
    """A target that serves, on one core, with nothing of the environment but its settings."""

    def __init__(self, target: Target, core: int, log: Path, settings: dict[str, str]) -> None:
        super().__init__(log)
        self.target = target
        self.port = free_port()
        self.address = f"127.0.0.1:{self.port}"
        self.url = f"http://{self.address}"
        self._command = ("taskset", "-c", str(core), *target.command)
        self._settings = {"PATH": environ["PATH"], "HOST": "127.0.0.1", "PORT": str(self.port)}
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
