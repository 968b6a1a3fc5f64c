"""The judgment on a card that a seat wants to play: legal, or refused for a reason."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from service.game.cards import Card, Mask
from service.game.rules.follow_suit import BrokenDuty
from service.game.rulesets import Seat

Reason: TypeAlias = Annotated[
    Literal["not_in_hand", "must_follow_suit", "must_trump", "no_trump_lead", "depends_on_hand"],
    Meta(
        title="VerdictReason",
        description="Why a card is refused; depends_on_hand: no hidden hand makes it legal, but the "
        "hand decides between several reasons.",
    ),
]
ReasonOfHand: TypeAlias = Literal["not_in_hand", BrokenDuty]
"""Why a card is refused in a hand that is known."""


class Judgment(Struct, frozen=True, gc=False):
    """The verdict on a card of a seat."""

    seat: Seat
    """The seat that wants to play the card."""
    card: Card
    """The card."""
    reason: Reason | None
    """Why the card is refused; None if it is legal or undecided."""
    legal_cards: Mask | None
    """The legal cards of the seat; None if what is seen leaves them open."""
    possible: tuple[ReasonOfHand, ...] = ()
    """Possible reasons, depending on the hidden hand; if undecided, the card may also be legal."""

    @property
    def undecided(self) -> bool:
        """True if the card is legal for some cards of a hidden hand, and not for others."""
        return self.reason is None and bool(self.possible)
