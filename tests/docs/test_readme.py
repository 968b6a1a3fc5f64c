"""The examples of the README and of the guide, pasted as they are: each command gives the answer below it."""

import re
from typing import Final, get_args

import msgspec
import pytest
from msgspec import Struct

from openapi.examples.guide import GUIDE, ROOT, examples_of, parse_curl, renew, variables_of
from service.api.live.games import OpenedGame
from service.wire.events import Event
from tests.support.http.client import JSON, Answer, post
from tests.support.questions import QUESTIONS

README: Final = (ROOT / "README.md").read_text(encoding="utf-8")
GUIDE_TEXT: Final = GUIDE.read_text(encoding="utf-8")
EXAMPLES: Final = examples_of(GUIDE_TEXT)
VARIABLES: Final = variables_of(GUIDE_TEXT)
BLOCKS: Final[list[str]] = re.findall(r"^```sh\n(.*?)^```$", GUIDE_TEXT, re.MULTILINE | re.DOTALL)
LIVE: Final = [block for block in BLOCKS if "/v1/games" in block]


@pytest.mark.parametrize(
    ("command", "answer"), EXAMPLES, ids=[f"{at}: {command.split()[2]}" for at, (command, _) in enumerate(EXAMPLES)]
)
def test_a_command_of_the_guide_gives_the_answer_below_it(command: str, answer: str) -> None:
    given = parse_curl(command, **VARIABLES).run()
    assert msgspec.json.decode(given.body) == msgspec.json.decode(answer)


def test_the_command_of_the_readme_gives_the_answer_below_it() -> None:
    (command,) = re.findall(r"^curl (?:.*\\\n)*.*", README, re.MULTILINE)
    (answer,) = re.findall("^```json\n(.*)\n```", README, re.MULTILINE)
    assert msgspec.json.decode(parse_curl(command).run().body) == msgspec.json.decode(answer)


def test_the_answers_of_the_guide_are_written_as_its_own_script_writes_them() -> None:
    assert renew(GUIDE_TEXT) == GUIDE_TEXT


def test_every_question_has_its_example_in_the_guide() -> None:
    shown = {parse_curl(command, **VARIABLES).path for command, _ in EXAMPLES}
    assert shown == {question.path for question in QUESTIONS} | {"/v1/batches", "/mcp"}


def test_the_guide_has_every_event_of_a_table_with_its_fields() -> None:
    table = GUIDE_TEXT.partition("### What happens at a table")[2].partition("\n## ")[0]
    rows: dict[str, str] = dict(re.findall(r"^\| `(\w+)` \|.*?\|(.*)\|$", table, re.MULTILINE))
    kinds: tuple[type[Struct], ...] = get_args(Event)
    events = {str(kind.__struct_config__.tag): kind.__struct_fields__ for kind in kinds}
    assert rows.keys() == events.keys()
    for name, fields in events.items():
        assert set(fields) <= set(re.findall(r"`(\w+)`", rows[name])), name


def test_the_urls_of_the_guide_can_be_read() -> None:
    urls = [line for block in BLOCKS for line in block.splitlines() if re.match(r"curl -s localhost\S+$", line)]
    assert len(urls) == 4
    for url in urls:
        assert parse_curl(url, **VARIABLES).run().status == 200


def test_the_live_game_of_the_guide_can_be_played() -> None:
    """Its commands in their order, with the tokens and the versions that the answers before gave."""
    opening, dealing, reading, playing, record = LIVE
    opened = parse_curl(opening).run().read(OpenedGame)
    known = {"GAME": opened.id, "HOST_TOKEN": opened.host_token}
    dealt = go_on(dealing, parse_curl(f"curl -s localhost:8000/v1/games/{opened.id}").run(), known)
    position = msgspec.json.decode(dealt.body)["position"]
    known["SEAT_TOKEN"] = opened.seats[position["turn"]].token
    seen = go_on(reading, dealt, known)
    card = msgspec.json.decode(seen.body)["position"]["legal_cards"][0]
    played = go_on(playing.replace("AC", card), seen, known)
    assert msgspec.json.decode(played.body)["events"][0]["card"] == card
    assert go_on(record.partition(" > ")[0], played, known).status == 200


def go_on(command: str, before: Answer, known: dict[str, str]) -> Answer:
    """Run a command with the version of the answer before it."""
    current = re.sub(r'"\d+-[0-9a-f]{8}"', before.headers["etag"], command)
    given = parse_curl(current, **known).run()
    assert given.status < 300, given.body
    return given


def test_the_house_rules_of_the_guide_are_taken() -> None:
    (command,) = [block for block in BLOCKS if "jq" in block]
    rules = msgspec.json.decode(parse_curl(command.partition(" | ")[0]).run().body)
    assert '(.id = "our-club" | .target = 21)' in command
    house = rules | {"id": "our-club", "target": 21}
    dealt = post("/v1/deals", {"players": 4, "rules": house}, ("content-type", JSON))
    assert msgspec.json.decode(dealt.body)["position"]["state"]["rules"]["target"] == 21


def test_the_readme_names_the_commands_that_run_and_test_all() -> None:
    assert re.findall(r"^make (\S+)", README, re.MULTILINE) == ["run", "test"]


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) <= 150
