"""POST /v1/knowledge: what a seat can know of the hands that it does not see."""

from collections.abc import Generator
from random import Random
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from service.api.questions.plays import DealPlays, read_plays
from service.api.questions.state import StateOrNotation, admit_seen
from service.cards import Card, cards_of
from service.faults import Impossible
from service.http.operation import ADMIT, question
from service.players.determinizations import Determinizations
from service.players.past import find_hidden_after
from service.rules import knowledge
from service.rules.adjudication import finish
from service.rules.unseen import HandSlot, HiddenCards
from service.rules.view import view
from service.rulesets import Seat
from service.state import HandClaim, LaterHands, Seed, State, describe
from service.wire.knowledge import KnownHand, write_known_hand
from service.wire.refusal import refuse

_Chances: TypeAlias = dict[HandSlot, dict[Card, float]]


class KnowledgeQuestion(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A state, and the seat that looks at it; null for a spectator."""

    state: Annotated[StateOrNotation, Meta(description="The state to look at.")]
    seat: Annotated[Seat | None, Meta(description="The seat that looks; null for a spectator.")]
    plays: DealPlays = ()
    fillings: Annotated[
        int, Meta(ge=0, le=100, description="How many ways to fill the hidden hands to draw, each as likely as any.")
    ] = 0
    seed: Annotated[Seed, Meta(description="From which they are drawn: the same seed draws the same.")] = "1"


class Filling(Struct, frozen=True, gc=False):
    """A way to fill the hidden hands that fits all that is known: the hands of a state, all shown."""

    hands: Annotated[tuple[HandClaim, ...], Meta(description="By seat: the hand in play.")]
    later_hands: Annotated[tuple[LaterHands, ...], Meta(description="By seat: the later hands; [] if there are none.")]


class Knowledge(Struct, frozen=True, gc=False):
    """The knowledge of a seat about every hand that it does not see."""

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


def know_by_piece(body: KnowledgeQuestion) -> Generator[None, None, Knowledge]:
    """Say what a seat can know of the hands that it does not see, and yield between pieces of work.

    Errors: Refusal.
    """
    state = admit_seen(body.state, body.seat)
    try:
        known = find_hidden_after(view(state, body.seat), read_plays(state, body.plays))
    except Impossible as exc:
        raise refuse(exc) from exc
    hands = knowledge.know(known, body.seat)
    if state.revoked is not None:
        return Knowledge(tuple([write_known_hand(state, hand, None) for hand in hands]), ())
    drawn = Determinizations(known)
    chances = yield from _find_chances(known, drawn)
    written = tuple([write_known_hand(state, hand, chances.get(hand.place, {})) for hand in hands])
    return Knowledge(written, (yield from _draw(drawn, body.fillings, body.seed)))


@question(
    "/v1/knowledge",
    operation_id="knowledge",
    tag="Reasoning",
    summary="Say what a seat can know of the hands that it does not see",
    description="The state is first reduced to the view of the seat, as by /v1/views, so hands that the seat may not "
    "see make no difference. Of every other hand, and of later hands, the answer has the cards that it surely holds, "
    "those that it may hold, each with its exact chance, and the suits in which it is void, with the reasons. It is "
    "exact for all in sight, the sizes of the hands, the strip, the turn-up, and what the current trick shows of each "
    "seat; how earlier tricks were played counts if `plays` are sent. The chances hold if nothing is concluded from "
    "which of its legal cards a seat chose. With `fillings`, so many ways to fill the hidden hands are drawn.",
    response_description="What can be known, hand by hand, and the fillings drawn.",
    problems=(*ADMIT, "impossible_request"),
    sliced=know_by_piece,
    takes_long=lambda body: bool(body.plays or body.fillings),
)
def show_knowledge(body: KnowledgeQuestion) -> Knowledge:
    """Say what a seat can know of the hands that it does not see."""
    return finish(know_by_piece(body))


def _find_chances(known: HiddenCards, fillings: Determinizations) -> Generator[None, None, _Chances]:
    found: _Chances = {}
    for place, cards, times, of in (yield from fillings.chances()):
        found.setdefault(place, {}).update(dict.fromkeys(cards_of(cards), times / of))
    if known.turn_up:
        found.setdefault(known.last, {}).update(dict.fromkeys(cards_of(known.turn_up), 1.0))
    return found


def _draw(fillings: Determinizations, count: int, seed: Seed) -> Generator[None, None, tuple[Filling, ...]]:
    chance, drawn = Random(seed), list[State]()  # noqa: S311 # the same seed is to draw the same
    for _ in range(count):
        drawn.append(fillings.draw(chance))
        yield
    return tuple([Filling(told.hands, told.later_hands) for told in map(describe, drawn)])
