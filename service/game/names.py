"""Names of players and rulesets: visible, and not mistaken for the page's own words."""

import re
from collections.abc import Iterator
from typing import Final
from unicodedata import bidirectional, category, combining, normalize

from service.game.faults import Fault

_BLANK: Final = frozenset("\u2800\U0001d159")
"""Characters that count as symbols but show nothing."""
_IGNORED: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0")
"""Letters and marks that are never shown. Source: Unicode, Default_Ignorable_Code_Point."""
_SELECTORS: Final = dict.fromkeys((*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))
"""Variation selectors, which show nothing by themselves, and choose how the character before them is shown."""
_JOINER, _NON_JOINER, _VIRAMA = "\u200d", "\u200c", 9
_APART: Final = re.compile(
    "[\u0621-\u0625\u0627\u0629\u062f-\u0632\u0648\u0671-\u0677\u0688-\u0699\u06c0\u06c3-\u06cb\u06cd\u06cf\u06d2\u06d3\u06d5]"
).match
"""The Arabic letters that never join the next one, so that a non-joiner after them shows nothing."""
_OF_PAGES: Final = re.compile(r"you|(?:seat|computer|player)\s*\d+|computer|dealer|host|spectator")
"""The names that pages give to seats themselves."""


def find_name_faults(name: str | None, *path: str | int) -> Iterator[Fault]:
    """Find names that are invisible, turn the direction of a text, or are the pages' own names of seats.

    Shape: `path` leads to the name.
    """
    if name is not None and not (is_shown(name) and _OF_PAGES.fullmatch(_read(name)) is None):
        detail = "The name cannot be seen, or is one that pages give to seats themselves."
        yield Fault("name_not_shown", (*path, "name"), detail)


def _read(name: str) -> str:
    """Return a name as a reader compares it."""
    return " ".join(normalize("NFKC", name).translate(_SELECTORS).casefold().split())


def is_shown(text: str) -> bool:
    """Return True if a text is visible, and no part of it is hidden or turns its direction."""
    if _IGNORED.intersection(text):
        return False
    # "C" are controls, tags and marks of direction, "Z" spaces, "M" marks on the letter before them.
    if not text.isprintable() and any(
        category(one)[0] == "C" and not _is_joiner(text, at) for at, one in enumerate(text)
    ):
        return False
    return any(category(one)[0] not in "CZM" and one not in _BLANK for one in text)


def _is_joiner(name: str, at: int) -> bool:
    """Return True for a joiner or non-joiner that changes how its neighbors are shown, as in Persian, Hindi or emoji.

    Source: Unicode Standard Annex 31, 2.3.1, and Technical Standard 51.
    """
    joiner, after = name[at], name[at + 1 : at + 2]
    if joiner not in {_JOINER, _NON_JOINER} or not after:
        return False
    before = next((one for one in reversed(name[:at]) if category(one) != "Mn" or combining(one) == _VIRAMA), " ")
    if combining(before) == _VIRAMA:
        return category(after) == "Lo"
    if joiner == _JOINER:
        return category(before) in {"So", "Sk"} and category(after) == "So"
    return bidirectional(before) == bidirectional(after) == "AL" and not _APART(before)
