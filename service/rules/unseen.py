"""Hidden hands: the cards that a seat surely holds, and those that it may hold.

This is worked out by counting alone, from the pack, the cards in sight, the sizes of the hands and the turn-up, which
is known to be in the dealer's last hand until it is played.
"""

from msgspec import Struct

from service.cards import FULL_PACK, SUIT_MASKS, Mask, mask_of
from service.rulesets import Seat, Table
from service.state import State, hand_size


class Held(Struct, frozen=True, gc=False):
    """The cards that a hand surely holds, all the cards that it may hold, and how many it holds."""

    surely: Mask
    maybe: Mask
    size: int


def in_sight(state: State) -> Mask:
    """Return all cards in sight: those of the hands shown, of the trick and of the tricks taken."""
    seen = mask_of(state.trick)
    for taken in state.taken:
        seen |= taken
    for hands in (state.hands, *state.later_hands):
        for hand in hands:
            if hand > 0:
                seen |= hand
    return seen


def hidden(state: State) -> Mask:
    """Return the cards that are not in sight, without those that are surely stripped."""
    seen = in_sight(state)
    strips = strips_possible(state.table, seen | 1 << state.turn_up)
    return FULL_PACK & ~seen & ~(strips[0] if len(strips) == 1 else 0)


def strips_possible(table: Table, seen: Mask) -> list[Mask]:
    """List the strips of the table that hold none of the cards seen."""
    return [strip for strip in table.strips if not strip & seen]


def held(state: State, seat: Seat) -> Held:
    """Return what is known of a seat's hand in play; a hand that only one set of cards fits is known in full."""
    hand = state.hands[seat]
    if hand >= 0:
        return Held(hand, hand, hand_size(hand))
    size = -hand
    unknown = hidden(state)
    turn_up = unknown & 1 << state.turn_up
    mine = turn_up if seat == state.dealer and state.in_last_hands else 0
    maybe = mine if mine.bit_count() == size else unknown & ~turn_up | mine
    return Held(maybe if maybe.bit_count() == size else mine, maybe, size)


def holds_suit(hand: Held, suit: int) -> bool | None:
    """Return True if a hand holds a card of the suit, False if not. Return None if what is seen does not decide."""
    of_suit = SUIT_MASKS[suit]
    if hand.surely & of_suit or (hand.maybe & ~of_suit).bit_count() < hand.size:
        return True
    return None if hand.maybe & of_suit else False
