"""The packages for callers: built beside the service, and tried as their users would."""

import json
import re
import shutil
import sys
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from deploy.release.distributions import ROOT, Unfit, run
from tests.support.http.server import serving

CLIENT: Final = ROOT / "clients" / "python"
PACKAGE: Final = ROOT / "clients" / "typescript"
_SAID: Final = "http://127.0.0.1:8000"
"""The address of the service in the READMEs."""


def build_package(folder: Path) -> Path:
    """Build the package for browsers and Node into a folder.

    Errors: Unfit, if it holds anything but its built modules.
    """
    if shutil.which("npm") is None:
        raise Unfit("The package for browsers and Node is built by npm; Node 20 or newer is needed.")
    (packed,) = json.loads(run(PACKAGE, "npm", "pack", "--json", "--loglevel=error", "--pack-destination", str(folder)))
    tarball: Path = folder / packed["filename"]
    differing = sorted(list_contents(tarball) ^ expect_contents())
    if differing:
        raise Unfit(f"{tarball.name} lacks, or should not have: {', '.join(differing)}.")
    return tarball


def list_contents(tarball: Path) -> set[str]:
    """List the files in a package."""
    with tarfile.open(tarball) as packed:
        return {name.removeprefix("package/") for name in packed.getnames()}


def expect_contents() -> set[str]:
    """List the expected files of the package: two per module, and those that npm requires."""
    built = {f"dist/{path.stem}{ending}" for path in (PACKAGE / "src").glob("*.ts") for ending in (".js", ".d.ts")}
    return built | {"LICENSE", "README.md", "package.json"}


def try_package(tarball: Path) -> None:
    """Install the package in an empty project, and play the first game of its README.

    Errors: Unfit, if it is not played to its end.
    """
    with TemporaryDirectory(prefix="release-") as name:
        folder = Path(name)
        (folder / "package.json").write_text('{"private": true, "type": "module"}', encoding="utf-8")
        run(folder, "npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", str(tarball))
        _play_first_game(folder, tarball, PACKAGE, "node", "game.js")


def try_client(wheel: Path) -> None:
    """Install the client for Python in an empty environment, and play the first game of its README.

    Errors: Unfit, if it is not played to its end.
    """
    with TemporaryDirectory(prefix="release-") as name:
        folder = Path(name)
        run(folder, sys.executable, "-m", "venv", "venv")
        run(folder, "venv/bin/python", "-m", "pip", "--disable-pip-version-check", "install", "--quiet", str(wheel))
        _play_first_game(folder, wheel, CLIENT, "venv/bin/python", "game.py")


def _play_first_game(folder: Path, built: Path, tree: Path, program: str, script: str) -> None:
    found = re.search(
        r"^```(?:js|python)\n(.*?)^```", (tree / "README.md").read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    if found is None or _SAID not in found[1]:
        raise Unfit(f"The README of {built.name} has no first game.")
    with serving() as served:
        game = found[1].replace(_SAID, f"http://127.0.0.1:{served.port}")
        (folder / script).write_text(game, encoding="utf-8")
        said = run(folder, program, script).splitlines()
    if not said or not re.search(r"\bwins$|\bWinners:", said[-1]):
        raise Unfit(f"{built.name}: the first game of its README ends with {said[-1:]}.")
