"""The knowledge of the hands that are not seen, each fact with its reason."""

from collections.abc import Mapping
from typing import Annotated, Final, get_args

from msgspec import Meta, Struct

from service.cards import CODES, Card, Code, Suit
from service.rules import knowledge
from service.rulesets import Seat
from service.state import State, hand_cards
from service.wire.scalars import Cards
from service.wire.verdict import SUIT_NAMES


class SureCard(Struct, frozen=True, gc=False):
    """A card that a hand surely holds, and why."""

    card: Annotated[Code, Meta(description="The card.")]
    reason: Annotated[
        knowledge.SureReason,
        Meta(
            description="turn_up: it is in the dealer's last hand until it is played. only_these_fit: no other "
            "hidden card can be in the hand. no_other_place: it can be nowhere else."
        ),
    ]
    detail: Annotated[str, Meta(description="The reason as a sentence.")]


class VoidSuit(Struct, frozen=True, gc=False):
    """A suit of which a hand holds no card, and why."""

    suit: Annotated[Suit, Meta(description="The suit.")]
    reason: Annotated[
        knowledge.VoidReason,
        Meta(
            description="hand_empty: the hand has no cards. did_not_follow, did_not_trump, opened_with_trump: its card "
            "in the current trick shows it. shown_earlier: "
            "an earlier play shows it. none_hidden: no card of the suit is hidden. hand_known: the cards of the "
            "hand are known. all_elsewhere: the hidden cards of the suit must all be elsewhere."
        ),
    ]
    detail: Annotated[str, Meta(description="The reason as a sentence.")]


class KnownHand(Struct, frozen=True, gc=False):
    """The knowledge of a hand that is not seen."""

    seat: Annotated[Seat, Meta(description="The seat that holds it.")]
    hand_index: Annotated[int, Meta(ge=0, le=17, description="0 for the hand in play, 1 for the next one, and so on.")]
    size: Annotated[int, Meta(ge=0, le=18, description="How many cards it holds.")]
    surely: Annotated[tuple[SureCard, ...], Meta(description="The cards that it surely holds, each with the reason.")]
    maybe: Annotated[
        Cards,
        Meta(
            description="All cards that it may hold, those that it surely holds among them, in the order of a hand: "
            "each is in this hand for some way to fill the hidden hands that fits all that is in sight."
        ),
    ]
    chances: Annotated[
        tuple[Annotated[float, Meta(ge=0, le=1)], ...] | None,
        Meta(
            description="For each card of `maybe`, in its order, the chance that it is in this hand: the part of all "
            "ways to give each hidden card its place, the strip among the places, each as likely as any other. It is "
            "counted exactly and rounded to a double; null once a revoke has ended the deal."
        ),
    ]
    void: Annotated[
        tuple[VoidSuit, ...],
        Meta(max_length=4, description="The suits of which it holds no card, each with the reason."),
    ]


_SUITS: Final = get_args(get_args(Suit)[0])
_SURE_TEXTS: Final[dict[knowledge.SureReason, str]] = {
    "turn_up": "{card} is the turn-up, which is in the dealer's last hand until it is played.",
    "only_these_fit": "Its cards are known: no other hidden card can be in the hand.",
    "no_other_place": "{card} can be nowhere else: every other place lacks its suit or is taken by other cards.",
}
_VOID_TEXTS: Final[dict[knowledge.VoidReason, str]] = {
    "hand_empty": "The hand has no cards.",
    "did_not_follow": "{led} was led, and seat {seat} did not follow suit.",
    "did_not_trump": "Seat {seat} could not follow suit and did not trump, so it holds no {suit}.",
    "opened_with_trump": "Seat {seat} opened the deal with a trump, which only a hand of trumps alone may do.",
    "shown_earlier": "A card that seat {seat} played in an earlier trick shows that it holds no {suit}.",
    "none_hidden": "No hidden card is of {suit}.",
    "hand_known": "The cards of the hand are known, and none is of {suit}.",
    "all_elsewhere": "The hidden {suit} must all be elsewhere.",
}


def write_known_hand(state: State, known: knowledge.HandKnowledge, chances: Mapping[Card, float] | None) -> KnownHand:
    """Write what can be known of a hand of a state, and the chances of its cards, if they are known."""
    seat, at = known.place
    led = CODES[state.trick[0]] if state.trick else None
    surely = [
        SureCard(CODES[card], reason, _SURE_TEXTS[reason].format(card=CODES[card])) for card, reason in known.surely
    ]
    void = [
        VoidSuit(_SUITS[suit], reason, _VOID_TEXTS[reason].format(seat=seat, suit=SUIT_NAMES[suit], led=led))
        for suit, reason in known.void
    ]
    maybe = hand_cards(state, known.maybe)
    parts = None if chances is None else tuple([chances[card] for card in maybe])
    return KnownHand(seat, at, known.size, tuple(surely), tuple([CODES[card] for card in maybe]), parts, tuple(void))
