"""Knowledge: what a seat or a spectator can know of unseen hands, and why.

Knowledge comes only from the view of the seat and the plays of the deal. It is exact: a card is surely in a hand if
every possible filling of the hidden hands has it there, and it may be there if some filling has.
"""

from typing import Literal, TypeAlias

from msgspec import Struct

from service.game.cards import BITS, SUIT_MASKS, SUIT_OF, Card, Mask
from service.game.rules.unseen import UNCONSTRAINED, HandBounds, HandSlot, HiddenCards, bound_hand, find_hidden
from service.game.rulesets import Seat
from service.game.state import hand_cards

SureReason: TypeAlias = Literal["turn_up", "only_these_fit", "no_other_place"]
VoidReason: TypeAlias = Literal[
    "hand_empty",
    "did_not_follow",
    "did_not_trump",
    "opened_with_trump",
    "shown_earlier",
    "none_hidden",
    "hand_known",
    "all_elsewhere",
]


class HandKnowledge(Struct, frozen=True, gc=False):
    """The knowledge about an unseen hand."""

    place: HandSlot
    """The seat and the number of the hand."""
    size: int
    """How many cards it holds."""
    must_hold: tuple[tuple[Card, SureReason], ...]
    """The cards that it must hold, each with the reason."""
    may_hold: Mask
    """The cards that it may hold, including those that it must hold."""
    void: tuple[tuple[int, VoidReason], ...]
    """The suits, 0 to 3, in which it is void, each with the reason."""


def infer_hands(known: HiddenCards, eyes: Seat | None) -> tuple[HandKnowledge, ...]:
    """Return what a seat, or a spectator (None), can know of every hand but its own in play, hand by hand.

    Shape: the state is the view of the seat.
    Errors: total.
    """
    state = known.state
    later = len(state.later_hands[0]) if state.later_hands else 0
    places = [(seat, at) for seat in range(state.table.players) for at in range(later + 1)]
    return tuple([_know_hand(known, place) for place in places if place != (eyes, 0)])


def _know_hand(known: HiddenCards, place: HandSlot) -> HandKnowledge:
    hand = bound_hand(known, place)
    must_hold: list[tuple[Card, SureReason]] = [
        (card, _why_sure(known, hand, BITS[card])) for card in hand_cards(known.state, hand.must_hold)
    ]
    suits = [suit for suit in range(4) if not hand.may_hold & SUIT_MASKS[suit]]
    void: list[tuple[int, VoidReason]] = [(suit, _why_void(known, place, hand, suit)) for suit in suits]
    return HandKnowledge(place, hand.size, tuple(must_hold), hand.may_hold, tuple(void))


def _why_sure(known: HiddenCards, hand: HandBounds, card: Mask) -> SureReason:
    if card == known.turn_up:
        return "turn_up"
    return "only_these_fit" if hand.must_hold == hand.may_hold else "no_other_place"


def _why_void(known: HiddenCards, place: HandSlot, hand: HandBounds, suit: int) -> VoidReason:
    if not hand.size:
        return "hand_empty"
    if place in known.shown and known.shown[place].lacks & SUIT_MASKS[suit]:
        return _shown_void(known, place, suit)
    if not (known.cards | known.turn_up) & SUIT_MASKS[suit]:
        return "none_hidden"
    return "hand_known" if hand.must_hold == hand.may_hold else "all_elsewhere"


def _shown_void(known: HiddenCards, place: HandSlot, suit: int) -> VoidReason:
    state = known.state
    if not find_hidden(state).shown.get(place, UNCONSTRAINED).lacks & SUIT_MASKS[suit]:
        return "shown_earlier"
    if place[0] == state.leader:
        return "opened_with_trump"
    return "did_not_follow" if suit == SUIT_OF[state.trick[0]] else "did_not_trump"
