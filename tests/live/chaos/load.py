"""Some games that go on while something is done to the servers."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from random import Random

from tests.support.effort import choose_effort
from tests.support.games.client import Client
from tests.support.games.player import SHORT, Player

CHAIRS = choose_effort(daily=8, nightly=24)
Harm = Callable[[], Awaitable[None]]


async def play_through(ports: Sequence[int], harm: Harm, chairs: int = CHAIRS) -> list[Player]:
    """Play game after game at every chair until the harm is done, then the last to its end; check all records.

    Return the players of all games.
    """
    done = asyncio.Event()
    players: list[Player] = []

    async def sit(chair: int) -> None:
        rng = Random(chair)
        with Client(ports, chair) as client:
            while not done.is_set():
                players.append(Player(client, SHORT, rng))
                await players[-1].whole_game()

    async def do_harm() -> None:
        try:
            await harm()
        finally:
            done.set()

    async with asyncio.TaskGroup() as group:
        for chair in range(chairs):
            group.create_task(sit(chair))
        group.create_task(do_harm())
    assert players
    plays = sum(len(player.acknowledged) for player in players)
    print(f"{len(players)} games, {plays} plays acknowledged, {failures(players)} calls asked again")
    return players


def failures(players: list[Player]) -> int:
    """Return how often a call had to be asked again."""
    return sum(len(client.failures) for client in {player.client for player in players})
