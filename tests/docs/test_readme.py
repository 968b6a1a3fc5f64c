"""The examples of the README and of the guide, pasted as they are: each command gives the answer below it."""

import re
from typing import Any, Final

import msgspec
import pytest

from openapi.examples.guide import GUIDE, ROOT, examples_of, parse_curl, renew, variables_of
from tests.support.http.client import JSON, post
from tests.support.questions import QUESTIONS

README: Final = (ROOT / "README.md").read_text(encoding="utf-8")
GUIDE_TEXT: Final = GUIDE.read_text(encoding="utf-8")
EXAMPLES: Final = examples_of(GUIDE_TEXT)
VARIABLES: Final = variables_of(GUIDE_TEXT)
BLOCKS: Final[list[str]] = re.findall(r"^```sh\n(.*?)^```$", GUIDE_TEXT, re.MULTILINE | re.DOTALL)
LIVE: Final = [block for block in BLOCKS if "/v1/games" in block]
_LINE: Final = re.compile(r"^(?:(curl (?:[^>\n]|\n  )*)|(\w+)=\$\(jq -r '?(\S+?)'? )(?:> )?(\S+\.json)?", re.MULTILINE)
"""A command with the file that it writes; or a variable with its place in a file."""


@pytest.mark.parametrize(
    ("command", "answer"), EXAMPLES, ids=[f"{at}: {command.split()[2]}" for at, (command, _) in enumerate(EXAMPLES)]
)
def test_a_command_of_the_guide_gives_the_answer_below_it(command: str, answer: str) -> None:
    given = parse_curl(command, **VARIABLES).run()
    assert msgspec.json.decode(given.body) == msgspec.json.decode(answer)


def test_the_command_of_the_readme_gives_the_answer_below_it() -> None:
    (command,) = re.findall(r"^curl (?:.*\\\n)*.*", README, re.MULTILINE)
    (answer,) = re.findall("^```json\n(.*?)\n```", README, re.MULTILINE | re.DOTALL)
    assert msgspec.json.decode(parse_curl(command).run().body) == msgspec.json.decode(answer)


def test_the_answers_of_the_guide_are_written_as_its_own_script_writes_them() -> None:
    assert renew(GUIDE_TEXT) == GUIDE_TEXT


def test_every_question_has_its_example_in_the_guide() -> None:
    shown = {parse_curl(command, **VARIABLES).path for command, _ in EXAMPLES}
    assert shown == {question.path for question in QUESTIONS} | {"/v1/batches", "/mcp"}


def test_the_urls_of_the_guide_can_be_read() -> None:
    urls = [line for block in BLOCKS for line in block.splitlines() if re.match(r"curl -s localhost\S+$", line)]
    assert len(urls) == 4
    for url in urls:
        assert parse_curl(url, **VARIABLES).run().status == 200


def test_the_live_game_of_the_guide_can_be_pasted() -> None:
    """Its commands in their order, with the variables that the lines between them set."""
    variables: dict[str, str] = {}
    written: dict[str, object] = {}
    for command, name, path, file in _LINE.findall("".join(LIVE)):
        if name:
            variables[name] = find(written[file], path)
        else:
            given = parse_curl(command, **variables).run()
            assert given.status < 300, (command, given.body)
            written[file] = msgspec.json.decode(given.body)
    assert variables.keys() == {"GAME", "HOST_TOKEN", "SEAT_TOKEN", "VERSION", "CARD"}
    assert written.keys() == {"opened.json", "seen.json", "record.json", ""}


def find(told: Any, path: str) -> str:
    """Return what jq finds at a path of names and indices."""
    for name, index in re.findall(r"(\w+)(?:\[(\d+)\])?", path):
        told = told[name] if not index else told[name][int(index)]
    return str(told)


def test_the_house_rules_of_the_guide_are_taken() -> None:
    (command,) = [block for block in BLOCKS if "our-club" in block]
    rules = msgspec.json.decode(parse_curl(command.partition(" | ")[0]).run().body)
    assert '(.id = "our-club" | .target = 21)' in command
    house = rules | {"id": "our-club", "target": 21}
    dealt = post("/v1/deals", {"players": 4, "rules": house}, ("content-type", JSON))
    assert msgspec.json.decode(dealt.body)["position"]["state"]["rules"]["target"] == 21


def test_the_readme_names_the_commands_that_run_and_test_all() -> None:
    assert re.findall(r"^make (\S+)", README, re.MULTILINE) == ["run", "test"]


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) <= 150
