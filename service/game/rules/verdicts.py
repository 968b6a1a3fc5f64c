"""The verdict on a card: legal or forbidden by a duty; for a hidden hand, if the cards in sight decide."""

from service.game.cards import BITS, Card, Mask
from service.game.faults import HandNotSeen
from service.game.rules.follow_suit import broken_duty, cards_that_forbid, duties, playable
from service.game.rules.judgment import Judgment, ReasonOfHand
from service.game.rules.unseen import Constraint, HandBounds, HiddenCards, bound_hand, find_hidden, is_feasible, is_open
from service.game.state import State, hand_cards


def known_hand(state: State) -> HandBounds:
    """Return what is known of the hand of the seat to play."""
    seat = state.seat_to_play
    hand = state.hands[seat]
    return HandBounds(hand, hand, hand.bit_count()) if hand >= 0 else bound_hand(find_hidden(state), (seat, 0))


def legal_cards(state: State) -> Mask | None:
    """Return the legal cards of the seat to play. Return None if its hand is hidden and they depend on it.

    Errors: total for a deal in play.

    >>> from service.game.notation.position import read_position
    >>> state = read_position("ctt1_trebor_02.13_1_0.0_0-Ad_9.8.AK9sJ9h6d876c.9_1-Th_0.0")
    >>> hand_cards(state, legal_cards(state))  # jack and nine of hearts, after the ten
    (23, 21)
    """
    trick = state.trick
    hand = state.hands[(state.leader + len(trick)) % state.table.players]
    if hand >= 0:
        return playable(state, trick, hand)
    return None if is_open(state) else _legal_in_all(state, known_hand(state))


def _legal_in_all(state: State, known: HandBounds) -> Mask | None:
    # The same cards are legal in every filling exactly if they are so for the smallest and the largest hand that the
    # seat can hold.
    legal = playable(state, state.trick, known.must_hold)
    return legal if legal == playable(state, state.trick, known.may_hold) else None


def judge_card(state: State, card: Card, *, as_held: bool = False) -> Judgment:
    """Judge a card of the seat to play; with `as_held`, a card of a hidden hand counts as held if it can be.

    Errors: HandNotSeen if the card is legal for some filling of the hidden hands, and not for others.
    """
    seat, hand = state.seat_to_play, state.hands[state.seat_to_play]
    if hand >= 0:
        legal = playable(state, state.trick, hand)
        if legal >> card & 1:
            return Judgment(seat, card, None, legal)
        return Judgment(seat, card, broken_duty(state, hand) if hand >> card & 1 else "not_in_hand", legal)
    known = find_hidden(state)
    if as_held and is_feasible(known, (seat, 0), Constraint(has=BITS[card])):
        known = known._replace(shown={**known.shown, (seat, 0): Constraint(has=BITS[card])})
    judged = judge_hidden(state, card, known)
    if judged.undecided and not as_held:
        raise HandNotSeen(seat)
    return judged


def judge_hidden(state: State, card: Card, known: HiddenCards, *, revoked: bool = False) -> Judgment:
    """Judge a card of a hidden hand by its known cards; a card reported as a revoke is one if possible."""
    seat = state.seat_to_play
    legal = _legal_in_all(state, bound_hand(known, (seat, 0)))
    reasons, can_be_legal = _possible_reasons(state, known, card)
    if can_be_legal and not (revoked and reasons):
        return Judgment(seat, card, None, legal, reasons)
    if len(reasons) == 1:
        return Judgment(seat, card, reasons[0], legal)
    return Judgment(seat, card, "depends_on_hand", legal, reasons)


def judge_hand(state: State, hand: Mask) -> tuple[Judgment, ...]:
    """Judge every card of the hand of the seat to play.

    Errors: total for the hand of that seat.
    """
    seat, legal = state.seat_to_play, playable(state, state.trick, hand)
    reason = None if legal == hand else broken_duty(state, hand)
    return tuple(
        [Judgment(seat, card, None if legal >> card & 1 else reason, legal) for card in hand_cards(state, hand)]
    )


def was_legal(state: State, at: int) -> bool | None:
    """Return True if the card at this index of the trick was legal when it was played, and False if it was not.

    Return None if the cards in sight, apart from the rest of the trick, do not decide.
    """
    trick, seat = state.trick, (state.leader + at) % state.table.players
    forbidden = cards_that_forbid(state, trick[0] if at else None, trick[at])
    hand = state.hands[seat]
    if hand >= 0 or not forbidden:
        return not hand & forbidden
    known = find_hidden(state, {})
    was_free = is_feasible(known, (seat, 0), Constraint(lacks=forbidden))
    return None if was_free is is_feasible(known, (seat, 0), Constraint(some=forbidden)) else was_free


def _possible_reasons(state: State, known: HiddenCards, card: Card) -> tuple[tuple[ReasonOfHand, ...], bool]:
    """List the reasons why a card of a hidden hand may be illegal, and return if it may be legal."""
    place, bit = (state.seat_to_play, 0), BITS[card]
    if not bit & (known.cards | known.turn_up):
        return ("not_in_hand",), False
    possible: list[ReasonOfHand] = ["not_in_hand"] if is_feasible(known, place, Constraint(lacks=bit)) else []
    led = state.trick[0] if state.trick else None
    kept, forbidden = 0, cards_that_forbid(state, led, card)
    for reason, cards in duties(led, forbidden):
        if cards and is_feasible(known, place, Constraint(bit, cards, kept)):
            possible.append(reason)
        kept |= cards
    return tuple(possible), is_feasible(known, place, Constraint(has=bit, lacks=forbidden))
