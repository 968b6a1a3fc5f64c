"""A compiled build is the same service: it says what it is, and its structs are as strict as their sources say."""

import ast
import importlib
import os
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

import service
from service.platform.build import BUILD

ROOT: Final = Path(service.__file__).parents[1]
SOURCES: Final = {str(path.relative_to(ROOT)): path.read_text() for path in sorted(ROOT.glob("service/**/*.py"))}
_BUILD: Final = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]
COMPILED: Final[list[str]] = _BUILD["targets"]["wheel"]["hooks"]["custom"]["modules"]


def structs(text: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the name of every struct that a source defines, with the options that it names."""
    for node in ast.parse(text).body:
        if isinstance(node, ast.ClassDef) and any("Struct" in ast.unparse(base) for base in node.bases):
            yield node.name, {option.arg: ast.literal_eval(option.value) for option in node.keywords if option.arg}


@pytest.mark.parametrize("path", SOURCES)
def test_every_struct_is_as_strict_as_its_source_says(path: str) -> None:
    for name, options in structs(SOURCES[path]):
        struct = getattr(importlib.import_module(path.removesuffix(".py").replace("/", ".")), name)
        config = struct.__struct_config__
        options.pop("kw_only", None)  # which is not kept
        assert {option: getattr(config, option) for option in options} == options
        assert issubclass(struct, msgspec.Struct)


def test_no_module_that_is_compiled_defines_a_struct() -> None:
    assert set(COMPILED) <= SOURCES.keys()
    assert {path: [*structs(SOURCES[path])] for path in COMPILED} == {path: [] for path in COMPILED}


@pytest.mark.parametrize("path", COMPILED)
def test_a_build_is_compiled_as_a_whole_or_not_at_all(path: str) -> None:
    module = importlib.import_module(path.removesuffix(".py").replace("/", "."))
    assert module.__file__ is not None
    assert module.__file__.endswith(".py") == (BUILD == "pure")


def test_the_build_that_is_to_be_tried_is_tried() -> None:
    assert os.environ.get("BUILD", BUILD) == BUILD
