"""The page for players is committed with what it is built from: seen without Node."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

from service import __version__
from tests.api.openapi.reading import ROOT

CLIENTS: Final = ROOT / "clients"
STATIC: Final = ROOT / "service" / "api" / "pages" / "static"
MADE_WITH: Final = ("typescript/src", "table/src", "table/build.mjs", "package-lock.json")
BUILT: Final = ("table.js", "table.css", "table-de.js", "deal.svg")


def list_files() -> Iterator[tuple[str, Path]]:
    """List the sources of the page and what is built of them, named as in clients/table/build.mjs."""
    for name in MADE_WITH:
        path = CLIENTS / name
        for file in path.rglob("*") if path.is_dir() else [path]:
            if file.is_file() and file.name != "schema.ts":
                yield file.relative_to(CLIENTS).as_posix(), file
    for name in BUILT:
        yield f"../{(STATIC / name).relative_to(ROOT).as_posix()}", STATIC / name


def test_the_page_for_players_is_built_from_its_sources() -> None:
    hashed = sha256()
    for name, path in sorted(list_files()):
        hashed.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    assert hashed.hexdigest() == (CLIENTS / "table" / "built.sha256").read_text().strip(), "make openapi builds it"


def test_the_package_for_typescript_has_the_version_of_the_service() -> None:
    said = msgspec.json.decode((CLIENTS / "typescript" / "package.json").read_bytes())["version"]
    assert said == __version__.replace(".dev", "-dev."), "npm writes 1.1.0.dev0 with a dash"
