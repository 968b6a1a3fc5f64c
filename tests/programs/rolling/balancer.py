"""A haproxy in front of replicas: found on the machine, set up as an operator would, and stopped in the end."""

import os
import shutil
import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.support.http.server import WAIT

MISSING: Final = (
    "A rolling restart needs a haproxy, and there is none: install it (on Debian or Ubuntu: apt-get install haproxy) "
    "or name one in HAPROXY."
)
# No request is sent a second time: what fails is to be seen. A replica that is not ready gets no new ones.
_CONFIG: Final = """\
global
    maxconn 2000
defaults
    mode http
    retries 0
    timeout connect 5s
    timeout client 30s
    timeout server 30s
    http-reuse always
frontend all
    bind 127.0.0.1:{port}
    default_backend replicas
backend replicas
    balance roundrobin
    option httpchk GET /readyz
    default-server check inter 200ms fall 1 rise 1
{servers}
"""


def find() -> str | None:
    """Return the path of a haproxy: the one that HAPROXY names, or the machine's."""
    return os.environ.get("HAPROXY") or shutil.which("haproxy") or shutil.which("haproxy", path="/usr/sbin")


@contextmanager
def balancing(haproxy: str, port: int, replicas: list[int]) -> Generator[None]:
    """Balance what comes to a port over replicas, until the end."""
    servers = "\n".join(f"    server replica{at} 127.0.0.1:{replica}" for at, replica in enumerate(replicas))
    with TemporaryDirectory() as folder:
        config = Path(folder, "haproxy.cfg")
        config.write_text(_CONFIG.format(port=port, servers=servers))
        with subprocess.Popen([haproxy, "-db", "-f", str(config)], stderr=subprocess.DEVNULL) as process:
            try:
                until_ready(port)
                yield
            finally:
                process.kill()


def until_ready(port: int) -> None:
    """Wait until requests to a port are answered as they should."""
    until = time.monotonic() + WAIT
    while time.monotonic() < until:
        connection = HTTPConnection("127.0.0.1", port, timeout=5)
        try:
            connection.request("GET", "/readyz")
            if connection.getresponse().status == 200:
                return
        except OSError:
            pass  # not there yet
        finally:
            connection.close()
        time.sleep(0.05)
    raise TimeoutError(f"nothing is ready on port {port}")
