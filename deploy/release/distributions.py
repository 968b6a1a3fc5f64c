"""The distributions of a release: built, and tried as their users would."""

import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import msgspec

ROOT: Final = Path(__file__).parents[2]


class Unfit(Exception):
    """A distribution fails a check."""


class Distributions(NamedTuple):
    """The two distributions of a Python project."""

    sdist: Path
    wheel: Path


def build(folder: Path, tree: Path = ROOT) -> Distributions:
    """Build both distributions of a tree into a folder."""
    with TemporaryDirectory(prefix="release-") as name:
        run(tree, sys.executable, "-m", "hatchling", "build", "--directory", name)
        (sdist,) = Path(name).glob("*.tar.gz")
        (wheel,) = Path(name).glob("*.whl")
        folder.mkdir(exist_ok=True)
        return Distributions(Path(shutil.move(sdist, folder)), Path(shutil.move(wheel, folder)))


def write_sums(folder: Path) -> str:
    """Write the hashes of the files in a folder beside them, and return what is written."""
    sums = "".join(f"{sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(folder.iterdir()))
    (folder / "SHA256SUMS").write_text(sums, encoding="ascii")
    return sums


def try_wheel(wheel: Path, version: str) -> None:
    """Install a wheel beside the locked packages, and ask its command for the version and the document.

    Errors: Unfit, if it differs from the tree that it was built from.
    """
    with TemporaryDirectory(prefix="release-") as name:
        folder = Path(name)
        run(folder, sys.executable, "-m", "venv", "venv")
        install = ["venv/bin/python", "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
        run(folder, *install, "--require-hashes", "--no-deps", "-r", str(ROOT / "requirements" / "run.txt"))
        run(folder, *install, "--no-deps", str(wheel))
        said = run(folder, "venv/bin/catch-the-ten", "--version").split()
        document = msgspec.json.decode(run(folder, "venv/bin/catch-the-ten", "openapi"))
    if version not in said:
        raise Unfit(f"{wheel.name}: catch-the-ten --version says {' '.join(said)}.")
    if document != msgspec.json.decode((ROOT / "openapi" / "openapi.json").read_bytes()):
        raise Unfit(f"{wheel.name}: catch-the-ten openapi writes another document than openapi/openapi.json.")


TRIED: Final = ("api/openapi", "deploy", "docs", "game/rules", "game/rulesets", "game/test_cards.py", "release")
"""The tests that are run in a source distribution: those of the rules, and those that read its other files."""


def try_sdist(sdist: Path) -> str:
    """Unpack a source distribution, collect its tests and run a quick part of them; return what pytest says last.

    Errors: Unfit, if some cannot be collected or fail.
    """
    with TemporaryDirectory(prefix="release-") as name:
        folder = unpack(sdist, Path(name))
        run(folder, sys.executable, "-m", "clients.python.generate")
        pytest = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")
        run(folder, *pytest, "--collect-only")
        said = run(folder, *pytest, *(f"tests/{name}" for name in TRIED))
    return said.splitlines()[-1]


def unpack(sdist: Path, folder: Path) -> Path:
    """Unpack a source distribution into an empty folder, and return its tree; Python 3.11.2 has no safe way itself."""
    run(folder, "tar", "-xzf", str(sdist))
    (tree,) = folder.iterdir()
    return tree


def run(folder: Path, *command: str) -> str:
    """Run a command in a folder, and return its output.

    Errors: Unfit, with its output, if it fails.
    """
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Unfit(f"{' '.join(command)} ends with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout
