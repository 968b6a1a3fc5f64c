"""Messages that nobody should send: each is answered as the protocol says, and none brings the service to fail."""

import logging
from random import Random
from typing import Final

import msgspec
import pytest
from msgspec.structs import replace

from service.api.mcp.endpoint import STATUSES
from tests.support.effort import choose_effort
from tests.support.http.client import JSON, Request, ask
from tests.support.http.hostile import LIGHT, broken_bytes, broken_tree
from tests.support.http.sound import Body, plain, sound_body
from tests.support.http.tools import write_message

MESSAGES: Final = choose_effort(daily=60, nightly=600)
LIVE: Final[dict[str, Body]] = {
    "get_game": {"game_id": "x" * 22, "token": "t" * 43},
    "play_card": {"game_id": "x" * 22, "token": "t" * 43, "version": "3-1f3a9c02", "card": "6C"},
    "seat_computer": {"game_id": "x" * 22, "token": "t", "version": "3-1f3a9c02", "seat": 7, "level": "easy"},
    "list_changes": {"game_id": "x" * 22, "after": "3-1f3a9c02"},
    "open_game": {"rules": "trebor", "players": 4, "idempotency_key": "k" * 300},
}


def hostile_message(chance: Random) -> Request:
    """Make a message that is broken somewhere, or here and there is not."""
    name = chance.choice((*LIGHT, *LIVE))
    arguments = plain(LIVE[name]) if name in LIVE else sound_body(name, chance)
    request = write_message("tools/call", {"name": name, "arguments": arguments})
    body: Body = msgspec.json.decode(request.parts[0])
    broken_tree(body, chance, chance.choice((0, 1, 2, 5)))
    raw = msgspec.json.encode(body)
    raw = broken_bytes(raw, chance) if chance.random() < 0.4 else raw
    headers = request.headers if chance.random() < 0.7 else (("content-type", JSON),)
    return replace(request, parts=(raw,), headers=headers)


@pytest.mark.parametrize("seed", range(8))
def test_every_message_is_answered_and_none_fails(seed: int, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR)
    chance = Random(seed)
    for _ in range(MESSAGES):
        request = hostile_message(chance)
        answer = ask(request)
        assert answer.status in STATUSES, request
        assert "ratelimit" not in answer.headers
        if answer.status == 202:
            assert not answer.body
            continue
        read = msgspec.json.decode(answer.body)
        assert {*read} in ({"jsonrpc", "id", "result"}, {"jsonrpc", "id", "error"}), request
        assert read.get("result", {}).get("structuredContent", {}).get("code") != "internal_error", request
    assert not caplog.records
