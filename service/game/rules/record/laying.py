"""The laying of recorded plays: by the seat to play, of a card that it can hold, legal or not."""

from service.game.cards import BITS, NUMBER, Mask
from service.game.rules.deal import play_unchecked
from service.game.rules.record import RecordedPlay
from service.game.rules.unseen import Constraint, find_hidden, is_feasible
from service.game.state import State


def lay(state: State, made: RecordedPlay) -> State | None:
    """Return the state after a play. Return None if it does not fit."""
    card = NUMBER[made.card]
    if state.played_out or made.seat != state.seat_to_play or not can_hold(state, BITS[card]):
        return None
    return play_unchecked(state, card)


def can_hold(state: State, bit: Mask) -> bool:
    """Return True if the seat to play can hold a card; the trick proves nothing, as its cards may be illegal."""
    seat = state.seat_to_play
    hand = state.hands[seat]
    return bool(hand & bit) if hand >= 0 else is_feasible(find_hidden(state, {}), (seat, 0), Constraint(has=bit))
