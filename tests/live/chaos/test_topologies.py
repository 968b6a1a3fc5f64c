"""When the histories take a group of servers for healed."""

from typing import Final

import pytest

from tests.programs.chaos.histories.topologies import is_whole
from tests.support.processes import Redis

PRIMARY: Final = b"role:master\r\nslave0:ip=127.0.0.1,port=1,state=online\r\n"
ALONE: Final = b"role:master\r\n"
REPLICA: Final = b"role:slave\r\n"


class Told(Redis):
    """A server that gives one answer."""

    def __init__(self, answer: bytes) -> None:
        self._answer = answer

    def answers(self, *_: str) -> bytes:
        return self._answer


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        pytest.param([PRIMARY, REPLICA], True, id="a primary and its replica"),
        pytest.param([PRIMARY, ALONE], False, id="a primary that has not heard that it was replaced"),
        pytest.param([ALONE, REPLICA], False, id="a replica that is not level yet"),
    ],
)
def test_a_group_is_whole_once_its_one_primary_has_all_others(answers: list[bytes], *, expected: bool) -> None:
    assert is_whole([Told(answer) for answer in answers]) is expected
