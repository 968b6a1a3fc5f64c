"""Hands that are not shown: what their holder must hold, and what it may.

Only counting is used: the pack, the cards in sight, the sizes of the hands, and the turn-up, which all know
to lie in the dealer's last hand until it is played.
"""

from msgspec import Struct

from service.cards import FULL_PACK, SUIT_MASKS, Mask, mask_of
from service.rulesets import Seat, Table
from service.state import State, hand_size


class Held(Struct, frozen=True, gc=False):
    """What is known of a hand: the cards it surely holds, those it may hold, and how many it holds."""

    surely: Mask
    maybe: Mask
    size: int


def in_sight(state: State) -> Mask:
    """Gather every card in sight: of the hands that are shown, the trick and the tricks taken."""
    seen = mask_of(state.trick)
    for taken in state.taken:
        seen |= taken
    for hands in (state.hands, *state.later_hands):
        for hand in hands:
            if hand > 0:
                seen |= hand
    return seen


def hidden(state: State) -> Mask:
    """Tell the cards that are nowhere in sight, without those that are surely stripped."""
    seen = in_sight(state)
    strips = strips_possible(state.table, seen | 1 << state.turn_up)
    return FULL_PACK & ~seen & ~(strips[0] if len(strips) == 1 else 0)


def strips_possible(table: Table, seen: Mask) -> list[Mask]:
    """List the strips of the table that none of these cards contradicts."""
    return [strip for strip in table.strips if not strip & seen]


def held(state: State, seat: Seat) -> Held:
    """Tell what is known of a seat's hand in play; a hand that only one set of cards can fill counts as seen."""
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
    """Tell whether a hand holds a card of the suit: yes, no, or None where what is seen does not decide."""
    of_suit = SUIT_MASKS[suit]
    if hand.surely & of_suit or (hand.maybe & ~of_suit).bit_count() < hand.size:
        return True
    return None if hand.maybe & of_suit else False
