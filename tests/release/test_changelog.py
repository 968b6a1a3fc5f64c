"""The changelog is in its form, and a departure from the form is found."""

from datetime import date
from typing import Final

import pytest

from deploy.release.changelog import CHANGELOG, Section, find_last, find_release, parse_changelog, parse_version
from service import __version__

TWO: Final = """# Changelog

## [Unreleased]

## [1.10.0] - 2027-03-02

### Added

- A card.

### Fixed

- A trick.

## [1.9.0] - 2027-01-31

### Removed

- A rule.
"""


def test_the_changelog_is_in_its_form_and_knows_no_later_version_than_the_code() -> None:
    sections = parse_changelog(CHANGELOG.read_text(encoding="utf-8"))
    released = [parse_version(section.version) for section in sections if section.version]
    assert sections
    assert max(released, default=()) <= parse_version(__version__.partition(".dev")[0])


def test_every_version_whose_document_is_kept_names_the_commit_that_can_be_fetched() -> None:
    named = {section.version: section.commit for section in parse_changelog(CHANGELOG.read_text(encoding="utf-8"))}
    kept = [path.stem for path in (CHANGELOG.parent / "openapi" / "released").glob("*.json")]
    assert kept
    assert [version for version in kept if named.get(version) is None and version != __version__] == []


def test_the_last_release_is_the_one_before_the_version_that_is_released() -> None:
    newest, older = parse_changelog(TWO)[1:]
    assert find_last(parse_changelog(TWO)) == newest
    assert find_last(parse_changelog(TWO), "1.10.0") == older
    assert find_last((older,), "1.9.0") is None


def test_sections_are_read_newest_first() -> None:
    assert parse_changelog(TWO) == (
        Section(None, None, ""),
        Section("1.10.0", date(2027, 3, 2), "### Added\n\n- A card.\n\n### Fixed\n\n- A trick."),
        Section("1.9.0", date(2027, 1, 31), "### Removed\n\n- A rule."),
    )


@pytest.mark.parametrize(
    ("right", "wrong", "named"),
    [
        ("## [1.10.0] - 2027-03-02", "## [1.10.0]", "neither"),
        ("## [1.10.0] - 2027-03-02", "## 1.10.0 - 2027-03-02", "neither"),
        ("## [1.10.0] - 2027-03-02", "## [1.10] - 2027-03-02", "neither"),
        ("## [1.10.0] - 2027-03-02", "## [1.10.0] - 2027-02-30", "day"),
        ("## [1.10.0]", "## [1.8.0]", "not older"),
        ("## [1.10.0]", "## [1.9.0]", "not older"),
        ("## [1.9.0] - 2027-01-31", "## [Unreleased]", "does not stand first"),
        ("### Added", "### New", "New"),
        ("### Fixed", "### Added", "may stand once"),
    ],
)
def test_a_departure_from_the_form_is_refused(right: str, wrong: str, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        parse_changelog(TWO.replace(right, wrong))


def test_the_newest_section_may_be_released() -> None:
    assert find_release(parse_changelog(TWO), "1.10.0").changes.startswith("### Added")


@pytest.mark.parametrize(
    ("text", "version", "named"),
    [
        (TWO, "1.9.0", "not for 1.9.0"),
        (TWO, "2.0.0", "not for 2.0.0"),
        ("", "1.0.0", "not for 1.0.0"),
        (TWO.replace("## [Unreleased]", "## [Unreleased]\n\n### Added\n\n- More."), "1.10.0", "Unreleased"),
        ("## [1.0.0] - 2027-01-31\n", "1.0.0", "Nothing"),
    ],
)
def test_any_other_section_may_not(text: str, version: str, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        find_release(parse_changelog(text), version)
