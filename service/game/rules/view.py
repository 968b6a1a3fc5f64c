"""The view of a seat: its own hand in play and all cards played; of every other hand, only the number of cards."""

from msgspec.structs import replace

from service.game.rulesets import Seat
from service.game.state import State, hand_size


def view(state: State, seat: Seat | None) -> State:
    """Return the state as a seat, or as a spectator (None), may see it: other hands and all later hands are hidden.

    Source: gamerules (later hands lie face down, hidden from their owner too).

    >>> from service.game.notation.position import read_position
    >>> state = read_position("ctt1_trebor_02.13_1_0.0_0-Ad_9.8.AK9sJ9h6d876c.9_1-Th_0.0")
    >>> view(state, None).hands
    (-9, -8, -9, -9)
    """
    hands = [hand if at == seat else -hand_size(hand) for at, hand in enumerate(state.hands)]
    later = [tuple([-hand_size(hand) for hand in hands_of_seat]) for hands_of_seat in state.later_hands]
    return replace(state, hands=tuple(hands), later_hands=tuple(later))
