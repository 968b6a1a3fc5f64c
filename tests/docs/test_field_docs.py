"""A class with more than four fields says of each field, below it, what its type does not."""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.support.http.server import ROOT

MOST = 4
"""Fields of a class that its name and its docstring explain."""


def find_undocumented(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ClassDef):
            pairs = list(zip(node.body, [*node.body[1:], None], strict=True))
            fields = [(one, below) for one, below in pairs if isinstance(one, ast.AnnAssign)]
            for one, below in fields if len(fields) > MOST else ():
                is_text = isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)
                if not is_text and "description=" not in ast.unparse(one.annotation):  # which the document has
                    yield f"{path.relative_to(ROOT)}:{one.lineno} {node.name}: {ast.unparse(one.target)}"


def test_every_field_of_a_class_with_many_is_documented() -> None:
    assert [found for path in sorted((ROOT / "service").rglob("*.py")) for found in find_undocumented(path)] == []
