"""Claims, decided by trying everything: each play of the others in each filling, and each answer of the claimer to it.

The claimer knows its own hand and what is on the table; so it has to play the same card in all fillings that look
alike to it.
"""

from typing import NamedTuple

from tests.reference import engine
from tests.reference.engine import State


class Goal(NamedTuple):
    """The claim of a seat to the rest of a deal: tricks, points, or every trick if both are None."""

    seat: int
    tricks: int | None
    points: int | None


def holds(full: list[State], goal: Goal, start: State) -> bool:
    """True if the claimer can reach its goal in all of these states, which look alike to it."""
    if engine.phase(full[0]) != "playing":
        return is_reached(full[0], goal, start)
    turn = engine.turn(full[0])
    if turn != goal.seat:
        cards = {card for one in full for card in engine.legal_cards(one)}
        return all(holds(_play(full, card), goal, start) for card in sorted(cards))
    hands = {tuple(sorted(one["hands"][goal.seat])) for one in full}
    return all(
        _has_a_card([one for one in full if tuple(sorted(one["hands"][goal.seat])) == hand], goal, start)
        for hand in sorted(hands)
    )


def _has_a_card(full: list[State], goal: Goal, start: State) -> bool:
    return any(holds(_play(full, card), goal, start) for card in engine.legal_cards(full[0]))


def _play(full: list[State], card: str) -> list[State]:
    """The states in which the card is legal, after it."""
    return [engine.play(one, card) for one in full if card in engine.legal_cards(one)]


def is_reached(end: State, goal: Goal, start: State) -> bool:
    """True if the goal is reached where a deal or a game has ended."""
    side = next(number for number, seats in enumerate(start["sides"]) if goal.seat in seats)
    if (any(end["hands"]) or end["later_hands"]) and side in engine.winners(end):
        return True
    made = [
        (len(now) - len(before)) // len(end["hands"]) for now, before in zip(end["taken"], start["taken"], strict=True)
    ]
    if goal.points is not None:
        return engine.points(end)[side] - engine.points(start)[side] >= goal.points
    if goal.tricks is not None:
        return made[side] >= goal.tricks
    return sum(made) == made[side]
