"""A row of the table: other people's software, its checks, and their results."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple


class Result(NamedTuple):
    """The counts and failures of a check."""

    counted: str
    failed: Sequence[str] = ()


class Row(NamedTuple):
    """Software of other people, and what is run with it."""

    name: str
    """The name in the table, by which the row can be asked for."""
    version: Callable[[], str]
    """Installs the software if needed, and returns its name and version. Errors: NoProgram."""
    run: Callable[[Path], list[Result]]
    """Runs every check in a folder. Errors: NoProgram; any other exception is a failure."""
    is_quick: bool = True
    """True if the quick half, which CI runs, has the row."""
    is_alone: bool = False
    """True if its timers want the machine for themselves."""
