"""Carry out the steps of the Dockerfile without a container: python -m tests.programs.image --lock otel.

The packages of the lock are installed by hash, as the Dockerfile says, with a Python of this machine, and the service
is started with what the image would hold, and nothing else. It has to answer; with the lock `otel` its spans have to
reach a collector. The exit code is 1 if they do not.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import msgspec

from tests.deploy.files import DOCKERFILE, DOCUMENTS, ROOT
from tests.support.guard import guarded_group
from tests.support.http.collector import Collector, collecting
from tests.support.http.samples import BODIES
from tests.support.http.server import Line, ended

LINES: Final = re.sub(r"\\\n\s*", "", DOCKERFILE.read_text())
BUILT_FROM: Final = ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE", *DOCUMENTS)
TRACE: Final = "4bf92f3577b34da6a3ce929d0e0e4736"


def words(instruction: str) -> list[str]:
    """Return the words of an instruction of the last stage that is written as a list."""
    found = re.findall(rf"^{instruction} (\[.*\])$", LINES, re.MULTILINE)
    return msgspec.json.decode(found[-1], type=list[str])


def build(folder: Path, lock: str, python: str) -> None:
    """Run the commands of the first stage, in a folder as the root of the image."""
    app, programs = folder / "app", folder / "bin"
    for name in (f"requirements/{lock}.txt", "requirements/compile.txt", *BUILT_FROM):
        (app / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, app / name)
    shutil.copytree(ROOT / "service", app / "service", ignore=shutil.ignore_patterns("__pycache__"))
    programs.mkdir()
    found = shutil.which(python)
    assert found is not None, f"there is no {python}"
    (programs / "python").write_text(f'#!/bin/sh\nexec "{found}" "$@"\n')
    (programs / "python").chmod(0o755)
    environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "LOCK": lock}
    for run in re.findall(r"^RUN (.*)$", LINES, re.MULTILINE):
        command = run.replace("/venv", str(folder / "venv")).replace("/compiling", str(folder / "compiling"))
        subprocess.run(["sh", "-euc", command], cwd=app, env=environment, check=True, stdout=subprocess.DEVNULL)


@contextmanager
def started(folder: Path, **settings: str) -> Generator[tuple[int, subprocess.Popen[str]]]:
    """Start the service as the image does; give its port and its process, which is stopped at the end."""
    command = [*words("ENTRYPOINT"), *words("CMD")]
    process = subprocess.Popen(
        [folder / "venv" / "bin" / command[0], *command[1:]],
        cwd=folder / "app" / "built",
        env={"HOST": "127.0.0.1", "PORT": "0", "LOG_FORMAT": "text", "LOG_LEVEL": "warning", **settings},
        stdout=subprocess.PIPE,
        text=True,
        process_group=guarded_group(),
    )
    with ended(process):
        assert process.stdout is not None
        said = next(line for line in process.stdout if "/docs" in line)
        yield int(said.partition("/docs")[0].rpartition(":")[2]), process


def ask(port: int) -> None:
    """Ask questions, two of them in one trace."""
    body = msgspec.json.encode(BODIES["verdicts"])
    headers = ("traceparent", f"00-{TRACE}-00f067aa0ba902b7-01")
    with Line(port) as line:
        for _ in range(2):
            assert line.ask("/v1/verdicts", body, headers).status == 200
        for path in ("/livez", "/readyz", "/metrics", "/openapi.json", "/arazzo.json", "/guide/rules"):
            assert line.ask(path, method="GET").status == 200


def try_out(folder: Path, collector: Collector) -> int:
    """Start what was built, ask, and stop; return the exit code of the service."""
    with started(folder, OTEL_EXPORTER_OTLP_ENDPOINT=collector.url) as (port, process):
        ask(port)
    return process.returncode


def main() -> int:
    """Build and try out what the command line names."""
    parser = argparse.ArgumentParser(prog="python -m tests.programs.image", description=__doc__)
    parser.add_argument("--lock", choices=("run", "otel"), default="run", help="the build argument LOCK (run)")
    parser.add_argument("--python", default=sys.executable, help="the Python in place of the one of the base image")
    asked = parser.parse_args()
    with TemporaryDirectory() as name, collecting() as collector:
        build(Path(name), asked.lock, asked.python)
        ended = try_out(Path(name), collector)
    spans = sorted(span for spans in collector.spans.values() for span in spans)
    print(f"ended with {ended}; {collector.exports} exports of {len(spans)} spans: {', '.join(spans) or 'none'}")
    traced = collector.spans.get(TRACE) == ["POST /v1/verdicts"] * 2
    return int(ended != 0 or traced != (asked.lock == "otel"))


if __name__ == "__main__":
    sys.exit(main())
