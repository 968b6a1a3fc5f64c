"""A Prometheus with the rules of deploy/, on a port of the loopback, that looks every second."""

import re
from collections.abc import Sequence
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

import msgspec
import yaml

from tests.deploy.files import RULES, read_yaml
from tests.programs.binaries import find_or_get, surroundings
from tests.support.processes import Process
from tests.support.redis_server import free_port

_SPAN: Final = re.compile(r"\[(\d+)([smhd])\]")
_SECONDS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86400}
SCRAPED: Final = 15.0
"""Seconds between two scrapes, and between two looks at the rules, as they are shipped."""


def frequent_rules() -> dict[str, Any]:
    """The rules as they are shipped, but looked at every second."""
    rules: dict[str, Any] = read_yaml(RULES)
    for group in rules["groups"]:
        group["interval"] = "1s"
    return rules


def faster_rules(times: float) -> dict[str, Any]:
    """The rules with every span, wait and interval a number of times shorter."""

    def shorten(number: str, unit: str) -> str:
        return f"{max(round(int(number) * _SECONDS[unit] * 1000 / times), 1)}ms"

    rules: dict[str, Any] = read_yaml(RULES)
    for group in rules["groups"]:
        group["interval"] = shorten(group["interval"][:-1], group["interval"][-1])
        for rule in group["rules"]:
            rule["expr"] = _SPAN.sub(lambda found: f"[{shorten(found[1], found[2])}]", rule["expr"])
            if "for" in rule:
                rule["for"] = shorten(rule["for"][:-1], rule["for"][-1])
    return rules


class Prometheus(Process):
    """A server that scrapes these ports of the loopback.

    Shape: `times` is how much faster than shipped it looks, by rules that are as much shorter; without it, it looks
    every second.
    """

    def __init__(self, folder: Path, ports: Sequence[int], proxy: int, times: float | None = None) -> None:
        folder.mkdir()
        super().__init__(folder / "log")
        self.folder = folder
        self.port = free_port()
        (folder / "rules.yml").write_text(yaml.safe_dump(faster_rules(times) if times else frequent_rules()))
        (folder / "prometheus.yml").write_text(
            yaml.safe_dump(_configuration(ports, proxy, SCRAPED / times if times else 1.0))
        )

    def start(self) -> None:
        command = [find_or_get("prometheus"), f"--config.file={self.folder}/prometheus.yml", "--log.level=warn"]
        command += [f"--storage.tsdb.path={self.folder}/tsdb", f"--web.listen-address=127.0.0.1:{self.port}"]
        self.run(command, surroundings())
        self.until(self._ready, "Prometheus does not start")

    def query(self, query: str) -> list[dict[str, Any]]:
        """Evaluate a query now, and return its samples."""
        result: list[dict[str, Any]] = self._ask("query", {"query": query})["result"]
        return result

    def query_range(self, query: str, start: float, end: float) -> list[dict[str, Any]]:
        """Evaluate a query at every second from one time to another, and return its series."""
        asked = {"query": query, "start": f"{start:.3f}", "end": f"{end:.3f}", "step": "1"}
        result: list[dict[str, Any]] = self._ask("query_range", asked)["result"]
        return result

    def series(self, selector: str) -> list[dict[str, str]]:
        """Return the labels of every series that a selector finds."""
        found: list[dict[str, str]] = self._ask("series", {"match[]": selector})
        return found

    def firing(self) -> set[tuple[str, str]]:
        """Return the alerts that fire, each with its instance."""
        found = self.query('ALERTS{alertstate="firing"}')
        return {(one["metric"]["alertname"], one["metric"].get("instance", "")) for one in found}

    def _ask(self, kind: str, asked: dict[str, str]) -> Any:
        answer = msgspec.json.decode(self._get(f"/api/v1/{kind}?{urlencode(asked)}")[1])
        assert answer["status"] == "success", (asked, answer)
        return answer["data"]

    def _ready(self) -> bool:
        try:
            return self._get("/-/ready")[0] == 200
        except OSError:
            return False

    def _get(self, path: str) -> tuple[int, bytes]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()


def _configuration(ports: Sequence[int], proxy: int, interval: float) -> dict[str, Any]:
    jobs = {"catchten": [f"127.0.0.1:{port}" for port in ports], "haproxy": [f"127.0.0.1:{proxy}"]}
    return {
        "global": dict.fromkeys(
            ("scrape_interval", "scrape_timeout", "evaluation_interval"), f"{interval * 1000:.0f}ms"
        ),
        "rule_files": ["rules.yml"],
        "scrape_configs": [
            {"job_name": name, "static_configs": [{"targets": targets}]} for name, targets in jobs.items()
        ],
    }
