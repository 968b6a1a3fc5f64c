"""Redis has no room left: changes are refused, nothing is lost, and with room again the game goes on."""

import asyncio
from pathlib import Path
from random import Random

import pytest

from tests.support.games.callers import number_of
from tests.support.games.client import Call, Client
from tests.support.games.player import SHORT, Player
from tests.support.processes import Redis, Service


async def _fill(client: Client, redis: Redis) -> None:
    player = Player(client, SHORT, Random(1))
    await player.open()
    await player.deal()
    for _ in range(5):
        await player.play()
    used = redis.answers("INFO", "memory").partition(b"used_memory:")[2].partition(b"\r\n")[0]
    assert redis.answers("CONFIG", "SET", "maxmemory", str(int(used) // 2)) == b"+OK\r\n"
    refused = await client.ask(Call("POST", "/v1/games", {"rules": "trebor", "players": 4}))
    assert (refused.status, refused.json["code"], refused.headers["retry-after"]) == (503, "store_full", "60")
    call = await player.next_play()
    refused = await client.ask(call)
    assert (refused.status, refused.json["code"]) == (503, "store_full")
    assert number_of((await client.ask(Call("GET", player.path))).json["version"]) == player.version
    assert (await client.ask(Call("GET", "/readyz"))).status == 200
    assert redis.answers("CONFIG", "SET", "maxmemory", "0") == b"+OK\r\n"
    await player.finish()
    await player.check_record()


async def _run(port: int, redis: Redis) -> None:
    with Client([port]) as client:
        await _fill(client, redis)


@pytest.mark.nightly
def test_when_redis_is_full_changes_are_refused_and_nothing_is_lost(tmp_path: Path) -> None:
    with Redis(tmp_path / "redis") as redis, Service(tmp_path / "one", redis_url=redis.url) as one:
        asyncio.run(_run(one.port, redis))
        one.until_said("command not allowed when used memory")
        assert "Traceback" not in one.said()
