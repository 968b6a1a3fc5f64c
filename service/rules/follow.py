"""Which cards are legal: follow suit if able; else any card, or a trump if able; and what may open a deal."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from service.cards import SUIT_MASK_OF, SUIT_MASKS, SUIT_OF, Card, Mask, cards_of
from service.faults import HandNotSeen
from service.rules import unseen
from service.rulesets import Seat, Table
from service.state import State

Reason: TypeAlias = Annotated[
    Literal["not_in_hand", "must_follow_suit", "must_trump", "no_trump_lead"],
    Meta(title="Reason", description="Why a card is refused."),
]


class Verdict(Struct, frozen=True, gc=False):
    """Whether a seat may play a card: `reason` is None if it may; `legal_cards` None if its hand is not seen."""

    seat: Seat
    card: Card
    reason: Reason | None
    legal_cards: Mask | None


def playable(table: Table, trump: int, led: int | None, hand: Mask, *, opening: bool) -> Mask:
    """Tell the cards of a hand that may be played to a trick of the suit led, or led to it where that is None.

    Errors: total.
    Source: all five (follow suit); take-ten (a void hand trumps if able); lots-of-kids (no trump opens a deal;
    a hand of trumps alone leads any card, by this project's reading).
    """
    if led is not None:
        of_suit = hand & SUIT_MASKS[led]
        if of_suit or table.ruleset.void == "any_card":
            return of_suit or hand
        return hand & SUIT_MASKS[trump] or hand
    if opening and table.ruleset.opening_lead == "no_trump":
        return hand & ~SUIT_MASKS[trump] or hand
    return hand


def led_suit(trick: tuple[Card, ...]) -> int | None:
    """Tell the suit led to a trick, None before the lead."""
    return SUIT_OF[trick[0]] if trick else None


def _playable_now(state: State, hand: Mask) -> Mask:
    trick, trump = state.trick, SUIT_OF[state.turn_up]
    if trick:
        return playable(state.table, trump, SUIT_OF[trick[0]], hand, opening=False)
    return playable(state.table, trump, None, hand, opening=not any(state.taken))


def legal_cards(state: State) -> Mask | None:
    """Tell the legal cards of the seat to play; None where its hand is not seen and nothing else tells it.

    Errors: total for a deal in play.
    """
    trick = state.trick
    hand = state.hands[(state.leader + len(trick)) % state.table.players]
    if hand < 0:
        return _legal_unseen(state)
    # Most seats can follow suit, and then nothing else matters.
    if trick and (of_suit := hand & SUIT_MASK_OF[trick[0]]):
        return of_suit
    return _playable_now(state, hand)


def _legal_unseen(state: State) -> Mask | None:
    """Tell what is legal in a hand not seen: what lies between that of the least and that of the most it may hold."""
    known = unseen.held(state, state.seat_to_play)
    legal = _playable_now(state, known.surely)
    return legal if legal == _playable_now(state, known.maybe) else None


def verdict(state: State, card: Card) -> Verdict:
    """Judge a card of the seat to play.

    Errors: HandNotSeen where the cards in sight do not decide.
    """
    seat = state.seat_to_play
    legal = legal_cards(state)
    if legal is None:
        return Verdict(seat, card, _reason_unseen(state, seat, card), None)
    if legal >> card & 1:
        return Verdict(seat, card, None, legal)
    return Verdict(seat, card, _reason(state, seat, card), legal)


def verdicts(state: State, hand: Mask) -> tuple[Verdict, ...]:
    """Judge every card of the hand of the seat to play.

    Errors: total for that seat's hand.
    """
    seat, legal = state.seat_to_play, _playable_now(state, hand)
    reason = None if legal == hand else _broken(state, hand)
    return tuple([Verdict(seat, card, None if legal >> card & 1 else reason, legal) for card in cards_of(hand)])


def was_legal(state: State, at: int) -> bool | None:
    """Tell whether a card of the trick was legal when it was played; None where what is seen does not decide.

    The more a seat holds, the less is legal: so the most and the least that it may hold decide.
    """
    led = SUIT_OF[state.trick[0]] if at else None
    if SUIT_OF[state.trick[at]] == led:
        return True
    known = unseen.held(state, (state.leader + at) % state.table.players)
    bit = 1 << state.trick[at]
    opening = not any(state.taken)
    if playable(state.table, state.trump, led, known.maybe | bit, opening=opening) & bit:
        return True
    return None if playable(state.table, state.trump, led, known.surely | bit, opening=opening) & bit else False


def _reason(state: State, seat: Seat, card: Card) -> Reason:
    known = unseen.held(state, seat)
    if not known.maybe >> card & 1:
        return "not_in_hand"
    if not known.surely >> card & 1:
        raise HandNotSeen(seat)
    return _broken(state, known.surely)


def _broken(state: State, hand: Mask) -> Reason:
    """Tell the rule that a hand breaks with any of its cards that is not legal."""
    led = led_suit(state.trick)
    if led is None:
        return "no_trump_lead"
    return "must_follow_suit" if hand & SUIT_MASKS[led] else "must_trump"


def _reason_unseen(state: State, seat: Seat, card: Card) -> Reason | None:
    """Judge a card of a hand that is not seen: one that it cannot hold, or the turn-up, which it surely holds."""
    known = unseen.held(state, seat)
    if not known.maybe >> card & 1:
        return "not_in_hand"
    if not known.surely >> card & 1:
        raise HandNotSeen(seat)
    led = led_suit(state.trick)
    if led is None or led == state.trump:
        return None
    follows = unseen.holds_suit(known, led)
    if follows is None:
        raise HandNotSeen(seat)
    return "must_follow_suit" if follows else None
