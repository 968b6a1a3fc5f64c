"""The cards drawn for the first dealer."""

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from service.game.cards import Card, Code, card_code
from service.game.rulesets import Seat


class DrawnCard(Struct, frozen=True, gc=False):
    """A card drawn by a seat."""

    seat: Annotated[Seat, Meta(description="The seat that drew.")]
    card: Annotated[Code, Meta(description="The card that it drew.")]


DrawRounds: TypeAlias = tuple[tuple[DrawnCard, ...], ...]
"""The cards drawn, round by round."""


def write_rounds(rounds: list[dict[Seat, Card]]) -> DrawRounds:
    """Write the cards drawn, round by round."""
    return tuple(tuple(DrawnCard(seat, card_code(card)) for seat, card in cards.items()) for cards in rounds)
