"""The revoke: to break a rule of play when able to keep it. Source: trebor."""

from msgspec.structs import replace

from service.cards import Card
from service.faults import NoRevokePenalty
from service.rulesets import Table
from service.state import State


def require_penalty(table: Table) -> None:
    """Refuse to penalise under a ruleset that names no penalty.

    Errors: NoRevokePenalty.
    """
    if table.ruleset.revoke == "not_allowed":
        raise NoRevokePenalty


def let_stand(state: State, card: Card) -> State:
    """Let an illegal card stand: it lies last in a trick that nobody takes, and the deal or the game ends.

    Errors: NoRevokePenalty. Total for a card that the seat to play holds.
    Source: trebor (loss of the game; loss of the deal's points).
    """
    require_penalty(state.table)
    seat = state.seat_to_play
    hand = state.hands[seat]
    hands = list(state.hands)
    hands[seat] = hand + 1 if hand < 0 else hand & ~(1 << card)
    return replace(state, hands=tuple(hands), trick=(*state.trick, card), revoked=seat)
