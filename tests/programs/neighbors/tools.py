"""Other people's tools at exact versions, each installed once into its own folder below .neighbors.

None of them is shipped, so there is no lock: the registry chooses a tool's own dependencies.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from fcntl import LOCK_EX, flock
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Final

from tests.programs.binaries import NoProgram
from tests.support.processes import ROOT

KEPT: Final = ROOT / ".neighbors"
LONGEST: Final = 3600
"""Seconds after which a tool hangs, on any machine: the longest takes a minute or two."""
_NOTHING: Final[Mapping[str, str]] = MappingProxyType({})


def run(*command: str | Path, folder: Path, settings: Mapping[str, str] = _NOTHING) -> str:
    """Run a tool, and return its output.

    Errors: AssertionError with the end of its output, if it failed.
    """
    done = subprocess.run(
        [*map(str, command)],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "NO_COLOR": "1", **settings},
        timeout=LONGEST,
        check=False,
    )
    said = done.stdout + done.stderr
    assert done.returncode == 0, f"{Path(command[0]).name} ends with {done.returncode}: {said[-2000:]}"
    return said


def find(program: str) -> str:
    """Return the path of an installed program. Errors: NoProgram."""
    found = shutil.which(program)
    if found is None:
        raise NoProgram(f"{program} is not installed")
    return found


def get_from_pypi(*packages: str) -> Path:
    """Return a folder of packages at these versions, for PYTHONPATH. Errors: NoProgram."""
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", "install", "--quiet")
    return _get(packages, *pip, "--only-binary=:all:", "--target", "{}", *packages)


def get_from_npm(*packages: str) -> Path:
    """Return a folder in whose node_modules are packages at these versions. Errors: NoProgram."""
    _require_node()
    npm = (find("npm"), "install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock")
    return _get(packages, *npm, "--loglevel=error", "--prefix", "{}", *packages)


def _require_node() -> None:
    major = int(run(find("node"), "--version", folder=ROOT).removeprefix("v").partition(".")[0])
    if major < 20:
        raise NoProgram(f"Node 20 or newer is needed, and this is {major}")


def _get(packages: Sequence[str], *command: str) -> Path:
    """Return the folder that a command fills in the place of {}; it is filled once. Errors: NoProgram."""
    kept = KEPT / " ".join(packages).replace("/", "+")
    KEPT.mkdir(exist_ok=True)
    with kept.with_name(f"{kept.name}.lock").open("w") as lock:
        flock(lock, LOCK_EX)
        if not kept.exists():
            with TemporaryDirectory(dir=KEPT) as made:
                words = [word.format(made) for word in command]
                done = subprocess.run(words, capture_output=True, text=True, timeout=LONGEST, check=False)
                if done.returncode:
                    raise NoProgram(f"{Path(command[0]).name} cannot get {packages[0]}: {done.stderr.strip()[-200:]}")
                shutil.copytree(made, kept, symlinks=True)
    return kept
