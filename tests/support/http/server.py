"""The service in a process of its own, and a caller that speaks HTTP to it byte by byte."""

import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from http.client import parse_headers
from pathlib import Path
from typing import Any, Final, Self

from msgspec import Struct

from tests.support.guard import guarded_group
from tests.support.patience import WAIT

ROOT: Final = Path(__file__).parents[3]
_QUIET: Final = {"LOG_FORMAT": "text", "LOG_LEVEL": "warning"}


class Reply(Struct, frozen=True):
    """An answer over the wire."""

    status: int
    headers: dict[str, str]
    body: bytes


class Server(Struct, frozen=True):
    """A server that runs: its port and its process."""

    port: int
    process: subprocess.Popen[str]


def environment(changes: Mapping[str, str]) -> dict[str, str]:
    """The environment of a server: no settings of the environment of the tests, and no line for each request."""
    kept = {name: value for name, value in os.environ.items() if name.startswith(("COV", "PATH", "HOME", "LANG"))}
    return {**kept, **_QUIET, "HOST": "127.0.0.1", "PORT": "0", **changes}


@contextmanager
def serving(files: int | None = None, folder: Path = ROOT, /, **changes: str) -> Generator[Server]:
    """Serve on a free port until the end; `files` limits the files that the service, in a folder, may open."""
    limit = "true" if files is None else f"ulimit -n {files}"
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(
            ["sh", "-c", f"{limit} && exec {shlex.quote(sys.executable)} -m service serve"],
            cwd=folder,
            env=environment(changes),
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            process_group=guarded_group(),
        )
        with ended(process):
            yield Server(_port(process), process)


@contextmanager
def ended(process: subprocess.Popen[Any]) -> Generator[None]:
    """Stop a process in the end. Errors: TimeoutExpired, if it had to be killed."""
    with process:
        try:
            yield
        finally:
            process.terminate()
            try:
                process.wait(WAIT)
            finally:
                process.kill()


def _port(process: subprocess.Popen[str]) -> int:
    assert process.stdout is not None
    for said in process.stdout:
        if found := re.search(r"http://127\.0\.0\.1:(\d+)/docs", said):
            return int(found[1])
    raise RuntimeError("the service does not start")


def begin_drain(server: Server) -> None:
    """Send a server the signal to stop, and wait until it drains."""
    server.process.send_signal(signal.SIGTERM)
    until = time.monotonic() + WAIT
    while time.monotonic() < until:
        with Line(server.port) as line:
            if line.ask("/readyz", method="GET").status == 503:
                return
    raise TimeoutError


def stops_listening(port: int) -> bool:
    """Wait until nobody listens on a port any more; return False if somebody still does in the end."""
    until = time.monotonic() + WAIT
    while time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=WAIT).close()
        except ConnectionRefusedError:
            return True
        time.sleep(0.01)
    return False


class Line:
    """One connection to the server; `client` is the address from which it comes."""

    def __init__(self, port: int, client: str = "127.0.0.1") -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=WAIT, source_address=(client, 0))
        self._came = self.socket.makefile("rb")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._came.close()
        self.socket.close()

    def send(self, raw: bytes) -> None:
        """Send bytes as they are."""
        self.socket.sendall(raw)

    def receive(self, method: str = "POST") -> Reply:
        """Read one answer to a request of that method."""
        status = int(self._came.readline().split()[1])
        headers = {name.lower(): value for name, value in parse_headers(self._came).items()}
        length = 0 if method == "HEAD" or status in {100, 204, 304} else int(headers["content-length"])
        return Reply(status, headers, self._came.read(length))

    def ask(self, path: str, body: bytes = b"", *headers: tuple[str, str], method: str = "POST") -> Reply:
        """Send a whole request and read its answer."""
        self.send(head(path, ("content-length", str(len(body))), *headers, method=method) + body)
        return self.receive(method)

    def closed(self) -> bool:
        """Return True if the server has closed its side, or reset the connection because not all was read."""
        try:
            return self._came.read(1) == b""
        except ConnectionResetError:
            return True


def head(path: str, *headers: tuple[str, str], method: str = "POST") -> bytes:
    """Write the head of a request, for a body of JSON unless the headers say otherwise."""
    if "content-type" not in dict(headers):
        headers = (("content-type", "application/json"), *headers)
    lines = (f"{method} {path} HTTP/1.1", "host: localhost", *(f"{name}: {value}" for name, value in headers))
    return "\r\n".join((*lines, "", "")).encode("latin-1")


def chunk(raw: bytes) -> bytes:
    """Write a piece of a body whose length is not announced; an empty one is its end."""
    return b"%x\r\n%b\r\n" % (len(raw), raw)
