"""The checks of a tree before a version is released from it."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from deploy.release.changelog import Section, find_last, find_release, parse_changelog

_CLIENT: Final = "clients/python/src/catch_the_ten/__init__.py"
_COMMIT_OF_TAG: Final = "--format=%(objectname) %(*objectname)"
"""The object of a tag, and the commit of an annotated one."""


def read_version(root: Path, module: str = "service/__init__.py") -> str:
    """Return the version in a module.

    Errors: ValueError, if there is none.
    """
    path = root / module
    found = re.search(r'^__version__ = "(.+)"$', path.read_text(encoding="utf-8"), re.MULTILINE)
    if found is None:
        raise ValueError(f"{path} says no version.")
    return found[1]


def find_faults(root: Path, version: str, *, tagged: bool) -> Iterator[str]:
    """List the faults that forbid the release of a version; `tagged` if its tag exists."""
    yield from _version_faults(root, version)
    yield from _document_faults(root, version)
    yield from _changelog_faults(root, version)
    yield from _tree_faults(root)
    yield from _missing_tag(root, version) if tagged else _branch_faults(root, version)


def _version_faults(root: Path, version: str) -> Iterator[str]:
    document = msgspec.json.decode((root / "openapi" / "openapi.json").read_bytes())
    package = msgspec.json.decode((root / "clients" / "typescript" / "package.json").read_bytes())
    said = {
        "service/__init__.py": read_version(root),
        "openapi/openapi.json": document["info"]["version"],
        "clients/typescript/package.json": package["version"],
        _CLIENT: read_version(root, _CLIENT),
    }
    for path, other in said.items():
        if other != version:
            yield f"{path} says {other}, not {version}."


def _document_faults(root: Path, version: str) -> Iterator[str]:
    kept, current = root / "openapi" / "released" / f"{version}.json", root / "openapi" / "openapi.json"
    if not kept.exists() or msgspec.json.decode(kept.read_bytes()) != msgspec.json.decode(current.read_bytes()):
        yield f"openapi/released/{version}.json has not what openapi/openapi.json has."


def _changelog_faults(root: Path, version: str) -> Iterator[str]:
    try:
        sections = parse_changelog((root / "CHANGELOG.md").read_text(encoding="utf-8"))
        if (last := find_last(sections, version)) is not None:
            yield from _last_release_faults(root, last)
        find_release(sections, version)
    except ValueError as exc:
        yield f"CHANGELOG.md: {exc}"


def _last_release_faults(root: Path, last: Section) -> Iterator[str]:
    """Check that anybody can fetch the last release by its tag."""
    if last.commit is None:
        yield f"CHANGELOG.md: [{last.version}] does not name its commit, as 'Commit: ' and 40 digits."
    elif last.commit not in _git(root, "for-each-ref", f"refs/tags/v{last.version}", _COMMIT_OF_TAG).split():
        yield f"The commit of {last.version} has no tag v{last.version}:\n{write_tagging(last.version, last.commit)}"


def write_tagging(version: str | None, commit: str = "") -> str:
    """Write the commands that tag a release, at the last commit unless another one is named."""
    tagging = f"  git tag --annotate v{version} --message 'Catch the Ten {version}' {commit}".rstrip()
    return f"{tagging}\n  git push origin v{version}"


def _tree_faults(root: Path) -> Iterator[str]:
    changed = _git(root, "status", "--porcelain").splitlines()
    if changed:
        yield f"The tree is not clean: {len(changed)} paths differ from the last commit, such as {changed[0][3:]}."


def _branch_faults(root: Path, version: str) -> Iterator[str]:
    branch = _git(root, "branch", "--show-current").strip()
    if branch != "main":
        yield f"The branch is {branch or 'none'}, not main."
    if _git(root, "tag", "--list", f"v{version}"):
        yield f"The tag v{version} is set already."


def _missing_tag(root: Path, version: str) -> Iterator[str]:
    if f"v{version}" not in _git(root, "tag", "--points-at", "HEAD").splitlines():
        yield f"The last commit has no tag v{version}."


def _git(root: Path, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=root, check=True, capture_output=True, text=True).stdout
