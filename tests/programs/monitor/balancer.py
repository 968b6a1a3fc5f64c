"""The load balancer of the compose file, on a port of the loopback, before replicas whose ports are known."""

import re
import socket
from collections.abc import Sequence
from http.client import HTTPConnection
from pathlib import Path
from typing import Final

import msgspec

from tests.deploy.files import HAPROXY
from tests.programs.binaries import find_or_get, surroundings
from tests.support.processes import Process
from tests.support.redis_server import free_port

_GAME: Final = b'{"rules":"trebor","players":4}'


def placed(configuration: str, port: int, health: int, metrics: int, replicas: Sequence[int]) -> str:
    """Put other ports into the configuration, and replicas with ports of their own in the place of one name."""
    servers = "\n".join(f"    server service-{port} 127.0.0.1:{port}" for port in replicas)
    placed = configuration.replace("bind :8080", f"bind 127.0.0.1:{port}").replace(":8404", f":{health}")
    placed = placed.replace("bind :8405", f"bind 127.0.0.1:{metrics}")
    placed = placed.replace(" resolvers docker init-addr none", "")
    placed, times = re.subn(r"    server-template .*", servers, placed)
    assert times == 3
    return placed


class Balancer(Process):
    """HAProxy, as it is configured in deploy/."""

    def __init__(self, folder: Path, replicas: Sequence[int]) -> None:
        folder.mkdir()
        super().__init__(folder / "log")
        self.port, self.metrics_port = free_port(), free_port()
        self._file = folder / "haproxy.cfg"
        shipped = HAPROXY.read_text(encoding="utf-8")
        self._file.write_text(placed(shipped, self.port, free_port(), self.metrics_port, replicas))

    def start(self) -> None:
        self.run([find_or_get("haproxy"), "-db", "-f", str(self._file)], surroundings())
        self.until(self._listens, "HAProxy does not start")

    def opens_game(self) -> str:
        """Ask it for a new game, on a connection of its own, and return the status, or the code of the problem."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request("POST", "/v1/games", _GAME, {"content-type": "application/json"})
            answer = connection.getresponse()
            read = msgspec.json.decode(answer.read(), type=dict[str, object])
            return str(read.get("code", answer.status))
        finally:
            connection.close()

    def _listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0
