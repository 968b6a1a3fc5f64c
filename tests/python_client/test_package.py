"""The package as it is published: its modules and types, what it needs, and nothing of the service."""

import re
import tarfile
from email import message_from_bytes
from pathlib import Path
from zipfile import ZipFile

import catch_the_ten

import service
from clients.python.generate.__main__ import PACKAGE
from deploy.release.distributions import ROOT, build

TREE = PACKAGE.parents[1]


def test_the_distributions_hold_the_package_and_no_service(tmp_path: Path) -> None:
    built = build(tmp_path / "dist", TREE)
    modules = {path.relative_to(PACKAGE.parent).as_posix() for path in PACKAGE.rglob("*.py")}
    with ZipFile(built.wheel) as wheel:
        names = {name for name in wheel.namelist() if ".dist-info/" not in name}
        (metadata,) = (wheel.read(name) for name in wheel.namelist() if name.endswith("/METADATA"))
    assert names == modules | {"catch_the_ten/py.typed"}
    with tarfile.open(built.sdist) as sdist:
        parts = {name.partition("/")[2] for name in sdist.getnames()}
    others = {"LICENSE", "PKG-INFO", "README.md", "pyproject.toml", "hatch_build.py", ".gitignore"}
    assert parts <= others | {f"src/{name}" for name in names}
    requirements: list[str] = message_from_bytes(metadata).get_all("Requires-Dist", [])
    needed = {name for line in requirements for name in re.findall(r"^[a-z-]+", line)}
    assert needed == {"anyio", "httpx", "httpx-sse", "msgspec", "tenacity"}


def test_its_license_and_its_version_are_those_of_the_service() -> None:
    assert (TREE / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()
    assert catch_the_ten.__version__ == service.__version__
