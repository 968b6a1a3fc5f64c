"""A server shuts down although event streams have no end of their own."""

import os
import signal
from pathlib import Path

import httpx

from tests.support.patience import WAIT
from tests.support.processes import Service


def test_open_streams_end_and_hold_nothing_up(tmp_path: Path) -> None:
    service = Service(tmp_path / "log")
    with service, httpx.Client(base_url=f"http://127.0.0.1:{service.port}", timeout=WAIT) as client:
        game = client.post("/v1/games", json={"rules": "denexa", "players": 2}).json()["id"]
        with client.stream("GET", f"/v1/games/{game}/events") as stream:
            lines = stream.iter_lines()
            assert next(lines) == "retry: 1000"
            os.kill(service.pid, signal.SIGTERM)
            assert [line for line in lines if line.startswith("event")] == ["event: game"]
        assert service.wait() in {0, -15}
        assert "Traceback" not in service.said()
