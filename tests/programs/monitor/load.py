"""Load of every kind on some replicas: questions, batches, refusals, live games, an event stream."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from random import Random
from typing import Final

from tests.support.games.client import Call, Client
from tests.support.games.player import SHORT, Player
from tests.support.games.streams import stream
from tests.support.http.samples import EVERY, PATHS

_PAUSE: Final = 0.02
"""Seconds between two questions of one who asks: the load is to be seen, not to be felt."""


async def ask_questions(port: int) -> None:
    """Ask every question in turn, and one that is refused, without end."""
    calls = [Call("POST", PATHS[kind], body) for kind, body in EVERY.items()]
    calls.append(Call("POST", PATHS["positions"], {"state": 1}))
    with Client([port]) as client:
        while True:
            for call in calls:
                answer = await client.ask(call)
                assert answer.status < 500, (call, answer)
                await asyncio.sleep(_PAUSE)


async def play_games(ports: Sequence[int], seed: int) -> None:
    """Play one game after the other to its end, without end; where the store is away, ask again until it is back."""
    rng = Random(seed)
    with Client(ports, turn=seed) as client:
        while True:
            await Player(client, SHORT, rng).whole_game()


async def follow_game(port: int) -> None:
    """Open a game and listen to it, without end."""
    with Client([port]) as client:
        player = Player(client, SHORT, Random(port))
        await player.open()
        async with stream(port, player.path):
            await asyncio.Event().wait()


@asynccontextmanager
async def loaded(ports: Sequence[int], balancer: int) -> AsyncGenerator[None, None]:
    """Put load on replicas, and on what stands before them, until the end; who carries it must not give up by then."""
    work = [*(ask_questions(port) for port in (*ports, balancer)), *(play_games(ports, seed) for seed in range(2))]
    tasks = [asyncio.create_task(one) for one in (*work, follow_game(ports[0]))]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
    for end in ended:
        if not isinstance(end, asyncio.CancelledError) and isinstance(end, BaseException):
            raise end
