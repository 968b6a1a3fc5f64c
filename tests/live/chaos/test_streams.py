"""Event streams of one process, while the game is played through another."""

import asyncio
from pathlib import Path
from random import Random

from tests.programs.chaos.streams_load import Load, measure, served
from tests.support.games.client import Client
from tests.support.games.player import SHORT, Player
from tests.support.games.streams import stream
from tests.support.processes import Redis, Service


async def _play(player: Player, plays: int) -> None:
    for _ in range(plays):
        await player.play()


async def _watch_across(maker: Service, holder: Service) -> None:
    with Client([maker.port]) as client:
        player = Player(client, SHORT, Random(1))
        await player.open()
        async with stream(holder.port, player.path) as watched, asyncio.timeout(20):
            first = await watched.next()
            assert (first.name, first.version, first.content["phase"]) == ("game", 1, "to_deal")
            await player.deal()
            await _play(player, 5)
            seen = await watched.until(player.version)
        assert [event.version for event in seen] == list(range(2, player.version + 1))
        assert [event.content["events"][0]["card"] for event in seen[1:]] == [play[2] for play in player.acknowledged]
        await asyncio.to_thread(holder.kill)
        await _play(player, 5)
        await asyncio.to_thread(holder.start)
        async with stream(holder.port, player.path, last=seen[-1].id) as watched, asyncio.timeout(20):
            await _play(player, 5)
            missed = await watched.until(player.version)
        assert [event.version for event in missed] == list(range(seen[-1].version + 1, player.version + 1))


def test_events_cross_processes_and_a_stream_goes_on_after_a_restart_without_loss(tmp_path: Path) -> None:
    with Redis(tmp_path / "redis") as redis:
        one, two = (Service(tmp_path / name, redis_url=redis.url) for name in ("one", "two"))
        with one, two:
            asyncio.run(_watch_across(one, two))


async def _watch_through_an_outage(redis: Redis, service: Service) -> None:
    with Client([service.port]) as client:
        player = Player(client, SHORT, Random(1))
        await player.open()
        await player.deal()
        async with stream(service.port, player.path) as watched, asyncio.timeout(40):
            await watched.next()
            for _ in range(2):
                await asyncio.to_thread(redis.kill)
                await asyncio.sleep(0.5)
                await asyncio.to_thread(redis.start)
                await _play(player, 3)
            seen = await watched.until(player.version)
        assert [event.version for event in seen] == list(range(3, player.version + 1))


def test_a_stream_loses_nothing_while_redis_is_away(tmp_path: Path) -> None:
    safe = ("--appendonly", "yes", "--appendfsync", "always")
    with Redis(tmp_path / "redis", *safe) as redis, Service(tmp_path / "one", redis_url=redis.url) as one:
        asyncio.run(_watch_through_an_outage(redis, one))


def test_three_hundred_streams_get_every_event_soon_and_take_little_memory(tmp_path: Path) -> None:
    load = Load(streams=300, games=30, rate=50, seconds=4)
    with served(tmp_path, load.streams) as (holder, maker):
        seen = asyncio.run(measure(holder, maker, load))
    print(seen)
    assert seen.events == seen.expected
    assert seen.p50 < 1
    assert seen.memory < 200
