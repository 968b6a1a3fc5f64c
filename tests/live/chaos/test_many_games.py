"""Many whole games at once, over two processes of the service."""

import asyncio
import time
from pathlib import Path
from random import Random

from tests.support.effort import choose_effort
from tests.support.games.client import Client
from tests.support.games.player import KINDS, SHORT, Player
from tests.support.processes import Redis, Service

GAMES = choose_effort(daily=200, nightly=1000)
AT_ONCE = 64
PATIENT = 10
"""Seconds that a call on the store may take: no call is to fail because the machine is busy."""


async def _play_all(ports: list[int]) -> list[Player]:
    kinds = iter([*KINDS, *[SHORT] * (GAMES - len(KINDS))])
    played: list[Player] = []

    async def sit(chair: int) -> None:
        with Client(ports, chair) as client:
            for kind in kinds:
                player = Player(client, kind, Random(len(played) * AT_ONCE + chair))
                await player.whole_game()
                played.append(player)
            assert client.failures == []

    await asyncio.gather(*(sit(chair) for chair in range(AT_ONCE)))
    return played


def test_many_whole_games_end_in_records_that_adjudicate_to_the_same(tmp_path: Path) -> None:
    with Redis(tmp_path / "redis") as redis:
        one, two = (Service(tmp_path / name, redis_url=redis.url, store_timeout=PATIENT) for name in ("one", "two"))
        with one, two:
            began = time.monotonic()
            played = asyncio.run(_play_all([one.port, two.port]))
    plays = sum(len(player.acknowledged) for player in played)
    print(f"{len(played)} games, {plays} plays, {time.monotonic() - began:.1f} s")
    assert len(played) == GAMES
    assert {player.kind for player in played} == set(KINDS)
