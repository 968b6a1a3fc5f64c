"""POST /v1/knowledge: what a seat can know of the hands that it does not see."""

from typing import Annotated

from msgspec import Meta, Struct

from service.api.questions.state import StateOrNotation, admit_seen
from service.http.operation import ADMIT, question
from service.rules import knowledge
from service.rulesets import Seat
from service.wire.knowledge import KnownHand, write_known_hand


class KnowledgeQuestion(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A state, and the seat that looks at it; null for a spectator."""

    state: Annotated[StateOrNotation, Meta(description="The state to look at.")]
    seat: Annotated[Seat | None, Meta(description="The seat that looks; null for a spectator.")]


class Knowledge(Struct, frozen=True, gc=False):
    """The knowledge of a seat about every hand that it does not see."""

    hands: Annotated[
        tuple[KnownHand, ...],
        Meta(
            description="Every hand but the seat's own in play: by seat, the hand in play first, then the later ones."
        ),
    ]


@question(
    "/v1/knowledge",
    operation_id="knowledge",
    summary="Say what a seat can know of the hands that it does not see",
    description="The state is first reduced to the view of the seat, as by /v1/views, so hands that the seat may not "
    "see make no difference. Of every other hand, and of later hands, the answer has the cards that it surely holds, "
    "those that it may hold, and the suits in which it is void, with the reasons. It is exact for all in sight, "
    "the sizes of the hands, the strip, the turn-up, and what the current trick shows of each seat. How earlier tricks "
    "were played is not looked at.",
    response_description="What can be known, hand by hand.",
    problems=(*ADMIT, "impossible_request"),
)
def show_knowledge(body: KnowledgeQuestion) -> Knowledge:
    """Say what a seat can know of the hands that it does not see."""
    state = admit_seen(body.state, body.seat)
    return Knowledge(tuple([write_known_hand(state, known) for known in knowledge.know(state, body.seat)]))
