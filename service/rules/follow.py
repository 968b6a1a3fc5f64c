"""The legal cards: follow suit if able, else any card, or a trump if able; and what may be led first."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from service.cards import BITS, SUIT_MASK_OF, SUIT_MASKS, SUIT_OF, Card, Mask, cards_of
from service.faults import HandNotSeen
from service.rules import unseen
from service.rulesets import Seat
from service.state import State

Reason: TypeAlias = Annotated[
    Literal["not_in_hand", "must_follow_suit", "must_trump", "no_trump_lead"],
    Meta(title="Reason", description="Why a card is refused."),
]


class Verdict(Struct, frozen=True, gc=False):
    """The verdict on a card of a seat.

    Shape: `reason` is None if the card is legal; `legal_cards` is None if what is seen leaves them open.
    """

    seat: Seat
    card: Card
    reason: Reason | None
    legal_cards: Mask | None


def playable(state: State, trick: tuple[Card, ...], hand: Mask) -> Mask:
    """Return the cards of a hand that may be played to this trick, or led if the trick is empty.

    Errors: total.
    Source: all five (follow suit); take-ten (a void hand trumps if able); lots-of-kids (no trump opens a deal;
    a hand of trumps alone leads any card, by this project's reading).
    """
    if trick:
        of_suit = hand & SUIT_MASK_OF[trick[0]]
        if of_suit or state.table.ruleset.void == "any_card":
            return of_suit or hand
        return hand & SUIT_MASK_OF[state.turn_up] or hand
    if state.table.ruleset.opening_lead == "no_trump" and not any(state.taken):
        return hand & ~SUIT_MASK_OF[state.turn_up] or hand
    return hand


def led_suit(trick: tuple[Card, ...]) -> int | None:
    """Return the suit led to a trick. Return None before the lead."""
    return SUIT_OF[trick[0]] if trick else None


def legal_cards(state: State) -> Mask | None:
    """Return the legal cards of the seat to play. Return None if its hand is not seen and what is seen leaves it open.

    Errors: total for a deal in play.
    """
    trick = state.trick
    hand = state.hands[(state.leader + len(trick)) % state.table.players]
    if hand >= 0:
        return playable(state, trick, hand)
    # If the least and the most that the seat can hold make the same cards legal, so does every hand between.
    known = unseen.held(state, state.seat_to_play)
    legal = playable(state, trick, known.surely)
    return legal if legal == playable(state, trick, known.maybe) else None


def verdict(state: State, card: Card) -> Verdict:
    """Judge a card of the seat to play.

    Errors: HandNotSeen if the cards in sight do not decide.
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

    Errors: total for the hand of that seat.
    """
    seat, legal = state.seat_to_play, playable(state, state.trick, hand)
    reason = None if legal == hand else _broken(state, hand)
    return tuple([Verdict(seat, card, None if legal >> card & 1 else reason, legal) for card in cards_of(hand)])


def was_legal(state: State, at: int) -> bool | None:
    """Return True if the card at this index of the trick was legal when it was played, and False if it was not.

    Return None if what is seen does not decide. A card that is legal for a hand is legal for a part of that hand, too,
    so the most and the least that the seat can hold decide.
    """
    before, bit = state.trick[:at], BITS[state.trick[at]]
    if before and bit & SUIT_MASK_OF[before[0]]:
        return True
    known = unseen.held(state, (state.leader + at) % state.table.players)
    if playable(state, before, known.maybe | bit) & bit:
        return True
    return None if playable(state, before, known.surely | bit) & bit else False


def _reason(state: State, seat: Seat, card: Card) -> Reason:
    known = unseen.held(state, seat)
    if not known.maybe >> card & 1:
        return "not_in_hand"
    if not known.surely >> card & 1:
        raise HandNotSeen(seat)
    return _broken(state, known.surely)


def _broken(state: State, hand: Mask) -> Reason:
    """Return the rule that a hand breaks with any of its cards that is not legal."""
    led = led_suit(state.trick)
    if led is None:
        return "no_trump_lead"
    return "must_follow_suit" if hand & SUIT_MASKS[led] else "must_trump"


def _reason_unseen(state: State, seat: Seat, card: Card) -> Reason | None:
    """Judge a card of a hand that is not seen: one that it cannot hold, or the turn-up, which it surely holds.

    Return None if the card is legal.
    Errors: HandNotSeen if the cards in sight do not decide.
    """
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
