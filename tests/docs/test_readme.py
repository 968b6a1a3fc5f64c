"""The README's examples, pasted as they are: each command gives the answer that stands below it."""

import re
import shlex
from pathlib import Path

import msgspec
import pytest

from tests.support.http.client import JSON, post
from tests.support.questions import QUESTIONS

README = (Path(__file__).parents[2] / "README.md").read_text()
STATE = dict(re.findall(r"^([A-Z]+)='(.*)'$", README, re.MULTILINE))["STATE"]
EXAMPLES: list[tuple[str, str]] = re.findall(r"^(curl .*)\n# (.*)$", README, re.MULTILINE)


def parse_curl(command: str) -> tuple[str, bytes]:
    """Read a command as a shell would: its path and its JSON body."""
    curl, silent, address, option, body = shlex.split(command)
    assert (curl, silent, option) == ("curl", "-s", "--json")
    return address.removeprefix("localhost:8000"), body.replace("$STATE", STATE).encode()


@pytest.mark.parametrize(("command", "answer"), EXAMPLES, ids=[command.split()[2] for command, _ in EXAMPLES])
def test_a_command_of_the_readme_gives_the_answer_below_it(command: str, answer: str) -> None:
    given = post(*parse_curl(command), ("content-type", JSON))
    assert msgspec.json.decode(given.body) == msgspec.json.decode(answer)


def test_every_question_has_its_example_in_the_readme() -> None:
    shown = {parse_curl(command)[0] for command, _ in EXAMPLES}
    assert shown == {question.path for question in QUESTIONS} | {"/v1/batches"}


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) <= 150
