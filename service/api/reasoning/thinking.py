"""Computer players at work: in time slices like all heavy work, timed and counted."""

from typing import Final

from service.game.cards import Card
from service.game.level import LEVELS, Level
from service.game.state import State, hand_size
from service.live.computers import Choice
from service.live.pending_task import Observation
from service.platform.metrics.families import THINKING, THINKING_NODES, THINKING_SECONDS
from service.platform.time_slices import TimeSlice
from service.players.player import EFFORTS, RankedOptions, cards_left, weigh_cards
from service.schemas.ids import Caller

NODES_PER_REQUEST: Final = 1000
"""Nodes per request of quota."""
_SERIES: Final = {level: (THINKING_SECONDS.labels(level), THINKING_NODES.labels(level)) for level in LEVELS}


async def think(caller: Caller, state: State, level: Level, seed: str, played: tuple[Card, ...] = ()) -> RankedOptions:
    """Weigh the legal cards of the seat to play, charged to a caller who holds a place.

    A canceled task stops.
    Errors: Impossible, if the cards played do not lead to the state.
    """
    async with TimeSlice(caller) as time_slice:
        THINKING.inc()
        try:
            found = await time_slice.run(weigh_cards(state, EFFORTS[level], seed, played))
        finally:
            THINKING.dec()
    seconds, nodes = _SERIES[level]
    seconds.observe(time_slice.worked)
    nodes.inc(found.nodes)
    return found


def price_card(state: State, level: Level) -> int:
    """Return the cost of a computer's card in requests beyond the first, from public facts.

    A price by the work done would reveal how many cards of the hand are legal. This price assumes half of them.
    """
    options = (1 + hand_size(state.hands[state.seat_to_play])) / 2
    return int(options * EFFORTS[level].fillings * cards_left(state)) // NODES_PER_REQUEST


class ComputerPlayer:
    """The computer player of the live games of this process."""

    async def choose(self, seen: Observation, level: Level, caller: Caller) -> Choice:
        """Choose the best card."""
        found = await think(caller, seen.state, level, seen.seed, seen.played)
        return Choice(found.options[0].card, price_card(seen.state, level))
