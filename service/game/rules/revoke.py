"""The revoke: a play that breaks a rule which the seat could have kept. Source: trebor."""

from collections.abc import Sequence

from msgspec.structs import replace

from service.game.cards import Card
from service.game.faults import NoRevokePenalty
from service.game.rulesets import Fine, RevokePenalty, Side, Table
from service.game.state import State, side_of


def penalty(table: Table) -> RevokePenalty:
    """Return the penalty for a revoke; `not_allowed` if the ruleset names none."""
    return table.ruleset.revoke


def has_penalty(table: Table) -> bool:
    """Return True if the ruleset names a penalty for a revoke."""
    return penalty(table) != "not_allowed"


def require_penalty(table: Table) -> None:
    """Refuse to penalise a revoke if the ruleset names no penalty.

    Errors: NoRevokePenalty.
    """
    if not has_penalty(table):
        raise NoRevokePenalty(table.ruleset.id)


def loser_of_game(state: State) -> Side | None:
    """Return the side that lost the game by a revoke. Return None if no side did.

    Source: trebor (loss of the game).
    """
    if state.revoked is None or penalty(state.table) != "loss_of_game":
        return None
    return side_of(state, state.revoked)


def loser_of_deal(state: State) -> Side | None:
    """Return the side that lost the points of this deal by a revoke. Return None if no side did.

    Source: trebor (the milder penalty).
    """
    if state.revoked is None or penalty(state.table) != "loss_of_deal":
        return None
    return side_of(state, state.revoked)


def fines(state: State, made: Sequence[int]) -> tuple[int, ...]:
    """Return what a fine for a revoke adds to each side's points, or takes off.

    The side that revoked never stands below zero. Source: none; house rules.
    """
    fine = penalty(state.table)
    if state.revoked is None or not isinstance(fine, Fine):
        return (0,) * len(made)
    fined = side_of(state, state.revoked)
    gained = fine.fine if fine.to == "others" else 0
    return tuple(
        -min(fine.fine, state.scores[side] + points) if side == fined else gained for side, points in enumerate(made)
    )


def play_revoke(state: State, card: Card) -> State:
    """Play an illegal card that stands: it is the last card of a trick that nobody takes, and the deal or game ends.

    Errors: NoRevokePenalty. Total for a card that the seat to play holds.
    Source: trebor (loss of the game; loss of the deal's points); that the deal ends is this project's reading.
    """
    require_penalty(state.table)
    seat = state.seat_to_play
    hand = state.hands[seat]
    hands = list(state.hands)
    hands[seat] = hand + 1 if hand < 0 else hand & ~(1 << card)
    return replace(state, hands=tuple(hands), trick=(*state.trick, card), revoked=seat)
