"""The thinking of computer players: in turn with all other heavy work of the process."""

from service.http.turns import Queue, take_turns
from service.players.player import Level, Suggestion, weigh_cards
from service.state import State


async def think(places: Queue, state: State, level: Level, seed: str) -> Suggestion:
    """Weigh the legal cards of the seat to play once a place is free, in turn with others.

    A task that is cancelled thinks no further, and leaves its place.
    """
    async with take_turns(places) as turn:
        return await turn.run(weigh_cards(state, level, seed))
