"""Redis as the compose file starts it: it keeps acknowledged plays, and drops none when memory is full."""

from pathlib import Path
from typing import Final

from tests.deploy.files import COMPOSE, DEPLOY, read_yaml
from tests.support.processes import Redis
from tests.support.redis_server import find_or_get

SETTINGS: Final = DEPLOY / "redis" / "redis.conf"
MIB: Final = 1024 * 1024


class _Configured(Redis):
    """A server with the configuration of the compose file, on another port and in another folder."""

    def start(self) -> None:
        place = ["--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.folder)]
        self.run([find_or_get(), str(SETTINGS), *place])
        self.until(lambda: self.answers("PING") == b"+PONG\r\n", "Redis does not start")


def test_it_starts_with_its_file_and_has_the_guarantees_of_the_guide(tmp_path: Path) -> None:
    wanted = {"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction", "save": ""}
    with _Configured(tmp_path / "redis") as server:
        for name, value in wanted.items():
            assert server.answers("CONFIG", "GET", name).split(b"\r\n")[4] == value.encode()


def test_the_container_has_room_for_rewriting_the_log() -> None:
    line = next(line for line in SETTINGS.read_text().splitlines() if line.startswith("maxmemory "))
    limit = read_yaml(COMPOSE)["services"]["redis"]["deploy"]["resources"]["limits"]["memory"]
    assert int(limit.removesuffix("M")) * MIB >= 2 * int(line.split()[1].removesuffix("mb")) * MIB
