"""The trick: the highest trump wins it, else the highest card of the suit led.

Source: all five; trumps rank J A K Q T 9 8 7 6, but in lots-of-kids A K Q J T 9 8 7 6.
"""

from service.cards import STRENGTHS, SUIT_OF, Card
from service.rulesets import Ruleset, Seat


def best(cards: tuple[Card, ...], trump: int, ruleset: Ruleset) -> int:
    """Tell which card of a trick wins it so far, by its place in the trick.

    Errors: total for at least one card.
    """
    strength = STRENGTHS[ruleset.trump_rank][trump][SUIT_OF[cards[0]]]
    return cards.index(max(cards, key=strength.__getitem__))


def winner(cards: tuple[Card, ...], trump: int, leader: Seat, players: int, ruleset: Ruleset) -> Seat | None:
    """Tell the seat that holds a trick so far; None before the lead."""
    return (leader + best(cards, trump, ruleset)) % players if cards else None
