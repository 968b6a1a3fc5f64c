"""The cards in sight: shown, played and taken; and the strips that they allow."""

from service.game.cards import Mask, mask_of
from service.game.rulesets import Seat, Table
from service.game.state import State


def visible_cards(state: State) -> Mask:
    """Return all cards in sight: those of the hands shown, of the trick and of the tricks taken."""
    seen = mask_of(state.trick)
    for taken in state.taken:
        seen |= taken
    for hands in [state.hands, *state.later_hands]:
        for hand in hands:
            if hand > 0:
                seen |= hand
    return seen


def find_hidden_seat(state: State) -> Seat | None:
    """Return the first seat with a hidden hand. Return None if all are shown."""
    later = state.later_hands
    for seat, hand in enumerate(state.hands):
        if hand < 0 or (later and min(later[seat]) < 0):
            return seat
    return None


def possible_strips(table: Table, seen: Mask) -> list[Mask]:
    """List the strips of the table that hold none of the cards seen."""
    return [strip for strip in table.strips if not strip & seen]
