"""The service keeps every promise of its document: schemathesis sends what the document allows, and more.

`schemathesis.toml` says how. Each test has its own server, and also judges the server's log.
"""

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Final

import httpx
import pytest

from service.api.operation_list import OPERATIONS
from service.http.context import NO_ROUTE
from tests.support.effort import THOROUGH, choose_effort
from tests.support.guard import guarded_group
from tests.support.http.server import ROOT, Server, environment, serving
from tests.support.patience import WAIT

SEED: Final = 36
PHASES: Final = "examples,coverage,fuzzing" if THOROUGH else "examples,fuzzing"
WALKS: Final = 8
"""Random walks along the links, at most: one may end after a dozen steps."""
_ON_GAMES: Final = {op.operation_id for op in OPERATIONS if op.path.startswith("/v1/games")}
_OUT_OF_REACH: Final = {"get_record", "list_games", "list_finished_games"}
"""A record comes at the end of a whole game, which no random requests play; tests/live reads the records of many.
Lists of games need an API key, and this service has none: tests/api/test_app_games.py reads them."""
_OTHERS: Final = {op.operation_id for op in OPERATIONS} - _ON_GAMES


def _ask(address: str, phases: str, operations: set[str], examples: int, where: Path, seed: int = SEED) -> None:
    """Run schemathesis on some operations; fail with all that it says if it finds anything."""
    done = subprocess.run(
        [
            str(Path(sys.executable).with_name("st")),
            f"--config-file={_write_config(examples, where)}",
            "run",
            f"{address}/openapi-3.2.json",  # OpenAPI 3.1 cannot declare QUERY, which would count as unknown
            f"--phases={phases}",
            f"--max-examples={examples}",
            f"--seed={seed}",
            *(f"--include-operation-id={name}" for name in sorted(operations)),
        ],
        cwd=where,
        env=environment({"PYTHONPATH": str(ROOT)}),
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        process_group=guarded_group(),
    )
    print(done.stdout)
    assert done.returncode == 0


def _write_config(examples: int, where: Path) -> Path:
    """Write the configuration anew, so that no operation has more examples than the others."""
    text = (ROOT / "schemathesis.toml").read_text(encoding="utf-8")
    written = where / "schemathesis.toml"
    written.write_text(
        re.sub(r"max-examples = (\d+)", lambda most: f"max-examples = {min(int(most[1]), examples)}", text)
    )
    return written


class _Asked:
    """A server and what its log says of the requests that it has answered."""

    def __init__(self, server: Server) -> None:
        self.address = f"http://127.0.0.1:{server.port}"
        self._log = server.process.stdout
        self._counts = {op.operation_id: Counter[int]() for op in OPERATIONS}
        self._marks = Queue[str]()
        self._reader = Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        names = {(op.method.upper(), op.path): op.operation_id for op in OPERATIONS}
        for line in map(json.loads, self._log or ()):
            if line["event"] == "request" and (name := names.get((line["method"], line["route"]))):
                self._counts[name][line["status"]] += 1
            elif line.get("route") == NO_ROUTE:
                self._marks.put(line["request_id"])

    def read_to_end(self) -> None:
        """Wait until the log has ended, with its server."""
        self._reader.join()

    def count(self, mark: str) -> dict[str, Counter[int]]:
        """Count what was answered, by operation and status, until a request with this id."""
        httpx.get(f"{self.address}/nowhere", headers={"x-request-id": mark}, timeout=WAIT)
        while self._marks.get(timeout=WAIT) != mark:
            pass
        print({name: dict(count) for name, count in self._counts.items() if count})
        return self._counts


@contextmanager
def _serving() -> Generator[_Asked]:
    with serving(LOG_FORMAT="json", LOG_LEVEL="info") as server:
        asked = _Asked(server)
        try:
            yield asked
        finally:
            server.process.terminate()
            asked.read_to_end()


def _successes(count: Counter[int]) -> int:
    return sum(number for status, number in count.items() if status < 300)


@pytest.mark.parametrize("operations", [_OTHERS, _ON_GAMES], ids=["others", "games"])
def test_every_answer_is_as_the_document_says(operations: set[str], tmp_path: Path) -> None:
    with _serving() as asked:
        # few requests to live games are sound, so these are asked more often
        daily = 25 if operations == _ON_GAMES else 4
        _ask(asked.address, PHASES, operations, choose_effort(daily=daily, nightly=100), tmp_path)
        counts = asked.count("end")
    reached = operations - _OUT_OF_REACH
    assert {name: count for name, count in counts.items() if name in reached and not _successes(count)} == {}
    assert not any(count[500] for count in counts.values())


@pytest.mark.nightly  # every time, each link is followed from an example: tests/api/openapi/test_document.py
@pytest.mark.parametrize(
    ("operations", "led_to"),
    [
        (_OTHERS, ("get_legal_moves", "get_position", "get_scores", "get_ruleset")),
        (_ON_GAMES, ("get_game", "deal_next", "add_entropy", "play_card", "list_changes", "get_record")),
    ],
    ids=["others", "games"],
)
def test_answers_lead_on_to_further_requests(operations: set[str], led_to: tuple[str, ...], tmp_path: Path) -> None:
    counts, missed = dict[str, Counter[int]](), dict[str, Counter[int]]()
    with _serving() as asked:
        for walk in range(WALKS):
            _ask(asked.address, "stateful", operations, 130, tmp_path, SEED + walk)
            counts = asked.count(f"walk-{walk}")
            missed = {name: counts[name] for name in led_to if not _successes(counts[name])}
            if not missed:
                break
    assert missed == {}
    assert not any(count[500] for count in counts.values())
