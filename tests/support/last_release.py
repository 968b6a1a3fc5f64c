"""The last release as its users run it: its tree, with the packages of its own lock."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from deploy.release.changelog import CHANGELOG, find_last, parse_changelog

ROOT = Path(__file__).parents[2]
SECONDS = 60
"""The limit for fetching one commit."""


class NotFetched(Exception):
    """The commit of the last release is not in this clone, and cannot be fetched."""


class Build(NamedTuple):
    """A tree of the service, and the Python that has its packages."""

    version: str
    tree: Path
    python: str

    @property
    def format(self) -> int:
        """The latest format of stored entries that it reads."""
        found = re.search(r"^FORMAT: Final = (\d+)$", (self.tree / "service/live/entries.py").read_text(), re.MULTILINE)
        assert found is not None
        return int(found[1])


def fetch_last_release(folder: Path) -> Build:
    """Unpack the tree of the last release into a new folder, and install its packages beside it.

    Errors: NotFetched.
    """
    last = find_last(parse_changelog(CHANGELOG.read_text(encoding="utf-8")))
    if last is None or last.version is None or last.commit is None:
        raise NotFetched("CHANGELOG.md does not name the commit of a release.")
    _require_commit(last.version, last.commit)
    tree, environment = folder / "tree", folder / "environment"
    tree.mkdir(parents=True)
    archive = folder / "tree.tar"
    subprocess.run(["git", "archive", f"--output={archive}", last.commit], cwd=ROOT, check=True)
    subprocess.run(["tar", "-xf", str(archive), "-C", str(tree)], check=True)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input"]
    install = ["install", "--quiet", "--require-hashes", "--no-deps", "-r", str(tree / "requirements" / "run.txt")]
    python = str(environment / "bin" / "python")
    subprocess.run([*pip, "--python", python, *install], check=True)
    return Build(last.version, tree, python)


def _require_commit(version: str, commit: str) -> None:
    """Fetch a commit if it is not here, as in a shallow clone."""
    fetch = ["git", "fetch", "--quiet", "--depth=1", "origin", commit]
    if not _has_commit(commit):
        calm = {**os.environ, "GIT_TERMINAL_PROMPT": "0"}
        subprocess.run(fetch, cwd=ROOT, env=calm, check=False, timeout=SECONDS)
    if not _has_commit(commit):
        raise NotFetched(
            f"The commit of {version}, {commit}, is not in this clone, and {' '.join(fetch[:2])} does not get it.\n"
            "Clone the whole history, or get the rest of it: git fetch --unshallow"
        )


def _has_commit(commit: str) -> bool:
    asked = ["git", "cat-file", "-e", f"{commit}^{{commit}}"]
    return not subprocess.run(asked, cwd=ROOT, check=False, capture_output=True).returncode
