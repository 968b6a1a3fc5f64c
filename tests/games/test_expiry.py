"""A game that nobody goes on with expires when it says, and never later than the operator allows."""

import asyncio

import pytest

from service.settings import Settings
from service.store.memory import MemoryStore
from tests.support.games.callers import Live


@pytest.mark.parametrize(("ttl", "lives"), [(24 * 3600, 600), (600, 600), (60, 60)])
def test_a_game_expires_when_it_says_and_no_later_than_the_operator_allows(
    ttl: int, lives: int, runner: asyncio.Runner
) -> None:
    now = 0.0
    live = Live(runner, MemoryStore(9, 2**20, lambda: now), Settings(max_ttl=600), lambda: int(now * 1000))
    table = live.open(ttl=ttl)
    assert table.see().expires_at == f"1970-01-01T00:{lives // 60:02}:00.000Z"
    now = lives - 1
    assert live.call("GET", table.path).status == 200
    now = lives
    assert live.call("GET", table.path).status == 404
