"""The thinking of computer players: in time slices like all other heavy work of the process, timed and counted."""

from typing import Final, get_args

from service.game.cards import Card
from service.game.state import State
from service.platform.capacity import FairSemaphore
from service.platform.metrics.families import THINKING, THINKING_NODES, THINKING_SECONDS
from service.platform.time_slices import take_slices
from service.players.player import EFFORTS, Level, RankedOptions, weigh_cards

NODES_PER_REQUEST: Final = 1000
"""Nodes that cost as much of a quota as one request."""
_LEVELS: Final[tuple[Level, ...]] = get_args(Level)
_SERIES: Final = {level: (THINKING_SECONDS.labels(level), THINKING_NODES.labels(level)) for level in _LEVELS}


async def think(
    places: FairSemaphore, caller: str, state: State, level: Level, seed: str, played: tuple[Card, ...] = ()
) -> RankedOptions:
    """Weigh the legal cards of the seat to play once a place is free for the caller.

    A task that is cancelled thinks no further, and leaves its place.
    Errors: Impossible, if the cards played do not lead to the state.
    """
    async with take_slices(caller, places) as time_slice:
        THINKING.inc()
        try:
            found = await time_slice.run(weigh_cards(state, EFFORTS[level], seed, played))
        finally:
            THINKING.dec()
    seconds, nodes = _SERIES[level]
    seconds.observe(time_slice.worked)
    nodes.inc(found.nodes)
    return found
