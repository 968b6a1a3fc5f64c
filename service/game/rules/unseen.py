"""Hidden hands: whether a filling fits the cards in sight, and what all fillings have in common.

In sight are the cards shown, the sizes of all hands, the strip and the turn-up. The turn-up is in the dealer's last
hand until it is played. The current trick shows what its players lack; a record shows the cards played later. Earlier
tricks are not read.

A filling gives every hidden card one place. Some places take any card: an unrestricted hand, a later hand, and the
cards that are not dealt. Each other place needs a number of cards from a set, so only these places are matched.
"""

from collections.abc import Mapping
from itertools import chain
from typing import Final, NamedTuple, TypeAlias

from msgspec.structs import replace

from service.game.cards import BITS, FULL_PACK, Mask
from service.game.rules.follow_suit import cards_that_forbid
from service.game.rules.matching import Want, can_serve
from service.game.rules.visibility import visible_cards
from service.game.rulesets import Seat
from service.game.state import State, hand_size

HandSlot: TypeAlias = tuple[Seat, int]
"""A hand: its seat, and 0 for the hand in play, 1 for the next, and so on."""
CANNOT_BE: Final[tuple[Want, ...]] = ((1, 0),)


class Constraint(NamedTuple):
    """A demand on a hand: to hold all cards of `has`, one of `some` unless that is empty, and none of `lacks`."""

    has: Mask = 0
    some: Mask = 0
    lacks: Mask = 0


class HiddenCards(NamedTuple):
    """The knowledge of the hidden cards."""

    state: State
    """The state whose hands are hidden."""
    cards: Mask
    """The hidden cards, without the turn-up."""
    turn_up: Mask
    """The turn-up if it is hidden, and then in the hand at `last`; else 0."""
    last: HandSlot
    """The last hand of the dealer."""
    strip: tuple[int, Mask]
    """For a strip of choice: how many cards, and the set they are from; else (0, 0)."""
    shown: Mapping[HandSlot, Constraint]
    """By hidden hand: what the plays show of it."""


class HandBounds(NamedTuple):
    """The cards that a hand must hold, all the cards that it may hold, and how many it holds."""

    must_hold: Mask
    may_hold: Mask
    size: int


UNCONSTRAINED: Final = Constraint()


def find_hidden(state: State, shown: Mapping[HandSlot, Constraint] | None = None) -> HiddenCards:
    """Return what is known of the hidden cards of a state; `shown` replaces what its trick shows of hidden hands."""
    usual, union = state.table.strips[0], 0
    for strip in state.table.strips:
        union |= strip
    chosen = 0 if union == usual else union
    seen, bit = visible_cards(state), BITS[state.turn_up]
    cards = FULL_PACK & ~seen & ~bit & ~(0 if chosen else usual)
    last = len(state.later_hands[state.dealer]) if state.later_hands else 0
    wanted = (usual.bit_count() if chosen else 0, cards & chosen)
    shown = _shown_by_trick(state) if shown is None else shown
    return HiddenCards(state, cards, bit & ~seen, (state.dealer, last), wanted, shown)


def find_hidden_before(state: State, played: Mask, end: State) -> HiddenCards:
    """Return what a later state tells about the hand of the seat to play, which played these cards until then.

    Shape: some of the hand is left in the later state, whose trick shows nothing: its cards may have been illegal.
    """
    seat, hands = state.seat_to_play, [*end.hands]
    known = find_hidden(end, {(seat, 0): Constraint(has=played)})
    hands[seat] = state.hands[seat]
    return known._replace(state=replace(end, hands=tuple(hands)), cards=known.cards | played)


def _shown_by_trick(state: State) -> dict[HandSlot, Constraint]:
    """Return what hidden hands hold or lack because each card of the trick was legal, except a revoke."""
    shown: dict[HandSlot, Constraint] = {}
    players, revoke = state.table.players, len(state.trick) - 1 if state.revoked is not None else None
    led = None
    for at, card in enumerate(state.trick):
        seat = (state.leader + at) % players
        if state.hands[seat] < 0 and (cards := cards_that_forbid(state, led, card)):
            shown[seat, 0] = Constraint(some=cards) if at == revoke else Constraint(lacks=cards)
        led = state.trick[0]
    return shown


