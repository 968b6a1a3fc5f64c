"""The lock of the lowest versions follows the lower bounds of pyproject.toml."""

import re
import tomllib
from typing import Any, Final

import pytest

from tests.support.http.server import ROOT

DEPENDENCIES: Final[list[str]] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
    "dependencies"
]
LOWEST: Final[dict[str, str]] = dict(
    re.findall(r"^([a-z0-9-]+)==(\S+)", (ROOT / "requirements" / "lowest.txt").read_text(), re.MULTILINE)
)


@pytest.mark.parametrize("dependency", DEPENDENCIES)
def test_the_lowest_version_of_a_dependency_is_locked_as_it_is_declared(dependency: str) -> None:
    declared: Any = re.match(r"([a-z0-9-]+)>=([0-9.]+)", dependency)
    assert declared is not None
    assert re.sub(r"(\.0)*$", "", LOWEST[declared[1]]) == re.sub(r"(\.0)*$", "", declared[2])
