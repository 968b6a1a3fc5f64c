"""POST /v1/knowledge: what a seat can know of unseen hands."""

from collections.abc import Mapping
from random import Random
from typing import Annotated, Final, TypeAlias, get_args

from msgspec import Meta, Struct

from service.api.questions.state import DealPlays, admit_for_seat, read_plays
from service.game.cards import CODES, Card, Code, Suit, cards_of
from service.game.faults import Impossible
from service.game.generators import Sliced
from service.game.rules import knowledge
from service.game.rules.past import find_hidden_after
from service.game.rules.unseen import HandSlot, HiddenCards
from service.game.rules.view import view
from service.game.rulesets import Seat
from service.game.state import HandClaim, LaterHands, Seed, State, hand_cards, to_claim
from service.http.operation import ADMIT_PROBLEMS, question
from service.players.determinizations import Determinizations
from service.schemas.described_state import StateOrNotation
from service.schemas.refusal import refuse
from service.schemas.scalars import Cards
from service.schemas.verdict import SUIT_NAMES

_Chances: TypeAlias = dict[HandSlot, dict[Card, float]]


class KnowledgeQuestion(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A state, and the seat that looks at it; null for a spectator."""

    state: Annotated[StateOrNotation, Meta(description="The state to look at.")]
    seat: Annotated[Seat | None, Meta(description="The seat that looks; null for a spectator.")]
    plays: DealPlays = None
    """All plays of the deal; None if unknown."""
    fillings: Annotated[
        int, Meta(ge=0, le=100, description="How many ways to fill the hidden hands to draw, each as likely as any.")
    ] = 0
    seed: Annotated[Seed, Meta(description="From which they are drawn: the same seed draws the same.")] = "1"


class SureCard(Struct, frozen=True, gc=False):
    """A card that a hand must hold, and why."""

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
    """A suit in which a hand is void, and why."""

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
    """The knowledge about an unseen hand."""

    seat: Annotated[Seat, Meta(description="The seat that holds it.")]
    hand_index: Annotated[int, Meta(ge=0, le=17, description="0 for the hand in play, 1 for the next one, and so on.")]
    size: Annotated[int, Meta(ge=0, le=18, description="How many cards it holds.")]
    must_hold: Annotated[tuple[SureCard, ...], Meta(description="The cards that it must hold, each with the reason.")]
    may_hold: Annotated[
        Cards,
        Meta(
            description="All cards that it may hold, those that it must hold among them, in the order of a hand: "
            "each is in this hand for some way to fill the hidden hands that fits all that is in sight."
        ),
    ]
    chances: Annotated[
        tuple[Annotated[float, Meta(ge=0, le=1)], ...] | None,
        Meta(
            description="For each card of `may_hold`, in its order, the chance that it is in this hand: the part of "
            "all ways to give each hidden card its place, the strip among the places, each as likely as any other. It "
            "is counted exactly and rounded to a double; null once a revoke has ended the deal."
        ),
    ]
    void: Annotated[
        tuple[VoidSuit, ...],
        Meta(max_length=4, description="The suits in which it is void, each with the reason."),
    ]


class Filling(Struct, frozen=True, gc=False):
    """A possible filling of the hidden hands: the hands of a state, all shown."""

    hands: Annotated[tuple[HandClaim, ...], Meta(description="By seat: the hand in play.")]
    later_hands: Annotated[tuple[LaterHands, ...], Meta(description="By seat: the later hands; [] if there are none.")]


class Knowledge(Struct, frozen=True, gc=False):
    """A seat's knowledge about all unseen hands."""

    hands: Annotated[
        tuple[KnownHand, ...],
        Meta(
            description="Every hand but the seat's own in play: by seat, the hand in play first, then the later ones."
        ),
    ]
    fillings: Annotated[
        tuple[Filling, ...],
        Meta(
            max_length=100,
            description="The fillings drawn, as many as were asked for; [] once a revoke has ended the deal.",
        ),
    ]


@question(
    "/v1/knowledge",
    operation_id="knowledge",
    tag="Reasoning",
    summary="Say what a seat can know of the hands that it does not see",
    description="The state is first reduced to the view of the seat, as by /v1/views, so hands that the seat may not "
    "see make no difference. Of every other hand, and of later hands, the answer has the cards that it must hold, "
    "those that it may hold, each with its exact chance, and the suits in which it is void, with the reasons. It is "
    "exact for all in sight, the sizes of the hands, the strip, the turn-up, and what the current trick shows of each "
    "seat; how earlier tricks were played counts if `plays` are sent. The chances hold if nothing is concluded from "
    "which of its legal cards a seat chose. `fillings` says how many ways to fill the hidden hands to draw.",
    response_description="What can be known, hand by hand, and the fillings drawn.",
    problems=(*ADMIT_PROBLEMS, "impossible_request"),
    is_long_running=lambda body: bool(body.plays or body.fillings),
)
def show_knowledge(body: KnowledgeQuestion) -> Sliced[Knowledge]:
    """Find what a seat can know of unseen hands, and yield between pieces of work.

    Errors: Refusal.
    """
    state = admit_for_seat(body.state, body.seat)
    try:
        known = find_hidden_after(view(state, body.seat), read_plays(state, body.plays))
    except Impossible as exc:
        raise refuse(exc) from exc
    hands = knowledge.infer_hands(known, body.seat)
    if state.revoked is not None:
        return Knowledge(tuple([_write_known_hand(state, hand, None) for hand in hands]), ())
    drawn = Determinizations(known)
    chances = yield from _find_chances(known, drawn)
    written = tuple([_write_known_hand(state, hand, chances.get(hand.place, {})) for hand in hands])
    return Knowledge(written, (yield from _draw(drawn, body.fillings, body.seed)))


def _find_chances(known: HiddenCards, fillings: Determinizations) -> Sliced[_Chances]:
    found: _Chances = {}
    for place, cards, times, of in (yield from fillings.chances()):
        found.setdefault(place, {}).update(dict.fromkeys(cards_of(cards), times / of))
    if known.turn_up:
        found.setdefault(known.last, {}).update(dict.fromkeys(cards_of(known.turn_up), 1.0))
    return found


def _draw(fillings: Determinizations, count: int, seed: Seed) -> Sliced[tuple[Filling, ...]]:
    chance, drawn = Random(seed), list[State]()  # noqa: S311 # the same seed draws the same
    for _ in range(count):
        drawn.append(fillings.draw(chance))
        yield
    return tuple([Filling(told.hands, told.later_hands) for told in map(to_claim, drawn)])


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


def _write_known_hand(state: State, known: knowledge.HandKnowledge, chances: Mapping[Card, float] | None) -> KnownHand:
    """Write the knowledge about a hand of a state, and the chances of its cards if known."""
    seat, at = known.place
    led = CODES[state.trick[0]] if state.trick else None
    must_hold = [
        SureCard(CODES[card], reason, _SURE_TEXTS[reason].format(card=CODES[card])) for card, reason in known.must_hold
    ]
    void = [
        VoidSuit(_SUITS[suit], reason, _VOID_TEXTS[reason].format(seat=seat, suit=SUIT_NAMES[suit], led=led))
        for suit, reason in known.void
    ]
    may_hold = hand_cards(state, known.may_hold)
    parts = None if chances is None else tuple([chances[card] for card in may_hold])
    return KnownHand(
        seat, at, known.size, tuple(must_hold), tuple([CODES[card] for card in may_hold]), parts, tuple(void)
    )
