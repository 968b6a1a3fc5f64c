"""Processes of the tests: the service and Redis on ports of the loopback, each stopped by the one who started it."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.support.guard import guarded_group
from tests.support.patience import WAIT
from tests.support.redis_server import find_or_get, free_port

QUIET = {"LOG_FORMAT": "text", "LOG_LEVEL": "warning"}
ROOT = Path(__file__).parents[2]


def children(pid: int) -> dict[int, str]:
    """Return the commands of the children of a process, by their ids."""
    listed = Path(f"/proc/{pid}/task/{pid}/children")
    if listed.exists():
        return {int(child): Path(f"/proc/{child}/cmdline").read_text() for child in listed.read_text().split()}
    # As macOS has no /proc. Containers may have no ps.
    rows = _ask_ps("-A", "-o", "ppid=,pid=,args=").splitlines()
    return {
        int(child): command for parent, child, command in (row.split(None, 2) for row in rows) if int(parent) == pid
    }


def resident(pid: int) -> int:
    """Return the resident memory of a process, in KiB."""
    return int(_ask_ps("-o", "rss=", "-p", str(pid)))


def _ask_ps(*options: str) -> str:
    return subprocess.run(["ps", *options], capture_output=True, text=True, check=True).stdout


class Process:
    """A process that can be killed, paused and started again."""

    def __init__(self, log: Path) -> None:
        self.log = log
        self._running: subprocess.Popen[bytes] | None = None
        self._ended = False

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, exc: BaseException | None, at: TracebackType | None) -> None:
        self._ended = True
        self.kill()

    def start(self) -> None:
        raise NotImplementedError

    def run(self, command: Sequence[str], environment: Mapping[str, str] | None = None, folder: Path = ROOT) -> None:
        with self.log.open("ab") as log:
            self._running = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=environment,
                cwd=folder,
                process_group=guarded_group(),
            )
        if self._ended:
            self.kill()  # a thread was about to start it when its test came to an end

    @property
    def pid(self) -> int:
        assert self._running is not None
        return self._running.pid

    def kill(self) -> None:
        """Kill it as kill -9 does, paused or not."""
        if self._running is not None:
            self._running.kill()
            self._running.wait(WAIT)
            self._running = None

    def stop(self) -> int:
        """Ask it to stop, wait until it has, and return its exit code."""
        os.kill(self.pid, signal.SIGTERM)
        return self.wait()

    def wait(self) -> int:
        """Wait until it has stopped, and return its exit code."""
        assert self._running is not None
        code = self._running.wait(WAIT)
        self._running = None
        return code

    @contextmanager
    def paused(self) -> Generator[None, None, None]:
        os.kill(self.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(self.pid, signal.SIGCONT)

    def until(self, sign: Callable[[], bool], what: str) -> None:
        """Wait for a sign of life."""
        end = time.monotonic() + WAIT
        while not sign():
            running = self._running is not None and self._running.poll() is None
            if not running or time.monotonic() > end:
                raise AssertionError(f"{what}: {self.log.read_text()[-2000:]}")
            time.sleep(0.02)


class Server(Process):
    """A process on a port of its own that speaks as Redis does."""

    port: int

    def answers(self, *words: str) -> bytes:
        """Send one command on its own connection; return nothing without an answer."""
        line = b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%b\r\n" % (len(w), w.encode()) for w in words)
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=2) as connection:
                connection.sendall(line)
                return connection.recv(65536)
        except OSError:
            return b""


class Redis(Server):
    """A Redis server with its own files, which survive a restart."""

    def __init__(self, folder: Path, *options: str) -> None:
        folder.mkdir()
        super().__init__(folder / "log")
        self.folder = folder
        self.port = free_port()
        self.program = find_or_get()
        self.options = options

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}"

    def start(self) -> None:
        command = [self.program, "--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.folder)]
        self.run([*command, "--save", "", *self.options])
        self.until(lambda: self.answers("PING") == b"+PONG\r\n", "Redis does not start")


class Service(Process):
    """A process of the service, of this tree or of another one, on a port that it chose when it was first started."""

    def __init__(self, log: Path, tree: Path = ROOT, python: str = sys.executable, /, **settings: object) -> None:
        super().__init__(log)
        self.port = 0
        self._tree = tree
        self._python = python
        self._settings = {name.upper(): str(value) for name, value in settings.items()}

    def start(self) -> None:
        seen = len(self.said())
        self.run(
            [self._python, "-m", "service", "serve"],
            {**os.environ, "HOST": "127.0.0.1", "PORT": str(self.port), **QUIET, **self._settings},
            self._tree,
        )
        self.until(lambda: "Docs:" in self.said()[seen:], "The service does not start")
        self.port = int(self.said()[seen:].partition("Docs:")[2].partition("/docs")[0].rpartition(":")[2])

    def said(self) -> str:
        return self.log.read_text() if self.log.exists() else ""

    def until_said(self, text: str) -> None:
        """Wait until a line with a text is in the log, which is written now and then."""
        self.until(lambda: text in self.said(), f"not in the log: {text}")
