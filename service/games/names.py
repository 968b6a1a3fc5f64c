"""The names of players: what a page can show, and nobody takes for the page's own words."""

import re
from collections.abc import Iterator, Sequence
from typing import Final
from unicodedata import category, normalize

from service.faults import Fault

_BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Characters that count as letters or symbols, and show nothing."""
_OF_PAGES: Final = re.compile(r"you|(?:seat|computer|player)\s*\d+|computer|dealer|host|spectator")
"""The names that pages give to seats themselves."""


def find_name_faults(names: Sequence[str | None]) -> Iterator[Fault]:
    """Find names that cannot be seen, that turn the direction of a text, or that are the words of pages for seats."""
    for seat, name in enumerate(names):
        if name is not None and not _is_shown(name):
            detail = f"The name of seat {seat} cannot be seen, or is one that pages give to seats themselves."
            yield Fault("name_not_shown", ("names", seat), detail)


def _is_shown(name: str) -> bool:
    kinds = [category(character)[0] for character in name if character not in _BLANK]
    # "C" are controls and marks of direction, "Z" spaces, "M" marks on the letter before them.
    if "C" in kinds or not set(kinds) - {"Z", "M"}:
        return False
    return _OF_PAGES.fullmatch(" ".join(normalize("NFKC", name).casefold().split())) is None
