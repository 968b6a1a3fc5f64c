"""The guides name only what there is, and every decision is listed."""

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Final

import pytest

from tests.deploy.files import ROOT, read_yaml

CONTRIBUTING: Final = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
DECISIONS: Final = ROOT / "docs" / "decisions"
RECORDS: Final = sorted(DECISIONS.glob("0*.md"))
INDEX: Final = (DECISIONS / "README.md").read_text(encoding="utf-8")
GUIDES: Final = sorted(
    path
    for folder in ("", ".github/", "deploy/**/", "docs/**/", "clients/typescript/", "service/**/", "tests/**/")
    for path in ROOT.glob(folder + "*.md")
)
_BLOCK: Final = re.compile(r"^( *)```.*?^\1```$", re.MULTILINE | re.DOTALL)
_SPAN: Final = re.compile(r"`([^`\n]+)`")
_ROOM: Final = r"(?:\.ci|\.github|clients|deploy|docs|openapi|requirements|service|tests)/"
_PATH: Final = re.compile(rf"(?<![\w./-]){_ROOM}[\w./-]*")
_FILE: Final = re.compile(r"[\w.-]+(?:/[\w.-]+)*(?:/|\.(?:cfg|conf|json|md|py|toml|txt|ya?ml))")
_MODULE: Final = re.compile(r"(?<![\w./-])(?:clients|deploy|openapi|service|tests)(?:\.\w+)+")
_REPLACED: Final = re.compile(r"^Replaced by \[\d{4}\]", re.MULTILINE)
"""The one sentence of a decision whose content another decision has now."""
_WRITTEN_BY_THE_READER: Final = {"record.json"}


def shown(path: Path) -> str:
    return str(path.relative_to(ROOT))


def title(path: Path) -> str:
    return path.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")


def test_the_table_of_contributing_says_of_every_place_where_it_is() -> None:
    table = CONTRIBUTING.partition("| where | look in |\n| --- | --- |\n")[2].partition("\n\n")[0]
    rows = [line.split(" | ") for line in table.splitlines()]
    assert len(rows) > 10
    for row in rows:
        place, paths = row
        assert _PATH.findall(paths), place


def named_paths(text: str) -> Iterator[str]:
    """Yield every word in code that looks like a path of the repository, seen from a folder that the guide is in."""
    for block in _BLOCK.finditer(text):
        yield from _PATH.findall(block[0])
    for span in _SPAN.findall(_BLOCK.sub("", text)):
        yield from [span] if _FILE.fullmatch(span) else _PATH.findall(span)


@pytest.mark.parametrize("path", GUIDES, ids=shown)
def test_every_path_that_a_guide_names_is_there(path: Path) -> None:
    for name in set(named_paths(path.read_text(encoding="utf-8"))) - _WRITTEN_BY_THE_READER:
        found = [folder / name for folder in path.parents if folder.is_relative_to(ROOT) and (folder / name).exists()]
        assert found, name
        assert found[0].is_dir() or not name.endswith("/"), name


@pytest.mark.parametrize("path", GUIDES, ids=shown)
def test_every_module_that_a_guide_names_can_be_imported(path: Path) -> None:
    for name in _MODULE.findall(path.read_text(encoding="utf-8")):
        import_module(name)


@pytest.mark.parametrize("path", GUIDES, ids=shown)
def test_every_link_of_a_guide_leads_somewhere(path: Path) -> None:
    for target, anchor in re.findall(r"\]\((?!https?:|/)([^)#]*)#?([^)]*)\)", path.read_text(encoding="utf-8")):
        linked = path.parent / target if target else path
        assert linked.exists(), target
        if anchor:
            heads = re.findall("^#+ (.*)", linked.read_text(encoding="utf-8"), re.MULTILINE)
            assert anchor in {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}


def test_the_table_for_four_has_as_many_lines_as_is_said() -> None:
    clients = ROOT / "clients/typescript"
    lines = sum(len(path.read_text("utf-8").splitlines()) for path in (clients / "examples/table-for-four").iterdir())
    for path in (clients / "README.md", ROOT / "service/api/pages/templates/guide.md"):
        assert f"in {lines} lines" in path.read_text("utf-8")


def test_every_decision_is_listed_once_by_its_title_and_in_order() -> None:
    assert re.findall(r"^- \[(\d+)\]\((.*?)\) (.*)$", INDEX, re.MULTILINE) == [
        (path.name[:4], path.name, title(path)) for path in RECORDS
    ]


def test_the_numbers_of_decisions_have_no_gap() -> None:
    assert [int(path.name[:4]) for path in RECORDS] == list(range(1, len(RECORDS) + 1))


@pytest.mark.parametrize("path", RECORDS, ids=shown)
def test_a_decision_says_what_why_and_what_was_tried_or_what_replaces_it(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    if _REPLACED.search(text):
        assert len(text.splitlines()) <= 4
        return
    assert re.findall("^## (.*)", text, re.MULTILINE) == ["What", "Why", "What was tried"]
    assert len(text.splitlines()) <= 36


def test_the_editor_and_the_formatter_agree_on_the_length_of_a_line() -> None:
    (formatter,) = re.findall(r"^line-length = (\d+)$", (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    for_all = (ROOT / ".editorconfig").read_text().partition("[*]\n")[2].partition("\n[")[0]
    assert f"max_line_length = {formatter}\n" in for_all


def test_what_is_checked_before_a_commit_is_run_from_the_environment_that_make_makes() -> None:
    (local,) = [repo for repo in read_yaml(ROOT / ".pre-commit-config.yaml")["repos"] if repo["repo"] == "local"]
    entries = [hook["entry"] for hook in local["hooks"] if hook["language"] == "system"]
    assert entries
    assert all(entry.startswith(".venv/bin/") for entry in entries)
