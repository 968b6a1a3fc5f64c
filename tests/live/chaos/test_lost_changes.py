"""A store that has lost its latest changes, as when a replica takes over that did not have them yet."""

import asyncio
from pathlib import Path
from random import Random

from tests.support.games.callers import number_of
from tests.support.games.client import Call, Client
from tests.support.games.player import SHORT, Player
from tests.support.processes import Redis, Service

PATIENT = 10
"""Seconds that a call to the store may take, so that none fails because the machine is busy."""


def _lose_last(redis: Redis, player: Player) -> None:
    assert redis.answers("RPOP", f"catchten:{{{player.id}}}").startswith(b"$")


def _service(log: Path, redis: Redis) -> Service:
    return Service(log, redis_url=redis.url, store_timeout=PATIENT)


async def _begin(client: Client, rng: Random) -> tuple[Player, Call, Call]:
    """Open a game in which the first to play has two cards to choose from; the first of them is played."""
    player = Player(client, SHORT, rng)
    await player.open()
    await player.deal()
    first = await player.next_play()
    seat = player.position["turn"]
    other = next(card for card in player.hands[seat] if card != (first.body or {})["card"])
    second = player.playing(seat, other)
    player.took(first, await client.ask(first))
    return player, first, second


async def _see_the_loss(port: int, redis: Redis) -> None:
    with Client([port]) as client:
        player, first, _ = await _begin(client, Random(1))
        _lose_last(redis, player)
        seen = await client.ask(Call("GET", player.path))
        assert (seen.status, seen.headers["etag"]) == (200, first.version)
        again = await client.ask(first)
        assert (again.status, number_of(again.json["version"])) == (200, player.version)
        assert again.headers["etag"] != player.etag


async def _play_on_another_past(ports: list[int], redis: Redis) -> None:
    with Client(ports[:1]) as one, Client(ports[1:]) as two:
        player, _, second = await _begin(one, Random(2))
        following = await player.next_play()
        _lose_last(redis, player)
        assert (await two.ask(second)).status == 200
        # The first process knows a game of this version, but with another card in the trick.
        assert (await one.ask(following)).status == 412
        seen = await one.ask(Call("GET", player.path))
        assert seen.json["position"]["state"]["trick"] == [(second.body or {})["card"]]


def test_a_process_sees_that_changes_were_lost(tmp_path: Path) -> None:
    with Redis(tmp_path / "redis") as redis, _service(tmp_path / "one", redis) as one:
        asyncio.run(_see_the_loss(one.port, redis))


def test_no_card_is_played_on_a_past_that_was_lost_and_made_anew(tmp_path: Path) -> None:
    with Redis(tmp_path / "redis") as redis:
        one, two = (_service(tmp_path / name, redis) for name in ("one", "two"))
        with one, two:
            asyncio.run(_play_on_another_past([one.port, two.port], redis))
