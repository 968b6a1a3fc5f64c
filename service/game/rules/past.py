"""The cards that each hand lacks, as shown by the plays so far: all were legal, except a last revoke."""

from service.game.cards import BITS, Card, Mask
from service.game.faults import Fault, Impossible
from service.game.rules.deal import eldest, play_unchecked
from service.game.rules.follow_suit import cards_that_forbid
from service.game.rules.revoke import play_revoke
from service.game.rules.unseen import HiddenCards, find_hidden, is_feasible, show_lacking
from service.game.rulesets import Seat
from service.game.state import State


def cards_lacked(state: State, played: tuple[Card, ...]) -> tuple[Mask, ...]:
    """Return the cards that each hand in play cannot hold.

    Shape: by seat; `played` has all cards of the deal so far, in order.
    Errors: Impossible, path `plays`, if they do not lead to the state, or a card among them was not legal, other than
    the revoke that ended the deal.
    """
    if len(set(played)) < len(played):
        raise _misfit("A card was played twice.")
    past = _first_state(state)
    lacked = [0] * state.table.players
    for at, card in enumerate(played, start=1):
        seat = past.seat_to_play
        _require_lacked(seat, BITS[card], lacked[seat])
        if state.revoked is not None and at == len(played):
            past = play_revoke(past, card)
            break
        lacked[seat] |= cards_that_forbid(past, past.trick[0] if past.trick else None, card)
        before, past = past, play_unchecked(past, card)
        if before.later_hands != past.later_hands:
            lacked = [0] * state.table.players
    if (past.leader, past.trick, past.taken) != (state.leader, state.trick, state.taken):
        raise _misfit("These plays do not lead to this state.")
    hidden = find_hidden(state)
    for seat, (hand, cards) in enumerate(zip(state.hands, lacked, strict=True)):
        turn_up = hidden.turn_up if hidden.last == (seat, 0) else 0
        _require_lacked(seat, max(hand, 0) | turn_up, cards)
    return tuple(lacked)


def find_hidden_after(state: State, played: tuple[Card, ...]) -> HiddenCards:
    """Return what is known of the hidden cards of a state from the plays that led to it.

    Shape: `played` has all cards of the deal so far, in order, or none if they are not known.
    Errors: Impossible, path `plays`, for plays that do not fit the state.
    """
    known = find_hidden(state)
    if not played:
        return known
    shown = known.shown
    for seat, lacks in enumerate(cards_lacked(state, played)):
        if state.hands[seat] < 0:
            shown = show_lacking(shown, seat, lacks)
    known = known._replace(shown=shown)
    if not is_feasible(known):
        raise _misfit("No hands fit all of these plays.")
    return known


def _require_lacked(seat: Seat, held: Mask, lacked: Mask) -> None:
    """Refuse plays by which a seat lacks a card that it held.

    Errors: Impossible, path `plays`.
    """
    if held & lacked:
        raise _misfit(f"Seat {seat} held a card for which a play of it was not legal.")


def seats_of(state: State, played: tuple[Card, ...]) -> tuple[Seat, ...]:
    """Return the seat that played each card of the deal so far."""
    past, seats = _first_state(state), list[Seat]()
    for card in played:
        seats.append(past.seat_to_play)
        past = play_unchecked(past, card)
    return tuple(seats)


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
