"""A game that nobody goes on with expires when it says: never later than the operator allows, and soon if not dealt.

A table that waits for its people does not: it lives on while one of them sits before it, or once a seat is taken.
"""

import asyncio
from datetime import UTC, datetime
from random import Random
from typing import Final

import pytest
from redis import Redis

from service.api.games.event_stream import HEARTBEATS_PER_CHECK
from service.app import make_store
from service.live.store.memory import MemoryStore
from service.live.store.protocol import GONE_SECONDS
from service.live.store.redis.store import key_of
from service.platform.settings import Settings
from service.schemas.live_game import Change
from tests.support.games.callers import EVERYBODY, Bearer, Live
from tests.support.games.listeners import Follow, Listener
from tests.support.http.client import refused

ISO: Final = "%Y-%m-%dT%H:%M:%S.000Z"


class Clocked:
    """A table at a service whose clock, in seconds, the test sets."""

    def __init__(self, runner: asyncio.Runner, ttl: int) -> None:
        self.now = 0
        self.store = MemoryStore(9, 2**20, lambda: self.now)
        settings = Settings(max_ttl=3600, stream_heartbeat=0.02)
        self.live = Live(runner, self.store, settings, lambda: self.now * 1000)
        self.table = self.live.open(ttl=ttl)

    def expects_to_live(self, seconds: int) -> None:
        """Check that the game says when it expires, and that it does so then."""
        assert self.table.see().expires_at == datetime.fromtimestamp(self.now + seconds, UTC).strftime(ISO)
        self.now += seconds - 1
        assert self.live.call("GET", self.table.path).status == 200
        self.now += 1
        assert self.live.call("GET", self.table.path).status == 410

    def pass_with(self, stream: Listener, seconds: int) -> None:
        """Let time go by while a stream is open, some minutes at a time."""
        end = self.now + seconds
        while self.now < end:
            self.now = min(self.now + 500, end)
            heard = stream.heartbeats
            stream.until(lambda heard=heard: stream.task.done() or stream.heartbeats > heard + 2 * HEARTBEATS_PER_CHECK)  # type: ignore[misc]


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


@pytest.mark.parametrize("bearer", [1, "host"])
def test_a_game_with_a_seat_taken_lives_on_before_the_first_deal(bearer: Bearer, runner: asyncio.Runner) -> None:
    clocked = Clocked(runner, 3000)
    clocked.now = 599
    assert clocked.table.call(bearer, "POST", "/seats/1/tokens", {"name": "Bea"}).status == 200
    clocked.expects_to_live(3000)


def test_a_game_that_is_not_dealt_lives_on_while_a_seat_has_a_stream_and_ten_minutes_more(
    runner: asyncio.Runner, follow: Follow
) -> None:
    clocked = Clocked(runner, 3600)
    stream = follow(clocked.table, 0)
    clocked.pass_with(stream, 2000)
    assert clocked.table.phase() == "to_deal"
    stream.leave()
    clocked.now += 599
    assert clocked.table.phase() == "to_deal"
    clocked.now += 1
    refused(clocked.table.call(0, "GET"), "game_gone")


def test_no_stream_lets_a_game_live_longer_than_its_ttl(runner: asyncio.Runner, follow: Follow) -> None:
    clocked = Clocked(runner, 2000)
    stream = follow(clocked.table, 0)
    clocked.pass_with(stream, 1999)
    assert clocked.table.phase() == "to_deal"
    clocked.now += 1
    assert stream.end()[-1].event == "gone"
    refused(clocked.table.call(0, "GET"), "game_gone")


def test_a_stream_of_a_game_that_is_dealt_lets_it_live_no_longer(runner: asyncio.Runner, follow: Follow) -> None:
    clocked = Clocked(runner, 1000)
    stream = follow(clocked.table, 0)
    clocked.now = 100
    clocked.table.deal()
    clocked.pass_with(stream, 999)
    assert clocked.table.phase() == "playing"
    clocked.now += 1
    refused(clocked.table.call(0, "GET"), "game_gone")


@pytest.mark.parametrize("bearer", EVERYBODY)
def test_a_game_that_is_not_dealt_expires_though_somebody_without_a_seat_looks_on(
    bearer: Bearer, runner: asyncio.Runner, follow: Follow
) -> None:
    clocked = Clocked(runner, 3600)
    stream = follow(clocked.table, bearer)
    clocked.pass_with(stream, 599)
    assert clocked.table.phase() == "to_deal"
    clocked.now += 1
    refused(clocked.table.call(0, "GET"), "game_gone")


def test_every_change_says_when_the_game_expires(runner: asyncio.Runner, chance: Random) -> None:
    clocked = Clocked(runner, 3600)
    changes = [clocked.table.deal().read(Change), clocked.table.play_any(chance)]
    assert [change.expires_at for change in changes] == ["1970-01-01T01:00:00.000Z"] * 2


def test_redis_keeps_a_game_for_as_long_as_the_game_says(redis_url: str, runner: asyncio.Runner) -> None:
    store = make_store(Settings(redis_url=redis_url, store_timeout=60))
    with Redis.from_url(redis_url) as redis:
        table = Live(runner, store).open(ttl=3600)
        before = redis.ttl(key_of(table.opened.id))
        table.deal()
        after = redis.ttl(key_of(table.opened.id))
    runner.run(store.close())
    assert (before, after) == (pytest.approx(600, abs=5), pytest.approx(3600, abs=5))


def test_redis_keeps_a_game_for_a_stream_of_a_seat_but_no_longer_than_its_ttl(
    redis_url: str, runner: asyncio.Runner, follow: Follow
) -> None:
    store = make_store(Settings(redis_url=redis_url, store_timeout=60))
    live = Live(runner, store, Settings(stream_heartbeat=0.02))
    with Redis.from_url(redis_url) as redis:
        for ttl, lives in ((3600, 600), (60, 60)):
            table = live.open(ttl=ttl)
            stream, key = follow(table, 0), key_of(table.opened.id)
            for name in (key, f"{key}:made"):
                redis.expire(name, 30)
            stream.until(lambda key=key: redis.ttl(key) > 30)  # type: ignore[misc]
            assert redis.ttl(key) == pytest.approx(lives, abs=5)
            assert redis.ttl(f"{key}:made") > lives + GONE_SECONDS
            stream.leave()
            assert redis.ttl(key) == pytest.approx(lives, abs=5)
    runner.run(store.close())


def test_redis_forgets_a_game_that_is_gone_though_a_stream_of_a_seat_is_open(
    redis_url: str, runner: asyncio.Runner, follow: Follow
) -> None:
    store = make_store(Settings(redis_url=redis_url, store_timeout=60))
    table = Live(runner, store, Settings(stream_heartbeat=0.02)).open()
    stream = follow(table, 0)
    stream.hear(1)
    with Redis.from_url(redis_url) as redis:
        redis.delete(key_of(table.opened.id))
    assert stream.end()[-1].event == "gone"
    refused(table.call(0, "GET"), "game_gone")
    runner.run(store.close())
