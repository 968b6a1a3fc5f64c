"""The attacks can be made, and a service stands them for a moment."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Final

import pytest

from tests.programs.attacks.dearest import DEAREST, read_status
from tests.support.effort import choose_effort
from tests.support.http.server import ROOT, Server, serving
from tests.support.patience import WAIT

OF_AN_APP: Final = {"list_games", "list_finished_games"}
"""Without API keys, as the attacked service is, they are refused. Their limits: tests/api/test_app_games.py."""
DOCUMENT: Final = json.loads((ROOT / "openapi" / "openapi.json").read_bytes())


def test_an_attack_tells_what_it_does_to_the_service_and_to_others() -> None:
    made = subprocess.run(
        [sys.executable, "-m", "tests.programs.attacks", "--seconds", "1.5", "control-characters"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=WAIT,
    )
    said = re.fullmatch(
        r"control-characters +\d+ MB -> +(\d+) MB, kernel +\d+ MB"
        r" +p99 +[\d.]+ ms \( *[\d.]+ CPU\) +longest +[\d.]+ ms \( *[\d.]+ CPU\)"
        r" +\d+ x one alone +of (\d+) questions\n",
        made.stdout,
    )
    assert said, made
    assert int(said[1]) < 150
    assert int(said[2]) > 0


@pytest.mark.nightly
def test_an_attack_on_the_load_balancer_tells_its_memory_its_backends_and_the_calls_of_others() -> None:
    made = subprocess.run(
        [sys.executable, "-m", "tests.programs.attacks", "--balancer", "--seconds", "0", "h2-prior-knowledge"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    said = re.fullmatch(
        r"h2-prior-knowledge +\d+ MB -> +(\d+) MB +(\d+) of (\d+) heavy calls of another address, longest [\d.]+ s"
        r" +at most questions \d+, heavy (\d+), games \d+, streams \d+, last_resort \d+\n",
        made.stdout,
    )
    assert said, made
    assert int(said[1]) < 100
    assert said[2] == said[3]
    assert int(said[4]) < 10


def test_every_operation_of_the_document_has_its_dearest_request() -> None:
    operations = {each["operationId"] for path in DOCUMENT["paths"].values() for each in path.values()}
    assert operations - OF_AN_APP == DEAREST.keys()


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving() as server:
        yield server


@pytest.mark.parametrize("operation", DEAREST)
def test_the_dearest_request_of_an_operation_is_sound(server: Server, operation: str) -> None:
    assert read_status(operation, server.port, choose_effort(daily=1, nightly=3)) in {200, 201, 204}
