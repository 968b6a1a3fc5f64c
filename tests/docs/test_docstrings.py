"""A docstring's sections are those of this project, in one order; ruff holds its first line."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.support.http.server import ROOT

SECTIONS: Final = ["Shape", "Unit", "Errors", "Source"]
CODE: Final = [path for folder in ("service", "deploy", "openapi") for path in (ROOT / folder).rglob("*.py")]
_SECTION: Final = re.compile(r"^([A-Z]\w+):(?= |$)", re.MULTILINE)


def is_sound(docstring: str) -> bool:
    """Return True if the sections below the first line are known, stand once, and are in order."""
    found = _SECTION.findall(docstring.partition("\n")[2])
    return found == [name for name in SECTIONS if name in found]


def find_unsound(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            docstring = ast.get_docstring(node)
            if docstring is not None and not is_sound(docstring):
                yield f"{path.relative_to(ROOT)}: {getattr(node, 'name', 'module')}"


def test_every_docstring_has_only_the_sections_of_this_project_in_their_order() -> None:
    assert [found for path in sorted(CODE) for found in find_unsound(path)] == []


@pytest.mark.parametrize(
    ("sections", "sound"),
    [
        ("Shape: a list.\nErrors: Refusal.", True),
        ("Errors: Refusal.\nShape: a list.", False),
        ("Unit: seconds.\nUnit: bytes.", False),
        ("Args:\n    seat: The seat.", False),
        ("Raises:\n    Refusal: If it is late.", False),
    ],
)
def test_another_section_another_order_or_a_section_twice_is_found(sections: str, *, sound: bool) -> None:
    assert is_sound(f"Play a card.\n\n{sections}") is sound
