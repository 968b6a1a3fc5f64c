"""The guides on security and on what is hidden name tests that exist, the first for each of the ten risks."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
GUIDE: Final = (ROOT / "deploy" / "SECURITY.md").read_text()
HIDDEN: Final = (ROOT / "docs" / "hidden.md").read_text()
NAMED: Final[list[tuple[str, str]]] = sorted(set(re.findall(r"`(tests/\S+\.py)::(\w+)`", GUIDE + HIDDEN)))
RISKS: Final = re.findall(r"^### (API\d+) .*?$(.*?)(?=^##)", GUIDE, re.MULTILINE | re.DOTALL)
CLIENTS: Final = {"aiohttp", "ftplib", "http", "httpx", "requests", "smtplib", "subprocess", "urllib", "xmlrpc"}
DIGITS: Final = str.maketrans("¹²³⁴⁵⁶⁷⁸⁹⁰", "1234567890")
_HARMLESS: Final = {"http.HTTPStatus", "urllib.parse"}


@pytest.mark.parametrize(("path", "name"), NAMED, ids=[name for _, name in NAMED])
def test_a_test_that_the_guide_names_exists(path: str, name: str) -> None:
    functions = {node.name for node in ast.parse((ROOT / path).read_text()).body if isinstance(node, ast.FunctionDef)}
    assert name in functions


def test_each_of_the_ten_risks_has_a_test() -> None:
    assert [risk for risk, _ in RISKS] == [f"API{number}" for number in range(1, 11)]
    for risk, text in RISKS:
        assert "::test_" in text, risk


def test_each_cell_of_who_can_hurt_whom_names_a_test_or_says_that_the_two_cannot_meet() -> None:
    _, _, section = GUIDE.partition("## Who can hurt whom")
    rows = [line.strip("| ").split(" | ") for line in section.partition("\n## ")[0].splitlines() if line[:2] == "| "]
    numbers = set(re.findall(r"^(\d+)\. `tests/", section, re.MULTILINE))
    assert len(rows) > 10
    for feature, *cells in rows[2:]:
        named = [set(re.findall(r"[¹²³⁴⁵⁶⁷⁸⁹⁰]+", cell)) for cell in cells]
        for cell, notes in zip(cells, named, strict=True):
            assert notes or "annot meet" in cell, (feature, cell)
            assert {note.translate(DIGITS) for note in notes} <= numbers, (feature, cell)


def imported(path: Path) -> Iterator[str]:
    """List the modules that a file imports."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def test_the_service_has_no_client_that_could_be_sent_elsewhere() -> None:
    modules = {module for path in (ROOT / "service").rglob("*.py") for module in imported(path)}
    assert "redis.asyncio.cluster" in modules
    assert {module for module in modules - _HARMLESS if module.partition(".")[0] in CLIENTS} == set()
