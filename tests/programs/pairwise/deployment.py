"""A service with the settings of a row, over its store: what an operator would run."""

import re
from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from service.http.guards.api_keys import draw_key
from tests.programs.pairwise.factors import Level, Row
from tests.support.http.collector import Collector, collecting
from tests.support.processes import Redis, Service
from tests.support.redis_groups import QUICKLY, cluster, has_replica, wait_until, watched
from tests.support.redis_server import find_or_get_oldest, find_or_get_sharded, free_port

ORIGIN: Final = "https://cards.example"


class Deployment(NamedTuple):
    """A service that runs, the keys of two apps ("" where none is needed), and what it tells about itself."""

    row: Row
    service: Service
    keys: tuple[str, str]
    metrics_port: int
    collector: Collector

    @property
    def url(self) -> str:
        """The address of the service."""
        return f"http://127.0.0.1:{self.service.port}"


_SWITCHES: Final[Mapping[Level, Mapping[str, str]]] = {
    ("rate", "ample quota"): {"rate_limit": "20000/hour"},
    ("rate", "tight quota"): {"rate_limit": "60/second"},
    ("proxy", "trusted proxy"): {"trusted_proxies": "127.0.0.0/8"},
    ("cors", "one origin"): {"cors_origins": f"https://other.example,{ORIGIN}"},
    ("cors", "any origin"): {"cors_origins": "*"},
    ("following", "polling"): {"max_streams": "0"},
}
"""The settings that a level stands for, where they are the same every time."""
_ALWAYS: Final = {"log_level": "info", "stream_heartbeat": "0.2", "store_timeout": "10"}


@contextmanager
def deployed(row: Row, folder: Path) -> Generator[Deployment]:
    """Serve with the settings of a row until the end."""
    keys, lines = zip(*map(draw_key, ("arran", "bute")), strict=True)
    with ExitStack() as stack:
        collector = stack.enter_context(collecting())
        settings = _ALWAYS | _store(row, folder, stack) | _write_keys(row, folder, lines)
        for level in row._asdict().items():
            settings |= _SWITCHES.get(level, {})
        if row.metrics == "metrics apart":
            settings["metrics_port"] = str(free_port())
        if row.traces == "traces":
            settings["otel_exporter_otlp_endpoint"] = collector.url
        service = stack.enter_context(Service(folder / "log", **settings))
        metrics_port = int(settings.get("metrics_port", service.port))
        needed = ("", "") if row.keys == "no keys" else (keys[0], keys[1])
        try:
            yield Deployment(row, service, needed, metrics_port, collector)
        finally:
            service.stop()  # not killed, so that its processes end, and the last traces are sent


def _write_keys(row: Row, folder: Path, lines: Sequence[str]) -> dict[str, str]:
    """Make keys known as a row says, and return the settings for it."""
    match row.keys:
        case "no keys":
            return {}
        case "keys in settings":
            return {"api_keys": ",".join(lines)}
        case "keys in a file":
            (folder / "keys").write_text("\n".join(lines))
            return {"api_keys_file": str(folder / "keys")}


def _store(row: Row, folder: Path, stack: ExitStack) -> dict[str, str]:
    """Start the store of a row, and return the settings that name it."""
    match row.store:
        case "memory":
            return {}
        case "sentinels":
            return {"redis_url": stack.enter_context(watched(folder)).url}
        case "cluster":
            return {"redis_url": stack.enter_context(cluster(folder, replicas=0)).url}
        case "Redis 6" | "Redis 7":
            redis = Redis(folder / "redis")
            redis.program = find_or_get_oldest() if row.store == "Redis 6" else find_or_get_sharded()
            return {"redis_url": stack.enter_context(redis).url}
        case "replica with WAIT":
            primary = stack.enter_context(Redis(folder / "primary", *QUICKLY))
            stack.enter_context(Redis(folder / "replica", *QUICKLY, "--replicaof", "127.0.0.1", str(primary.port)))
            wait_until(lambda: has_replica(primary), "no replica")
            return {"redis_url": primary.url, "store_replicas": "1"}


_FIELDS: Final = re.compile(r" (\w+)=(\"[^\"]*\"|\S+)")


class LogLine(NamedTuple):
    """A line of the log of the service."""

    level: str
    text: str
    fields: dict[str, str]


def read_log(service: Service) -> list[LogLine]:
    """Return the lines of the log."""
    lines = re.findall(r"^\S+ \[(\w+)\] (.*)$", service.said(), re.MULTILINE)
    return [LogLine(level, text, dict(_FIELDS.findall(text))) for level, text in lines]
