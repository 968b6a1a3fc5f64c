"""Metrics on a port of their own."""

import socket
import subprocess
import sys

import httpx

from service.platform.build import BUILD
from tests.support.http.server import ROOT, environment, serving
from tests.support.patience import WAIT
from tests.support.redis_server import free_port


def test_metrics_with_a_port_of_their_own_are_there_and_nowhere_else() -> None:
    own = free_port()
    with serving(METRICS_PORT=str(own), COMMIT="abc123") as server:
        shown = httpx.get(f"http://127.0.0.1:{own}/metrics", timeout=WAIT)
        assert shown.status_code == 200
        assert shown.headers["content-type"].startswith("text/plain; version=")
        assert f'catchten_build_info{{build="{BUILD}",commit="abc123",version="' in shown.text
        public = f"http://127.0.0.1:{server.port}"
        assert httpx.get(f"{public}/metrics", timeout=WAIT).status_code == 404
        assert httpx.get(f"{public}/livez", timeout=WAIT).status_code == 200


def test_a_scraper_that_stays_connected_does_not_keep_the_service_from_stopping() -> None:
    own = free_port()
    with serving(METRICS_PORT=str(own)) as server, httpx.Client(timeout=WAIT) as scraper:
        assert scraper.get(f"http://127.0.0.1:{own}/metrics").status_code == 200
        server.process.terminate()
        assert server.process.wait(WAIT) in {0, -15}


def test_a_port_that_is_taken_stops_the_start() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        settings = environment({"METRICS_PORT": str(taken.getsockname()[1])})
        command = [sys.executable, "-m", "service", "serve"]
        ended = subprocess.run(
            command, cwd=ROOT, env=settings, capture_output=True, text=True, timeout=WAIT, check=False
        )
    assert ended.returncode != 0
    assert "Address already in use" in ended.stderr
