"""Work in pieces: a generator that yields between them, so that others can work in between, and returns its result."""

from collections.abc import Generator
from typing import TypeAlias, TypeVar

Result = TypeVar("Result")
Sliced: TypeAlias = Generator[None, None, Result]
"""Work that yields between its pieces, and returns its result."""


def run_to_end(work: Sliced[Result]) -> Result:
    """Do all pieces of work, one right after the other, and return its result."""
    while True:
        try:
            next(work)
        except StopIteration as done:
            result: Result = done.value
            return result
