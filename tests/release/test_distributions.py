"""The distributions hold what they must, and the same tree gives the same bytes."""

import tarfile
import tomllib
from hashlib import sha256
from pathlib import Path
from typing import Final
from zipfile import ZipFile

import pytest

from tests.release.distributions import ROOT, Distributions, build

_HATCH: Final = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]
INCLUDED: Final[list[str]] = _HATCH["targets"]["sdist"]["only-include"]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Distributions:
    return build(tmp_path_factory.mktemp("built") / "dist")


@pytest.mark.parametrize("name", INCLUDED)
def test_every_part_of_the_source_distribution_is_in_it(name: str, built: Distributions) -> None:
    with tarfile.open(built.sdist) as packed:
        parts = {path.split("/")[1] for path in packed.getnames()}
    assert name in parts


def test_the_wheel_holds_the_service_with_the_files_of_its_pages_and_nothing_else(built: Distributions) -> None:
    with ZipFile(built.wheel) as packed:
        names = packed.namelist()
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == {"service"}
    assert any(name.endswith(".css") for name in names)


def test_the_hashes_are_those_of_the_two_files(built: Distributions) -> None:
    folder = built.wheel.parent
    lines = (folder / "SHA256SUMS").read_text(encoding="ascii").splitlines()
    assert lines == [f"{sha256(path.read_bytes()).hexdigest()}  {path.name}" for path in built]
    assert {path.name for path in folder.iterdir()} == {"SHA256SUMS", *(path.name for path in built)}


def test_the_same_tree_gives_the_same_bytes(built: Distributions, tmp_path: Path) -> None:
    again = build(tmp_path / "dist")
    assert [path.read_bytes() for path in again] == [path.read_bytes() for path in built]
