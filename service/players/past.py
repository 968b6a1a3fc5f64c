"""The cards that each hand lacks, as the plays of a deal so far show, because all were legal."""

from collections.abc import Iterator

from service.cards import Card, Mask
from service.faults import Fault, Impossible
from service.rules import play
from service.rules.deal import eldest
from service.rules.duty import forbidding
from service.rulesets import Seat
from service.state import State


def cards_lacked(state: State, played: tuple[Card, ...]) -> tuple[Mask, ...]:
    """Return the cards that each hand in play cannot hold.

    Shape: by seat; `played` has all cards of the deal so far, in order.
    Errors: Impossible, path `plays`, if they do not lead to the state, or a card among them was not legal.
    """
    past = _first_state(state)
    lacked = [0] * state.table.players
    for card in played:
        lacked[past.seat_to_play] |= forbidding(past, past.trick[0] if past.trick else None, card)
        before, past = past, play.play_unchecked(past, card)
        if before.later_hands != past.later_hands:
            lacked = [0] * state.table.players
    twice = len(set(played)) < len(played)
    if twice or (past.leader, past.trick, past.taken) != (state.leader, state.trick, state.taken):
        raise _misfit("These plays do not lead to this state.")
    for seat, (hand, cards) in enumerate(zip(state.hands, lacked, strict=True)):
        if hand > 0 and hand & cards:
            raise _misfit(f"Seat {seat} holds a card for which a play of it was not legal.")
    return tuple(lacked)


def turns(state: State, played: tuple[Card, ...]) -> Iterator[tuple[State, Card]]:
    """Yield each state of the deal so far, all hands hidden, with the card that was played in it."""
    past = _first_state(state)
    for card in played:
        yield past, card
        past = play.play_unchecked(past, card)


def seats_of(state: State, played: tuple[Card, ...]) -> tuple[Seat, ...]:
    """Return the seat that played each card of the deal so far."""
    return tuple([past.seat_to_play for past, _ in turns(state, played)])


def _first_state(state: State) -> State:
    """Return the deal before the first card, with all hands hidden."""
    table = state.table
    return State(
        table,
        state.dealer,
        state.deal,
        state.scores,
        state.turn_up,
        hands=(-table.cards,) * table.players,
        later_hands=((-table.cards,) * (table.hands - 1),) * table.players if table.hands > 1 else (),
        leader=eldest(table, state.dealer),
        trick=(),
        taken=(0,) * len(table.sides),
    )


def _misfit(detail: str) -> Impossible:
    return Impossible((Fault("plays_do_not_fit", ("plays",), detail),))
