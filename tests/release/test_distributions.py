"""The distributions hold what they must, and the same tree gives the same bytes."""

import re
import tarfile
import tomllib
from hashlib import sha256
from pathlib import Path
from typing import Final
from zipfile import ZipFile

import pytest

from deploy.release.distributions import ROOT, TRIED, Distributions, build, unpack, write_sums
from service.api.pages.guide import DOCUMENTS
from tests.support.http.server import Line, serving

_HATCH: Final = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]
INCLUDED: Final[list[str]] = _HATCH["targets"]["sdist"]["include"]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Distributions:
    return build(tmp_path_factory.mktemp("built") / "dist")


def test_every_part_of_the_source_distribution_is_in_it(built: Distributions) -> None:
    with tarfile.open(built.sdist) as packed:
        parts = {path.split("/")[1] for path in packed.getnames()}
    assert {name.removeprefix("/") for name in INCLUDED} <= parts


def test_the_wheel_holds_the_service_with_the_files_of_its_pages_and_nothing_else(built: Distributions) -> None:
    with ZipFile(built.wheel) as packed:
        names = packed.namelist()
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == {"service"}
    assert any(name.endswith(".css") for name in names)


def test_an_installed_wheel_serves_every_document(built: Distributions, tmp_path: Path) -> None:
    with ZipFile(built.wheel) as packed:
        packed.extractall(tmp_path)
    with serving(None, tmp_path) as server, Line(server.port) as line:
        for address in ("arazzo.json", *DOCUMENTS):
            assert line.ask(f"/{address}", method="GET").status == 200, address
        (title,) = re.findall("<h1[^>]*>(.*?)</h1>", line.ask("/guide/rules", method="GET").body.decode())
    assert (
        (tmp_path / "service/api/pages/documents/docs/rules.md").read_text(encoding="utf-8").startswith(f"# {title}\n")
    )


def test_the_hashes_are_those_of_all_files_of_a_release(built: Distributions) -> None:
    folder = built.wheel.parent
    assert set(folder.iterdir()) == set(built)
    said = write_sums(folder)
    assert (folder / "SHA256SUMS").read_text(encoding="ascii") == said
    assert set(said.splitlines()) == {f"{sha256(path.read_bytes()).hexdigest()}  {path.name}" for path in built}


def test_the_same_tree_gives_the_same_bytes_also_where_npm_links_to_its_packages(
    built: Distributions, tmp_path: Path
) -> None:
    # Built from a commit: other tests may have files in the working tree.
    tree = unpack(built.sdist, tmp_path)
    assert (tree / "clients" / "typescript" / "package.json").exists()
    (tree / "clients" / "node_modules").mkdir()
    (tree / "clients" / "node_modules" / "catch-the-ten").symlink_to(tree / "clients" / "typescript")
    again = build(tmp_path / "dist", tree)
    assert [path.read_bytes() for path in again] == [path.read_bytes() for path in built]


@pytest.mark.parametrize("name", TRIED)
def test_the_tests_that_are_run_in_a_source_distribution_are_there(name: str) -> None:
    assert (ROOT / "tests" / name).exists()
