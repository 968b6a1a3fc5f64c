"""The page of the readings: each field and each test that it names is there, and no reading is left out."""

import re
from importlib import import_module
from typing import Final, NamedTuple

import pytest
from msgspec.structs import asdict

from service.game.rulesets import RULESETS, Sources
from tests.deploy.files import ROOT

PAGE: Final = (ROOT / "docs" / "readings.md").read_text(encoding="utf-8")
TESTS: Final = sorted(set(re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)))


class Row(NamedTuple):
    """A sentence of a source."""

    section: str
    says: str
    held_by: frozenset[str]
    tests: str


def rows_of(source: str) -> list[Row]:
    """Return the rows of a source."""
    lines = PAGE.partition(f"\n## {source}\n")[2].partition("\n## ")[0].strip().splitlines()[2:]
    cells = [[cell.strip() for cell in line.removeprefix("|").removesuffix("|").split("|")] for line in lines]
    return [Row(section, says, frozenset(re.findall(r"\w+", held)), tests) for section, says, held, tests in cells]


def test_the_page_has_the_sources_of_all_rulesets() -> None:
    assert set(re.findall("^## (.*)", PAGE, re.MULTILINE)) - {"Readings of no single source"} == set(RULESETS)


@pytest.mark.parametrize(("file", "name"), TESTS)
def test_every_test_that_the_page_names_is_there(file: str, name: str) -> None:
    module = import_module(file.removesuffix(".py").replace("/", "."))
    assert callable(getattr(module, name))


@pytest.mark.parametrize("source", RULESETS)
def test_every_rule_has_what_holds_it_and_a_test(source: str) -> None:
    rows = rows_of(source)
    assert [row for row in rows if bool(row.held_by) != ("::" in row.tests)] == []
    assert {field for row in rows for field in row.held_by} - {"all"} == set(Sources.__struct_fields__)


@pytest.mark.parametrize("source", RULESETS)
def test_the_fields_that_are_marked_as_readings_are_those_of_which_the_page_says_so(source: str) -> None:
    marked = {field for field, told in asdict(RULESETS[source].sources).items() if told.reading}
    rows = rows_of(source)
    silent = {field for row in rows if row.section == "silent" for field in row.held_by} - {"all"}
    read = {field for row in rows if re.search(r"\bread(ings?)?\b|is not said", row.says) for field in row.held_by}
    if source == "french-whist":  # what it has of trebor is marked there
        read |= {field for field, told in asdict(RULESETS["trebor"].sources).items() if told.reading}
    assert silent <= marked <= silent | read
