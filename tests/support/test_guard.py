"""No process that a test has started outlives it: not when it fails, and not when it is killed."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.guard import guarded_group
from tests.support.http import server
from tests.support.http.server import ROOT, ended, serving, stops_listening

WAITING = """
import signal
from tests.support.http.server import serving
from tests.support.processes import Redis

def test_that_waits(tmp_path):
    with Redis(tmp_path / "redis") as redis, serving() as server, redis.paused():
        print("ports:", redis.port, server.port, flush=True)
        signal.pause()
"""


def test_servers_running_or_paused_are_killed_with_the_process_of_the_tests(tmp_path: Path) -> None:
    waiting = tmp_path / "test_waiting.py"
    waiting.write_text(WAITING)
    command = [sys.executable, "-m", "pytest", "-s", "-c", str(ROOT / "pyproject.toml")]
    command += ["-p", "no:cacheprovider", str(waiting)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, process_group=guarded_group()) as tests:
        assert tests.stdout is not None
        redis, service = next(line for line in tests.stdout if "ports:" in line).split()[-2:]
        tests.kill()
        assert stops_listening(int(redis))
        assert stops_listening(int(service))


def test_a_server_is_stopped_when_its_test_fails() -> None:
    with pytest.raises(ZeroDivisionError), serving() as started:
        raise ZeroDivisionError
    assert started.process.returncode is not None


def test_a_process_that_does_not_stop_is_killed_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "WAIT", 0)
    stubborn = subprocess.Popen(
        ["sh", "-c", "trap '' TERM; echo; read line"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert stubborn.stdout is not None
    stubborn.stdout.readline()
    with pytest.raises(subprocess.TimeoutExpired), ended(stubborn):
        pass
    assert stubborn.returncode == -signal.SIGKILL
