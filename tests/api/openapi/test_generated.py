"""What clients are made from, and what is made of it, are committed together: seen without Node."""

from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from service import __version__
from tests.api.openapi.reading import COMMITTED

CLIENTS: Final = COMMITTED.parent / "clients"
STEPS: Final[list[dict[str, Any]]] = msgspec.json.decode((CLIENTS / "generated.json").read_bytes())


def list_files(names: Iterable[str]) -> list[str]:
    """List the named files, and the files in the named folders, in the order of their names."""
    found: list[str] = []
    for name in names:
        path = CLIENTS / name
        inside = sorted(path.rglob("*")) if path.is_dir() else [path]
        found += [name + str(file)[len(str(path)) :] for file in inside if file.is_file()]
    return sorted(found)


def digest(names: Iterable[str]) -> str:
    """Digest names and contents, as openapi/clients/generate.mjs does."""
    hashed = sha256()
    for name in list_files(names):
        hashed.update(name.encode() + b"\0" + Path(CLIENTS / name).read_bytes() + b"\0")
    return hashed.hexdigest()


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step["made"][0])
def test_what_is_generated_for_clients_is_current(step: dict[str, Any]) -> None:
    made, sources = ", ".join(step["made"]), ", ".join(step["from"])
    assert digest([*step["from"], *step["made"]]) == step["sha256"], f"make openapi makes {made} of {sources}"


def test_the_package_for_typescript_has_the_version_of_the_service() -> None:
    assert msgspec.json.decode((CLIENTS / "typescript" / "package.json").read_bytes())["version"] == __version__
