"""Revisions of a live game: a version number and a tag of its past. Every name of a version is one."""

import re
from functools import lru_cache
from hashlib import sha256
from typing import Annotated, Final, TypeAlias

from msgspec import Meta, Struct

REVISION: Final = "([1-9][0-9]{0,8})-([0-9a-f]{8})"
"""The form of a revision, as a regular expression: the number of the version, and the tag."""
Version: TypeAlias = Annotated[
    str,
    Meta(
        title="GameVersion",
        pattern=rf"^{REVISION}\Z",
        description="A version of a game: its number, from 1, and a part of a hash of the change.",
        examples=["7-1f3a9c02"],
    ),
]
_TAG_DIGITS: Final = 8
_match: Final = re.compile(REVISION).fullmatch


class Revision(Struct, frozen=True, gc=False):
    """A version of a game, and a tag that differs between possible pasts.

    Shape: the tag is part of a hash of the stored entry that made the version; each entry has a nonce.
    """

    version: int
    tag: str

    def __str__(self) -> str:
        """Write the revision, as in `7-1f3a9c02`."""
        return f"{self.version}-{self.tag}"


NO_REVISION: Final = Revision(0, "")
"""The revision of a game before it was opened."""


# A change asks for the revisions before and after it five times, and some changes run at once.
@lru_cache(maxsize=32)
def revision_of(version: int, entry: bytes) -> Revision:
    """Return the revision made by a stored entry."""
    return Revision(version, sha256(entry).hexdigest()[:_TAG_DIGITS])


def parse_revision(text: str) -> Revision | None:
    """Read a revision. Return None if the text is none."""
    found = _match(text)
    return Revision(int(found[1]), found[2]) if found else None
