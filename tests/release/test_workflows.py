"""The workflows test the project's promises, have minimal rights, and call only existing targets."""

import re
import subprocess
import tomllib
from collections.abc import Iterator
from typing import Any, Final

import pytest

from tests.deploy.files import GITHUB, ROOT, read_yaml
from tests.programs.mutation import CHAPTERS

WORKFLOWS: Final[dict[str, Any]] = {path.stem: read_yaml(path) for path in sorted((GITHUB / "workflows").iterdir())}
JOBS: Final = [(name, job, wanted) for name, file in WORKFLOWS.items() for job, wanted in file["jobs"].items()]
MAKEFILE: Final = (ROOT / "Makefile").read_text(encoding="utf-8")


def steps() -> Iterator[dict[str, Any]]:
    for _, _, job in JOBS:
        yield from job.get("steps", ())


def test_every_python_that_the_package_names_is_tested() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = [re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", line) for line in project["classifiers"]]
    tested = WORKFLOWS["test"]["jobs"]["test"]["strategy"]["matrix"]["python"]
    assert tested == [found[1] for found in named if found]


@pytest.mark.parametrize("name", WORKFLOWS)
def test_a_workflow_by_itself_may_only_read(name: str) -> None:
    assert set(WORKFLOWS[name]["permissions"].values()) <= {"read"}


def test_only_a_release_and_the_renewal_of_locks_may_write() -> None:
    may_write = {
        (name, job): {right for right, level in wanted.get("permissions", {}).items() if level == "write"}
        for name, job, wanted in JOBS
    }
    signing = {"attestations", "id-token"}
    assert {at: rights for at, rights in may_write.items() if rights} == {
        ("locks", "renew"): {"contents", "pull-requests"},
        ("release", "distributions"): signing,
        ("release", "wheels"): signing,
        ("release", "image"): {*signing, "packages"},
        ("release", "publish"): {"contents"},
    }


def test_every_job_ends_by_itself() -> None:
    assert [job for _, job, wanted in JOBS if "steps" in wanted and "timeout-minutes" not in wanted] == []


def test_the_mutants_of_every_chapter_are_judged_at_night() -> None:
    assert WORKFLOWS["nightly"]["jobs"]["mutation"]["strategy"]["matrix"]["chapter"] == list(CHAPTERS)


def test_every_action_stands_with_a_commit() -> None:
    used = [step["uses"] for step in steps() if "uses" in step]
    assert used
    assert [action for action in used if not re.search(r"@[0-9a-f]{40}$", action)] == []


def test_only_the_checkout_that_pushes_leaves_a_token_behind() -> None:
    kept = {
        (name, job)
        for name, job, wanted in JOBS
        for step in wanted.get("steps", ())
        if step.get("uses", "").startswith("actions/checkout@")
        and step.get("with", {}).get("persist-credentials") is not False
    }
    assert kept == {("locks", "renew")}


def test_every_target_of_make_that_is_called_is_there() -> None:
    called = [found for step in steps() for found in re.findall(r"make PYTHON=python (\S+)", step.get("run", ""))]
    assert {"test", "release"} <= set(called)
    for target in called:
        environment = re.fullmatch(r"\.venv-(\w+)/stamp", target)
        if environment:
            assert (ROOT / "requirements" / f"{environment[1]}.txt").exists(), target
        else:
            assert re.search(rf"^{re.escape(target)}:", MAKEFILE, re.MULTILINE), target


def test_make_shows_the_three_targets_that_matter_first_and_twenty_at_most() -> None:
    said = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    shown = re.findall(r"^  make (\S+) +\S", said, re.MULTILINE)
    assert shown[:3] == ["run", "test", "quick"]
    assert len(shown) <= 20
