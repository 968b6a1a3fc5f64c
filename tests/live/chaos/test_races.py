"""Many who want to do the same at once, and answers that never arrive."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import TypeAlias

import pytest

from tests.support.games.client import Answer, Call, Client
from tests.support.games.player import SHORT, Player
from tests.support.processes import Redis, Service

Ask: TypeAlias = Callable[[Client, Call], Awaitable[Answer]]

RACERS = 64
DEAF = 16
LATE = 0.01
"""Seconds after the request within which the connection is closed, so that some plays are made and some not."""


async def _ask(racer: Client, call: Call) -> Answer:
    return await racer.ask(call)


async def _ask_deaf(racer: Client, call: Call) -> Answer:
    """Ask, close the connection before the answer is there, and ask again."""
    await racer.ask_and_leave(call, LATE / 2)
    return await racer.insist(call)


async def _race_once(player: Player, racers: list[Client], ask: Ask) -> None:
    seat = player.position["turn"]
    await player.next_play()
    hand = player.hands[seat]
    # All ask for some card of the hand, many for the same one.
    calls = [player.playing(seat, hand[at % len(hand)]) for at in range(RACERS)]
    answers = await asyncio.gather(*(ask(racer, call) for racer, call in zip(racers, calls, strict=True)))
    assert {answer.status for answer in answers} <= {200, 409, 412, 422}
    made = [(call, answer) for call, answer in zip(calls, answers, strict=True) if answer.status == 200]
    assert made
    assert {(repr(call.body), answer.body) for call, answer in made} == {(repr(made[0][0].body), made[0][1].body)}
    player.took(*made[0])


async def _race(ports: list[int], ask: Ask) -> None:
    with ExitStack() as stack:
        racers = [stack.enter_context(Client(ports, turn)) for turn in range(RACERS)]
        player = Player(racers[0], SHORT, Random(1))
        await player.open()
        await player.deal()
        for _ in range(10):
            await _race_once(player, racers, ask)
        await player.finish()
        await player.check_record()


@pytest.mark.parametrize("ask", [_ask, _ask_deaf])
def test_of_64_who_race_for_one_turn_exactly_one_play_stands_whether_they_hear_of_it_or_not(
    tmp_path: Path, ask: Ask
) -> None:
    with Redis(tmp_path / "redis") as redis:
        one, two = (Service(tmp_path / name, redis_url=redis.url) for name in ("one", "two"))
        with one, two:
            asyncio.run(_race([one.port, two.port], ask))


async def _deal_deaf(player: Player) -> None:
    call = Call("POST", f"{player.path}/deals", {}, player.host, player.etag)
    await player.client.ask_and_leave(call, player.rng.uniform(0, LATE))
    await player.deal()


async def _play_deaf(player: Player) -> None:
    call = await player.next_play()
    await player.client.ask_and_leave(call, player.rng.uniform(0, LATE))
    answer = await player.client.insist(call)
    if answer.status == 422:
        await player.play()
    else:
        player.took(call, answer)


async def _whole_game_deaf(ports: list[int], chair: int) -> None:
    with Client(ports, chair) as client:
        player = Player(client, SHORT, Random(chair))
        await player.open()
        while not player.over:
            await (_play_deaf(player) if player.position.get("phase") == "playing" else _deal_deaf(player))
        await player.check_record()


async def _all_deaf(ports: list[int]) -> None:
    await asyncio.gather(*(_whole_game_deaf(ports, chair) for chair in range(DEAF)))


def test_when_every_answer_is_cut_off_and_asked_for_again_each_play_stands_exactly_once(tmp_path: Path) -> None:
    with Redis(tmp_path / "redis") as redis:
        one, two = (Service(tmp_path / name, redis_url=redis.url) for name in ("one", "two"))
        with one, two:
            asyncio.run(_all_deaf([one.port, two.port]))
