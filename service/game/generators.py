"""Work in pieces: a generator that yields between them, so that others can work in between, and returns its result."""

from collections.abc import Generator
from typing import TypeVar

Result = TypeVar("Result")


def finish(work: Generator[None, None, Result]) -> Result:
    """Do all pieces of work, one right after the other, and return its result."""
    while True:
        try:
            next(work)
        except StopIteration as done:
            result: Result = done.value
            return result
