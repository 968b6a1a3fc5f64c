"""The image: its user, its contents and its health check."""

import re
import subprocess
import sys

import pytest

from tests.deploy.files import DOCUMENTS, ROOT
from tests.programs.image import LINES, words
from tests.support.http.server import environment, serving
from tests.support.redis_server import free_port


def ask_health(port: int) -> int:
    """Run the health check of the image and return its exit code."""
    python, *rest = words(r"HEALTHCHECK .*? CMD")
    assert python == "python"
    return subprocess.run(
        [sys.executable, *rest], env=environment({"PORT": str(port)}), check=False, stderr=subprocess.DEVNULL
    ).returncode


def test_the_health_check_is_content_with_a_service_that_lives() -> None:
    with serving() as server:
        assert ask_health(server.port) == 0


def test_the_health_check_is_not_content_where_nothing_answers() -> None:
    assert ask_health(free_port()) != 0


def test_the_service_is_started_without_a_shell_and_can_be_told_to_stop() -> None:
    assert [*words("ENTRYPOINT"), *words("CMD")] == ["python", "-m", "service", "serve"]
    assert "STOPSIGNAL SIGTERM" in LINES


def test_nobody_with_rights_runs_in_it() -> None:
    (user,) = re.findall(r"^USER (\d+):\d+$", LINES, re.MULTILINE)
    assert int(user) >= 10_000


def test_only_locked_packages_come_in() -> None:
    installs = [line for line in LINES.splitlines() if " install " in line]
    assert [line.rpartition(" -r ")[2] for line in installs] == [
        '"requirements/${LOCK}.txt"',
        "requirements/compile.txt",
    ]
    assert all("--require-hashes" in line and "--only-binary=:all:" in line for line in installs)
    assert re.findall(r"^ARG LOCK=(\w+)$", LINES, re.MULTILINE) == ["run"]
    assert "apt-get" not in LINES
    assert "ADD " not in LINES


@pytest.mark.parametrize("label", ["title", "description", "licenses", "version", "revision", "created"])
def test_the_image_says_what_it_is(label: str) -> None:
    assert f"org.opencontainers.image.{label}=" in LINES


def test_the_builder_gets_nothing_but_what_it_needs() -> None:
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    kept = [line for line in ignored if line.startswith("!")]
    assert ignored[1] == "*"
    assert kept == [
        "!requirements/run.txt",
        "!requirements/otel.txt",
        "!requirements/compile.txt",
        "!pyproject.toml",
        "!hatch_build.py",
        "!README.md",
        "!service",
        "!LICENSE",
        *(f"!{path}" for path in DOCUMENTS),
    ]


def test_an_image_that_can_trace_has_the_same_packages_and_those_of_traces_besides() -> None:
    run, otel = (locked(name) for name in ("run", "otel"))
    assert run.items() <= otel.items()
    more = otel.keys() - run.keys()
    assert "opentelemetry-sdk" in more
    assert locked("dev").items() >= {(name, otel[name]) for name in more}, "what is tested is what is built"


def locked(name: str) -> dict[str, str]:
    """Return the packages of a lock with their versions."""
    text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    return dict(re.findall(r"^([\w.-]+)==([^ ]+)", text, re.MULTILINE))


def test_the_service_does_not_ask_for_its_package_which_the_image_does_not_hold() -> None:
    assert not [file for file in (ROOT / "service").rglob("*.py") if "importlib.metadata" in file.read_text()]
