"""What it costs to think about the first card of a deal."""

from random import Random
from statistics import fmean
from time import process_time
from typing import NamedTuple

from service.players.player import Level, Suggestion, weigh_cards
from service.rules.view import view
from service.rulesets import Sides
from service.state import State
from tests.strength.matches import deal_at_random


class Cost(NamedTuple):
    """The cost of a card.

    Unit: `nodes` are cards played; `seconds` of CPU on average and at most, and of the longest piece of work.
    """

    nodes: float
    seconds: float
    most: float
    piece: float


def measure_cost(level: Level, rules: str, sides: Sides, deals: int) -> Cost:
    """Think about the first card of some deals."""
    nodes, seconds, pieces = list[int](), list[float](), list[float]()
    for number in range(deals):
        start = deal_at_random(rules, sides, Random(number))
        began = process_time()
        found = _think(view(start, start.leader), level, pieces)
        seconds.append(process_time() - began)
        nodes.append(found.nodes)
    return Cost(fmean(nodes), fmean(seconds), max(seconds), max(pieces))


def _think(seen: State, level: Level, pieces: list[float]) -> Suggestion:
    thought = weigh_cards(seen, level, "1")
    while True:
        began = process_time()
        try:
            next(thought)
        except StopIteration as done:
            found: Suggestion = done.value
            return found
        finally:
            pieces.append(process_time() - began)
