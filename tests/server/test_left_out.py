"""The service runs without what requirements/left-out.in leaves out of its image and of `make run`."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import msgspec
import pytest

from tests.support.http.samples import BODIES
from tests.support.http.server import ROOT, Line, environment, serving

LEFT_OUT: Final = re.findall(
    r"^[a-z-]+", (ROOT / "requirements" / "left-out.in").read_text(encoding="utf-8"), re.MULTILINE
)
GONE_WITH_IT: Final = ("faker", "httpcore", "jinja2", "pygments", "werkzeug")
"""What only these bring."""
LOCKS: Final = ("run", "otel", "compile")
_REFUSING: Final = """
import sys

class Refusing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {names!r}:
            raise ImportError(f"{{name}} is left out")

sys.meta_path.insert(0, Refusing())
"""


@pytest.fixture
def without(tmp_path: Path) -> str:
    """A folder for PYTHONPATH with which these cannot be imported."""
    names = {name.replace("-", "_") for name in (*LEFT_OUT, *GONE_WITH_IT)}
    (tmp_path / "sitecustomize.py").write_text(_REFUSING.format(names=names), encoding="utf-8")
    return str(tmp_path)


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_has_none_of_it(lock: str) -> None:
    locked = re.findall(
        r"^([a-z0-9-]+)==", (ROOT / "requirements" / f"{lock}.txt").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert "litestar" in locked
    assert not {*LEFT_OUT, *GONE_WITH_IT} & {*locked}


def test_the_service_answers_without_it(without: str) -> None:
    message = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
    with serving(PYTHONPATH=without) as server, Line(server.port) as line:
        asked = {path: line.ask(path, method="GET") for path in ("/docs", "/openapi.json", "/metrics", "/readyz", "/")}
        assert {path: reply.status for path, reply in asked.items()} == dict.fromkeys(asked, 200)
        assert b"SwaggerUIBundle" in line.ask("/static/swagger-ui-bundle.js", method="GET").body
        assert line.ask("/v1/verdicts", msgspec.json.encode(BODIES["verdicts"])).status == 200
        assert line.ask("/v1/games", b'{"rules":"trebor","players":4}').status == 201
        assert line.ask("/v1/draws", b"{").status == 400
        assert line.ask("/nowhere", method="GET").status == 404
        assert line.ask("/mcp", message, ("mcp-protocol-version", "2025-06-18")).status == 200


@pytest.mark.parametrize("name", ["faker", "rich", "polyfactory"])
def test_what_is_left_out_cannot_be_imported_there(name: str, without: str) -> None:
    command = [sys.executable, "-c", f"import {name}"]
    done = subprocess.run(
        command, env=environment({"PYTHONPATH": without}), check=False, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert f"{name} is left out" in done.stderr
