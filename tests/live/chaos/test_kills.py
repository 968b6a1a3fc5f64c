"""Kill -9 of everything, under load: what was acknowledged is there, in order and once."""

import asyncio
from pathlib import Path

from tests.live.chaos.load import failures, play_through
from tests.support.processes import Process, Redis, Service

KILLS = 3
SAFE = ("--appendonly", "yes", "--appendfsync", "always")


async def _kill_again_and_again(victim: Process) -> None:
    for _ in range(KILLS):
        await asyncio.sleep(0.7)
        victim.kill()
        await asyncio.sleep(0.2)
        await asyncio.to_thread(victim.start)
    await asyncio.sleep(0.7)


def test_no_acknowledged_play_is_lost_when_a_service_process_is_killed(tmp_path: Path) -> None:
    with Redis(tmp_path / "redis") as redis:
        one, two = (Service(tmp_path / name, redis_url=redis.url) for name in ("one", "two"))
        with one, two:
            players = asyncio.run(play_through([one.port, two.port], lambda: _kill_again_and_again(one)))
    assert failures(players)


def test_no_acknowledged_play_is_lost_when_redis_is_killed_and_writes_each_change_to_disk(tmp_path: Path) -> None:
    with Redis(tmp_path / "redis", *SAFE) as redis, Service(tmp_path / "one", redis_url=redis.url) as one:
        players = asyncio.run(play_through([one.port], lambda: _kill_again_and_again(redis)))
        assert "Traceback" not in one.said()
    assert failures(players)
