"""The cost of thinking about the cards of a deal."""

from collections.abc import Generator
from random import Random
from statistics import fmean
from time import process_time
from typing import NamedTuple

from service.game.cards import Card
from service.game.rules import game
from service.game.rules.deal import play_unchecked
from service.game.rules.view import view
from service.game.rulesets import Sides
from service.players.player import EFFORTS, Level, RankedOptions, weigh_cards
from tests.programs.strength.matches import PLAYERS, deal_at_random


class Cost(NamedTuple):
    """The cost of a card.

    Unit: `nodes` are cards played, and `seconds` of CPU, both for the first card of a deal, on average; `most` are the
    seconds of the dearest card of all, `piece` those of the longest piece of work.
    """

    nodes: float
    seconds: float
    most: float
    piece: float


def measure_cost(level: Level, rules: str, sides: Sides, deals: int) -> Cost:
    """Think about every card of some deals that are played by rule of thumb."""
    first, every, pieces = list[tuple[int, float]](), list[float](), list[float]()
    for number in range(deals):
        state, played = deal_at_random(rules, sides, Random(number)), tuple[Card, ...]()
        while game.phase(state, game.won(state)) == "playing":
            seen, began = view(state, state.seat_to_play), process_time()
            found = _think(weigh_cards(seen, EFFORTS[level], "1", played), pieces)
            every.append(process_time() - began)
            if not played:
                first.append((found.nodes, every[-1]))
            card = PLAYERS["rule of thumb"](seen, played, Random(number))
            state, played = play_unchecked(state, card), (*played, card)
    return Cost(fmean(nodes for nodes, _ in first), fmean(seconds for _, seconds in first), max(every), max(pieces))


def _think(thought: Generator[None, None, RankedOptions], pieces: list[float]) -> RankedOptions:
    while True:
        began = process_time()
        try:
            next(thought)
        except StopIteration as done:
            found: RankedOptions = done.value
            return found
        finally:
            pieces.append(process_time() - began)
