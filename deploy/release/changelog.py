"""The changelog, and the notes of a release out of it: python -m deploy.release.changelog 1.2.0."""

import re
import sys
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

CHANGELOG: Final = Path(__file__).parents[2] / "CHANGELOG.md"
KINDS: Final = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")
"""The kinds of change. Source: Keep a Changelog 1.1.0."""


class Section(NamedTuple):
    """The changes of a version; version and date are None before the release.

    Shape: `commit` is the commit of the version, in 40 digits, None until the changelog names it.
    """

    version: str | None
    released: date | None
    changes: str
    commit: str | None = None


def parse_changelog(text: str) -> tuple[Section, ...]:
    """Return the sections, the newest first.

    Errors: ValueError, for the first departure from the form.
    """
    sections = tuple(_parse_section(part) for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:])
    if any(section.version is None for section in sections[1:]):
        raise ValueError("[Unreleased] does not stand first.")
    for newer, older in pairwise(section.version for section in sections if section.version):
        if parse_version(newer) <= parse_version(older):
            raise ValueError(f"[{newer}] stands above [{older}], which is not older.")
    return sections


def _parse_section(part: str) -> Section:
    head, _, changes = part.partition("\n")
    found = re.fullmatch(r"\[Unreleased\]|\[(\d+\.\d+\.\d+)\] - (\d{4}-\d\d-\d\d)", head)
    if found is None:
        raise ValueError(f"'## {head}' is neither '## [Unreleased]' nor '## [1.2.3] - 2027-01-31'.")
    kinds = re.findall(r"^### (.*)", changes, re.MULTILINE)
    if set(kinds) - set(KINDS) or len(kinds) != len(set(kinds)):
        raise ValueError(f"The kinds of change under '## {head}' are {kinds}; each of {list(KINDS)} may stand once.")
    released = date.fromisoformat(found[2]) if found[2] else None
    commit = re.search(r"^Commit: ([0-9a-f]{40})$", changes, re.MULTILINE)
    return Section(found[1], released, changes.strip(), commit and commit[1])


def parse_version(version: str) -> tuple[int, ...]:
    """Return the numbers of a version, which compare as versions do."""
    return tuple(map(int, version.split(".")))


def find_release(sections: tuple[Section, ...], version: str) -> Section:
    """Return the section of the version to release.

    Errors: ValueError, if another version is the newest, or changes stand above it as unreleased.
    """
    if sections and sections[0].version is None:
        if sections[0].changes:
            raise ValueError(f"Changes stand under [Unreleased]; give them the head '## [{version}] - YYYY-MM-DD'.")
        sections = sections[1:]
    if not sections or sections[0].version != version:
        raise ValueError(f"The newest section is not for {version}.")
    if not sections[0].changes:
        raise ValueError(f"Nothing stands under [{version}].")
    return sections[0]


def find_last(sections: tuple[Section, ...], before: str | None = None) -> Section | None:
    """Return the last release, or the last one before a version. Return None if there is none."""
    return next((section for section in sections if section.version not in {None, before}), None)


if __name__ == "__main__":
    print(find_release(parse_changelog(CHANGELOG.read_text(encoding="utf-8")), sys.argv[1]).changes)
