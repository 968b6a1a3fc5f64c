"""A Prometheus and an Alertmanager by the files of deploy/, on ports of the loopback."""

import re
from collections.abc import Sequence
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from time import monotonic
from types import TracebackType
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

import msgspec
import yaml

from tests.deploy.files import ALERTMANAGER, PROMETHEUS, RULES, read_yaml
from tests.programs.binaries import find_or_get, surroundings
from tests.support.processes import Process
from tests.support.redis_server import free_port

_SPAN: Final = re.compile(r"\[(\d+[smhd])\]")
_SECONDS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def faster_rules(times: float) -> dict[str, Any]:
    """The rules with every span, wait and interval a number of times shorter."""
    rules: dict[str, Any] = read_yaml(RULES)
    for group in rules["groups"]:
        group["interval"] = shorter(group["interval"], times)
        for rule in group["rules"]:
            rule["expr"] = _SPAN.sub(lambda found: f"[{shorter(found[1], times)}]", rule["expr"])
            if "for" in rule:
                rule["for"] = shorter(rule["for"], times)
    return rules


def shorter(span: str, times: float) -> str:
    """Divide a span such as 5m, and write it in milliseconds."""
    return f"{max(round(int(span[:-1]) * _SECONDS[span[-1]] * 1000 / times), 1)}ms"


class Notification(NamedTuple):
    """A notification of an alert: firing or resolved."""

    at: float
    status: str
    alert: str
    receiver: str


class Alertmanager(Process):
    """The Alertmanager of deploy/, sped up, and its receivers."""

    def __init__(self, folder: Path, times: float) -> None:
        folder.mkdir()
        super().__init__(folder / "log")
        self.port, self.told = free_port(), list[Notification]()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _receiver(self.told))
        self._folder, configuration = folder, read_yaml(ALERTMANAGER)
        for name in ("group_wait", "group_interval"):
            configuration["route"][name] = shorter(configuration["route"][name], times)
        hook = {"url": f"http://127.0.0.1:{self._server.server_port}/", "send_resolved": True}
        for receiver in configuration["receivers"]:
            receiver["webhook_configs"] = [hook]
        (folder / "alertmanager.yml").write_text(yaml.safe_dump(configuration))

    def start(self) -> None:
        Thread(target=self._server.serve_forever, daemon=True).start()
        command = [find_or_get("prometheus-alertmanager"), f"--config.file={self._folder}/alertmanager.yml"]
        command += [f"--storage.path={self._folder}/data", f"--web.listen-address=127.0.0.1:{self.port}"]
        self.run([*command, "--cluster.listen-address=", "--log.level=warn"], surroundings())
        self.until(lambda: _answers(self.port), "Alertmanager does not start")

    def __exit__(self, kind: type[BaseException] | None, exc: BaseException | None, at: TracebackType | None) -> None:
        super().__exit__(kind, exc, at)
        self._server.shutdown()
        self._server.server_close()


def _receiver(told: list[Notification]) -> type[BaseHTTPRequestHandler]:
    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # the name that the library calls
            sent = msgspec.json.decode(self.rfile.read(int(self.headers["content-length"])))
            alert = sent["groupLabels"]["alertname"].removeprefix("Catchten")
            told.append(Notification(monotonic(), sent["status"], alert, sent["receiver"]))
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the library's name
            pass

    return Receiver


class Prometheus(Process):
    """The Prometheus of deploy/, a number of times faster, which scrapes these ports of the loopback."""

    def __init__(self, folder: Path, ports: Sequence[int], proxy: int, times: float, alertmanager: int = 0) -> None:
        folder.mkdir()
        super().__init__(folder / "log")
        self.folder = folder
        self.port = free_port()
        (folder / "rules.yml").write_text(yaml.safe_dump(faster_rules(times)))
        (folder / "prometheus.yml").write_text(yaml.safe_dump(_configure(proxy, times, alertmanager)))
        self.discover(ports)

    def discover(self, ports: Sequence[int]) -> None:
        """Give it the replicas that discovery knows."""
        targets = [{"targets": [f"127.0.0.1:{port}" for port in ports]}]
        written = self.folder / "targets.new"
        written.write_bytes(msgspec.json.encode(targets))
        written.rename(self.folder / "targets.json")

    def start(self) -> None:
        command = [find_or_get("prometheus"), f"--config.file={self.folder}/prometheus.yml", "--log.level=warn"]
        command += [f"--storage.tsdb.path={self.folder}/tsdb", f"--web.listen-address=127.0.0.1:{self.port}"]
        self.run(command, surroundings())
        self.until(lambda: _answers(self.port), "Prometheus does not start")

    def query(self, query: str) -> list[dict[str, Any]]:
        """Evaluate a query now, and return its samples."""
        result: list[dict[str, Any]] = self._ask("query", {"query": query})["result"]
        return result

    def firing(self) -> set[tuple[str, str]]:
        """Return the alerts that fire, each with its instance."""
        found = self.query('ALERTS{alertstate="firing"}')
        return {(one["metric"]["alertname"], one["metric"].get("instance", "")) for one in found}

    def _ask(self, kind: str, asked: dict[str, str]) -> Any:
        answer = msgspec.json.decode(_get(self.port, f"/api/v1/{kind}?{urlencode(asked)}")[1])
        assert answer["status"] == "success", (asked, answer)
        return answer["data"]


def _answers(port: int) -> bool:
    try:
        return _get(port, "/-/ready")[0] == 200
    except OSError:
        return False


def _get(port: int, path: str) -> tuple[int, bytes]:
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def _configure(proxy: int, times: float, alertmanager: int) -> dict[str, Any]:
    """Return the shipped configuration, faster, with the names of its network replaced by ports of the loopback."""
    shipped: dict[str, Any] = read_yaml(PROMETHEUS)
    pace = shorter(shipped["global"]["scrape_interval"], times)
    shipped["global"] |= dict.fromkeys(("scrape_interval", "scrape_timeout", "evaluation_interval"), pace)
    if alertmanager:
        shipped["alerting"]["alertmanagers"] = [{"static_configs": [{"targets": [f"127.0.0.1:{alertmanager}"]}]}]
    service, balancer = shipped["scrape_configs"]
    del service["dns_sd_configs"]
    service["file_sd_configs"] = [{"files": ["targets.json"], "refresh_interval": "1s"}]
    balancer["static_configs"] = [{"targets": [f"127.0.0.1:{proxy}"]}]
    return shipped
