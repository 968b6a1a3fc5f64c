"""The view of a seat: its own hand in play and all that was played openly; every other hand is a number."""

from msgspec.structs import replace

from service.rulesets import Seat
from service.state import Hand, State, hand_size


def view(state: State, seat: Seat | None) -> State:
    """Hide what a seat, or a spectator where it is None, may not see: others' hands and all later hands.

    Source: gamerules (later hands lie face down, hidden from their owner too).
    """
    hands = [hand if at == seat else _hide(hand) for at, hand in enumerate(state.hands)]
    later = [tuple([_hide(hand) for hand in hands_of_seat]) for hands_of_seat in state.later_hands]
    return replace(state, hands=tuple(hands), later_hands=tuple(later))


def _hide(hand: Hand) -> Hand:
    return -hand_size(hand)
