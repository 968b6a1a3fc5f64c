"""The cards drawn for the first deal."""

from msgspec import Struct

from service.cards import Card, Code, card_code
from service.rulesets import Seat


class DrawnCard(Struct, frozen=True, gc=False):
    """A card drawn by a seat."""

    seat: Seat
    card: Code


def write_rounds(rounds: list[dict[Seat, Card]]) -> tuple[tuple[DrawnCard, ...], ...]:
    """Write the cards drawn, round by round."""
    return tuple(tuple(DrawnCard(seat, card_code(card)) for seat, card in cards.items()) for cards in rounds)
