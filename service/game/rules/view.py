"""The view of a seat: its own hand in play and all cards played; of every other hand, only the number of cards."""

from msgspec.structs import replace

from service.game.rulesets import Seat
from service.game.state import Hand, State, hand_size


def view(state: State, seat: Seat | None) -> State:
    """Return the state as a seat, or as a spectator (None), may see it: other hands and all later hands are hidden.

    Source: gamerules (later hands lie face down, hidden from their owner too).
    """
    hands = [hand if at == seat else _hide(hand) for at, hand in enumerate(state.hands)]
    later = [tuple([_hide(hand) for hand in hands_of_seat]) for hands_of_seat in state.later_hands]
    return replace(state, hands=tuple(hands), later_hands=tuple(later))


def _hide(hand: Hand) -> Hand:
    return -hand_size(hand)
