"""All faults of a release are found at once."""

import subprocess
from pathlib import Path
from typing import Final

import pytest

from deploy.release.checks import find_faults, read_version
from deploy.release.distributions import ROOT
from service import __version__


def git(root: Path, *words: str) -> None:
    subprocess.run(["git", "-c", "user.name=Test", "-c", "user.email=test@example.org", *words], cwd=root, check=True)


LAST: Final = "## [1.1.0] - 2027-01-01\n\n{}\n\n### Added\n\n- A trick.\n"
"""The section of the last release, and the place where it names its commit."""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A tree from which 1.2.0 may be released."""
    for folder in ("service", "clients/python/src/catch_the_ten"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "__init__.py").write_text('"""Cards."""\n\n__version__ = "1.2.0"\n')
    (tmp_path / "clients" / "typescript").mkdir(parents=True)
    (tmp_path / "clients" / "typescript" / "package.json").write_text('{"version": "1.2.0"}')
    (tmp_path / "openapi" / "released").mkdir(parents=True)
    for path in ("openapi.json", "released/1.2.0.json"):
        (tmp_path / "openapi" / path).write_text('{"info": {"version": "1.2.0"}}')
    (tmp_path / "CHANGELOG.md").write_text("## [Unreleased]\n\n## [1.2.0] - 2027-01-31\n\n### Added\n\n- A card.\n")
    git(tmp_path, "init", "--quiet", "--initial-branch=main")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message=Add a card")
    return tmp_path


def found(tree: Path, version: str = "1.2.0", *, tagged: bool = False) -> list[str]:
    return list(find_faults(tree, version, tagged=tagged))


def test_nothing_stands_against_a_tree_that_is_ready(tree: Path) -> None:
    assert found(tree) == []


def test_every_place_that_names_another_version_is_named(tree: Path) -> None:
    assert [fault.partition(" ")[0] for fault in found(tree, "1.3.0")] == [
        "service/__init__.py",
        "openapi/openapi.json",
        "clients/typescript/package.json",
        "clients/python/src/catch_the_ten/__init__.py",
        "openapi/released/1.3.0.json",
        "CHANGELOG.md:",
        "CHANGELOG.md:",
    ]


def test_a_release_keeps_its_document(tree: Path) -> None:
    (tree / "openapi" / "released" / "1.2.0.json").write_text("{}")
    git(tree, "commit", "--quiet", "--all", "--message=Spoil the document")
    assert found(tree) == ["openapi/released/1.2.0.json has not what openapi/openapi.json has."]


@pytest.mark.parametrize("path", ["new.txt", "CHANGELOG.md"])
def test_a_file_that_is_not_committed_is_named(tree: Path, path: str) -> None:
    with (tree / path).open("a") as file:
        file.write("\n")
    (fault,) = found(tree)
    assert fault.endswith(f"such as {path}.")


def test_another_branch_than_main_is_named(tree: Path) -> None:
    git(tree, "switch", "--quiet", "--create", "wild")
    assert found(tree) == ["The branch is wild, not main."]
    git(tree, "switch", "--quiet", "--detach")
    assert found(tree) == ["The branch is none, not main."]


def test_a_tag_must_not_be_set_before_and_must_be_set_after(tree: Path) -> None:
    assert found(tree, tagged=True) == ["The last commit has no tag v1.2.0."]
    git(tree, "tag", "--annotate", "v1.2.0", "--message=1.2.0")
    assert found(tree) == ["The tag v1.2.0 is set already."]
    git(tree, "switch", "--quiet", "--detach")
    assert found(tree, tagged=True) == []


def test_a_tag_of_an_older_commit_does_not_count(tree: Path) -> None:
    git(tree, "tag", "v1.2.0")
    git(tree, "commit", "--quiet", "--allow-empty", "--message=Add nothing")
    assert found(tree, tagged=True) == ["The last commit has no tag v1.2.0."]


def add_last_release(tree: Path) -> str:
    """Add the last release to the changelog of a tree, and return its commit."""
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=tree, capture_output=True, text=True, check=True).stdout
    changelog = tree / "CHANGELOG.md"
    changelog.write_text(changelog.read_text() + LAST.format(f"Commit: {commit.strip()}"))
    git(tree, "commit", "--quiet", "--all", "--message=Name the commit of 1.1.0")
    return commit.strip()


@pytest.mark.parametrize("words", [("--annotate", "--message=1.1.0"), ()])
def test_nothing_is_released_before_the_last_release_has_its_tag(tree: Path, words: tuple[str, ...]) -> None:
    commit = add_last_release(tree)
    (fault,) = found(tree)
    assert fault.startswith("The commit of 1.1.0 has no tag v1.1.0:")
    assert f"git tag --annotate v1.1.0 --message 'Catch the Ten 1.1.0' {commit}\n" in fault
    git(tree, "tag", "v1.1.0", "HEAD")
    assert found(tree) == [fault], "the tag of another commit"
    git(tree, "tag", "--force", *words, "v1.1.0", commit)
    assert found(tree) == []


def test_a_last_release_without_a_commit_is_named(tree: Path) -> None:
    (tree / "CHANGELOG.md").write_text((tree / "CHANGELOG.md").read_text() + LAST.format("The first release."))
    git(tree, "commit", "--quiet", "--all", "--message=Forget the commit")
    assert found(tree) == ["CHANGELOG.md: [1.1.0] does not name its commit, as 'Commit: ' and 40 digits."]


def test_a_tree_without_a_version_is_refused(tree: Path) -> None:
    (tree / "service" / "__init__.py").write_text("")
    with pytest.raises(ValueError, match="says no version"):
        found(tree)


def test_the_version_of_this_tree_is_read() -> None:
    assert read_version(ROOT) == __version__
