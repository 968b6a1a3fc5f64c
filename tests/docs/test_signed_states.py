"""The program in the guide that signs a state: an app knows it again, and no other one."""

import json
import re
from typing import Any, Final

import pytest

from openapi.examples.guide import GUIDE
from tests.support.http.samples import OVER, STATE

(PROGRAM,) = re.findall(r"^```python\n(import hmac, json\n.*?)^```", GUIDE.read_text(), re.DOTALL | re.MULTILINE)
KEY: Final = b"a key of the app"


@pytest.fixture(scope="module")
def program() -> dict[str, Any]:
    """The names that the program defines."""
    names = dict[str, Any]()
    exec(PROGRAM, names)
    return names


def test_a_state_is_known_again_though_a_browser_has_written_it_anew(program: dict[str, Any]) -> None:
    signature = program["sign"](KEY, "table 1", 7, STATE)
    written = json.loads(json.dumps({name: STATE[name] for name in sorted(STATE, reverse=True)}))
    assert program["is_signed"](KEY, "table 1", 7, written, signature)


@pytest.mark.parametrize(
    ("key", "table", "step", "state"),
    [
        (b"another", "table 1", 7, STATE),
        (KEY, "table 2", 7, STATE),
        (KEY, "table 1", 6, STATE),
        (KEY, "table 1", 7, OVER),
        (KEY, "table 1", 7, {**STATE, "scores": [9, 0]}),
    ],
)
def test_another_state_or_step_is_not_taken_for_it(
    program: dict[str, Any], key: bytes, table: str, step: int, state: object
) -> None:
    signature = program["sign"](KEY, "table 1", 7, STATE)
    assert not program["is_signed"](key, table, step, state, signature)
    assert not program["is_signed"](KEY, "table 1", 7, STATE, signature[:-1] + "ü")
