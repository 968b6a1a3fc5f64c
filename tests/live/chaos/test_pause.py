"""Redis is paused for five seconds: the service says so soon, answers other requests, and recovers."""

import asyncio
import time
from pathlib import Path

import pytest

from tests.live.chaos.load import failures, play_through
from tests.support.games.client import Call, Client
from tests.support.processes import Redis, Service

PAUSE = 5.0
SOON = 2.5
"""The store has a second; the rest is for a machine that is busy with other tests."""
NEW = Call("POST", "/v1/games", {"rules": "trebor", "players": 4})
QUESTION = Call("POST", "/v1/deals", {"rules": "trebor", "players": 4, "dealer": 3})


async def _see_it_stand(client: Client) -> None:
    end = time.monotonic() + PAUSE
    while time.monotonic() < end:
        began = time.monotonic()
        answer = await client.ask(NEW)
        assert (answer.status, answer.json["code"], answer.headers["retry-after"]) == (503, "store_down", "1")
        assert time.monotonic() - began < SOON
        assert (await client.ask(Call("GET", "/readyz"))).status == 503
        assert (await client.ask(Call("GET", "/livez"))).status == 200
        assert (await client.ask(QUESTION)).status == 200


async def _look_on(port: int, redis: Redis) -> None:
    await asyncio.sleep(0.5)
    with Client([port]) as client:
        with redis.paused():
            await _see_it_stand(client)
        await client.insist(NEW)
        assert (await client.insist(Call("GET", "/readyz"))).status == 200
        assert client.slowest < SOON


@pytest.mark.nightly
def test_while_redis_stands_still_calls_fail_soon_and_questions_are_answered(tmp_path: Path) -> None:
    with Redis(tmp_path / "redis") as redis, Service(tmp_path / "one", redis_url=redis.url) as one:
        players = asyncio.run(play_through([one.port], lambda: _look_on(one.port, redis)))
        one.until_said("TimeoutError")
        assert "Traceback" not in one.said()
    assert failures(players)
    assert max(player.client.slowest for player in players) < SOON


async def _ask_for_health(port: int, redis: Redis) -> float:
    """Return the longest wait of a probe while calls on the store take long."""
    with Client([port]) as client, redis.paused():
        for path in ("/livez", "/readyz?exclude=store", "/metrics") * 3:
            assert (await client.ask(Call("GET", path))).status == 200
    return client.slowest


def test_health_and_metrics_do_not_wait_for_a_store_that_stands_still(tmp_path: Path) -> None:
    with Redis(tmp_path / "redis") as redis, Service(tmp_path / "one", redis_url=redis.url, store_timeout=60) as one:
        longest = asyncio.run(_ask_for_health(one.port, redis))
    print(f"longest wait {longest * 1000:.0f} ms")
    assert longest < 60