def show_lacking(shown: Mapping[HandSlot, Constraint], seat: Seat, lacks: Mask) -> Mapping[HandSlot, Constraint]:
    """Return the demands on hidden hands after a play also showed that a seat's hand in play lacks cards."""
    if not lacks:
        return shown
    before = shown.get((seat, 0), UNCONSTRAINED)
    return {**shown, (seat, 0): before._replace(lacks=before.lacks | lacks)}


def is_open(state: State) -> bool:
    """Return True if the seat to play may hold another card in place of any of its hidden hand.

    It may if another hidden hand has shown nothing either: both can exchange any cards but the turn-up.
    False proves nothing: it may hold others all the same.
    """
    trick, players = state.trick, state.table.players
    if state.seat_to_play == state.dealer and not (state.later_hands or visible_cards(state) & BITS[state.turn_up]):
        return False
    for at in reversed(range(players)):
        other = (state.leader + at) % players
        is_hidden = at != len(trick) and state.hands[other] < -(other == state.dealer)
        if is_hidden and (at > len(trick) or not cards_that_forbid(state, trick[0] if at else None, trick[at])):
            return True
    return False


def is_feasible(known: HiddenCards, place: HandSlot | None = None, wanted: Constraint = UNCONSTRAINED) -> bool:
    """Return True if some filling fits; if a hidden hand is named, one that gives it what is wanted, too.

    One card of `some` may be wanted of any hand except the hand of a seat that revoked, where it is wanted already.
    """
    if place is not None and place in known.shown:
        shown = known.shown[place]
        wanted = Constraint(wanted.has | shown.has, wanted.some or shown.some, wanted.lacks | shown.lacks)
    cards = known.cards & ~wanted.has
    wants = [(known.strip[0], known.strip[1] & cards)]
    for at, shown in known.shown.items():
        if at != place:
            wants += _wants_of(known, at, shown, cards)
    if place is not None:
        wants += _wants_of(known, place, wanted, cards)
    return can_serve(wants)


def _wants_of(known: HiddenCards, place: HandSlot, wanted: Constraint, cards: Mask) -> tuple[Want, ...]:
    """Return a hand's demand on the remaining cards."""
    mine = known.turn_up if place == known.last else 0
    certain = wanted.has | mine
    some = 0 if wanted.some & certain else wanted.some
    rest = _size(known, place) - certain.bit_count() - bool(some)
    if rest < 0 or certain & wanted.lacks or wanted.has & ~(known.cards | mine):
        return CANNOT_BE
    return (int(bool(some)), some & cards & ~wanted.lacks), (rest if wanted.lacks else 0, cards & ~wanted.lacks)


def _size(known: HiddenCards, place: HandSlot) -> int:
    seat, at = place
    return hand_size(known.state.later_hands[seat][at - 1] if at else known.state.hands[seat])


def bound_hand(known: HiddenCards, place: HandSlot) -> HandBounds:
    """Return what is known of a hidden hand."""
    must_hold = may_hold = known.turn_up if place == known.last else 0
    size = _size(known, place)
    if not known.shown and not known.strip[0]:
        rest = size - may_hold.bit_count()
        kept = known.cards if rest else 0
        return HandBounds(must_hold | (kept if rest == kept.bit_count() else 0), may_hold | kept, size)
    for kind in divide_hidden(known):
        # Indistinguishable cards: a fact about one holds for all.
        one = kind & -kind
        if is_feasible(known, place, Constraint(has=one)):
            may_hold |= kind
            if not is_feasible(known, place, Constraint(lacks=one)):
                must_hold |= kind
    return HandBounds(must_hold, may_hold, size)


def divide_hidden(known: HiddenCards) -> list[Mask]:
    """Divide the hidden cards into groups that no hand and no strip distinguishes."""
    kinds = [known.cards]
    for cards in {known.strip[1], *chain.from_iterable(known.shown.values())}:
        kinds = [part for kind in kinds for part in (kind & cards, kind & ~cards)]
    return [kind for kind in kinds if kind]
