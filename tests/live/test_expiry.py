"""A game that nobody goes on with expires when it says: never later than the operator allows, and soon if not dealt."""

import asyncio
from datetime import UTC, datetime
from random import Random
from typing import Final

import pytest
from redis import Redis

from service.app import make_store
from service.live.store.memory import MemoryStore
from service.live.store.redis.store import key_of
from service.live.views import Change
from service.platform.settings import Settings
from tests.support.games.callers import Live

ISO: Final = "%Y-%m-%dT%H:%M:%S.000Z"


class Clocked:
    """A table at a service whose clock, in seconds, the test sets."""

    def __init__(self, runner: asyncio.Runner, ttl: int) -> None:
        self.now = 0
        store = MemoryStore(9, 2**20, lambda: self.now)
        self.live = Live(runner, store, Settings(max_ttl=3600), lambda: self.now * 1000)
        self.table = self.live.open(ttl=ttl)

    def expects_to_live(self, seconds: int) -> None:
        """Check that the game says when it expires, and that it does so then."""
        assert self.table.see().expires_at == datetime.fromtimestamp(self.now + seconds, UTC).strftime(ISO)
        self.now += seconds - 1
        assert self.live.call("GET", self.table.path).status == 200
        self.now += 1
        assert self.live.call("GET", self.table.path).status == 410


@pytest.mark.parametrize(("ttl", "lives"), [(24 * 3600, 3600), (3600, 3600), (60, 60)])
def test_a_game_expires_when_it_says_and_no_later_than_the_operator_allows(
    ttl: int, lives: int, runner: asyncio.Runner
) -> None:
    clocked = Clocked(runner, ttl)
    clocked.table.deal()
    clocked.expects_to_live(lives)


@pytest.mark.parametrize(("ttl", "lives"), [(24 * 3600, 600), (600, 600), (60, 60)])
def test_a_game_that_is_not_dealt_expires_after_ten_minutes(ttl: int, lives: int, runner: asyncio.Runner) -> None:
    Clocked(runner, ttl).expects_to_live(lives)


def test_a_change_before_the_first_deal_lets_a_game_live_ten_minutes_more(runner: asyncio.Runner) -> None:
    clocked = Clocked(runner, 3600)
    clocked.now = 599
    clocked.table.stir(0, "late")
    clocked.expects_to_live(600)


def test_every_change_says_when_the_game_expires(runner: asyncio.Runner, chance: Random) -> None:
    clocked = Clocked(runner, 3600)
    changes = [clocked.table.deal().read(Change), clocked.table.play_any(chance)]
    assert [change.expires_at for change in changes] == ["1970-01-01T01:00:00.000Z"] * 2


def test_redis_keeps_a_game_for_as_long_as_the_game_says(redis_url: str, runner: asyncio.Runner) -> None:
    store = make_store(Settings(redis_url=redis_url, store_timeout=10))
    with Redis.from_url(redis_url) as redis:
        table = Live(runner, store).open(ttl=3600)
        before = redis.ttl(key_of(table.opened.id))
        table.deal()
        after = redis.ttl(key_of(table.opened.id))
    runner.run(store.close())
    assert (before, after) == (pytest.approx(600, abs=5), pytest.approx(3600, abs=5))
