"""Rules that are wrong on purpose, one at a time: each line of mutants.jsonl changes the source of the service.

Each must change an answer; otherwise it is no wrong rule. At night, `make mutation` judges the mutants of mutmut: a
changed operator, number, word or argument. The rules here are of other kinds: a wrong field, card, event or moment, or
a missing step.
"""

from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from inspect import CO_NEWLOCALS, unwrap
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, Final

import msgspec

SERVICE: Final = Path(__file__).parents[2] / "service"


class Mutant(msgspec.Struct, frozen=True):
    """A wrong rule: a right part of a file below service/, and its wrong replacement."""

    name: str
    file: str
    right: str
    wrong: str
    case: str
    """The case of the kit that is asked first: it finds this rule, unless the cases have changed since."""


def read_mutants() -> tuple[Mutant, ...]:
    """Read all wrong rules."""
    lines = Path(__file__).with_name("mutants.jsonl").read_bytes().splitlines()
    return tuple(msgspec.json.decode(line, type=Mutant) for line in lines)


@contextmanager
def planted(mutant: Mutant) -> Generator[None]:
    """Give the functions of a module the code of a wrong source, for everybody who has imported them.

    Errors: ValueError if the right rule does not stand there once, or if no function changes.
    """
    path = SERVICE / mutant.file
    source = path.read_text(encoding="utf-8")
    if source.count(mutant.right) != 1:
        raise ValueError(f"{mutant.name}: stands {source.count(mutant.right)} times in {mutant.file}: {mutant.right}")
    module = import_module("service." + mutant.file.removesuffix(".py").replace("/", "."))
    right, wrong = (
        _codes(compile(text, path, "exec")) for text in (source, source.replace(mutant.right, mutant.wrong))
    )
    changed = [
        one for one in _functions(vars(module), module.__name__) if wrong[one.__qualname__] != right[one.__qualname__]
    ]
    if not changed:
        raise ValueError(f"{mutant.name}: changes no function of {mutant.file}")
    kept = [one.__code__ for one in changed]
    for one in changed:
        one.__code__ = wrong[one.__qualname__]
    try:
        yield
    finally:
        for one, code in zip(changed, kept, strict=True):
            one.__code__ = code


def _codes(code: CodeType) -> dict[str, CodeType]:
    """Return the code of each function and method of a module, by its qualified name."""
    found = dict[str, CodeType]()
    for one in code.co_consts:
        if isinstance(one, CodeType):
            found |= {one.co_qualname: one} if one.co_flags & CO_NEWLOCALS else _codes(one)
    return found


def _functions(names: Mapping[str, Any], module: str) -> Iterator[FunctionType]:
    """Yield the functions and methods that a module itself defines."""
    for value in map(unwrap, names.values()):
        if getattr(value, "__module__", None) != module:
            continue
        if isinstance(value, FunctionType):
            yield value
        elif isinstance(value, type):
            yield from _functions(vars(value), module)
