"""Work in pieces: a generator that yields between them, and returns its result."""

from collections.abc import Generator
from typing import TypeAlias, TypeVar

Result = TypeVar("Result")
Sliced: TypeAlias = Generator[None, None, Result]
"""Work that yields between its pieces, and returns its result."""


def run_to_end(work: Sliced[Result]) -> Result:
    """Run a generator to its end, and return its result."""
    while True:
        try:
            next(work)
        except StopIteration as done:
            result: Result = done.value
            return result
