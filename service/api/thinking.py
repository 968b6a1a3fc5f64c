"""The thinking of computer players: in turn with all other heavy work of the process, timed and counted."""

from collections.abc import Generator
from time import perf_counter
from typing import Final, get_args

from service.cards import Card
from service.http.turns import FairQueue, Turn
from service.metrics.families import THINKING, THINKING_NODES, THINKING_SECONDS
from service.players.player import Level, Suggestion, weigh_cards
from service.state import State

NODES_A_REQUEST: Final = 1000
"""Nodes that cost as much of a quota as one request."""
_LEVELS: Final[tuple[Level, ...]] = get_args(Level)
_SERIES: Final = {level: (THINKING_SECONDS.labels(level), THINKING_NODES.labels(level)) for level in _LEVELS}


async def think(
    places: FairQueue, caller: str, state: State, level: Level, seed: str, played: tuple[Card, ...] = ()
) -> Suggestion:
    """Weigh the legal cards of the seat to play once a place is free for the caller, in turn with others.

    A task that is cancelled thinks no further, and leaves its place.
    Errors: Impossible, if the cards played do not lead to the state.
    """
    async with places.place(caller), Turn() as turn:
        THINKING.level += 1
        try:
            return await turn.run(_count(weigh_cards(state, level, seed, played), level))
        finally:
            THINKING.level -= 1


def _count(work: Generator[None, None, Suggestion], level: Level) -> Generator[None, None, Suggestion]:
    """Do work, and count when it is done how long all its pieces took, and its nodes."""
    seconds, nodes = _SERIES[level]
    spent = 0.0
    while True:
        start = perf_counter()
        try:
            next(work)
        except StopIteration as done:
            found: Suggestion = done.value
            seconds.note(spent + perf_counter() - start)
            nodes.count(found.nodes)
            return found
        spent += perf_counter() - start
        yield
