"""The trick: the highest trump wins it, else the highest card of the suit led.

Source: all; trumps rank J A K Q T 9 8 7 6, but in lots-of-kids A K Q J T 9 8 7 6.
"""

from service.game.cards import SUIT_MASK_OF, SUIT_MASKS, Card, Mask, mask_of
from service.game.rulesets import Ruleset, Seat, cards_above_ace


def best(cards: Mask, lead: Card, trump: int, ruleset: Ruleset) -> Card:
    """Return the card that wins a trick so far.

    Errors: total if the card led is among the cards.
    """
    trumps = cards & SUIT_MASKS[trump]
    return (trumps & cards_above_ace(ruleset) or trumps or cards & SUIT_MASK_OF[lead]).bit_length() - 1


def winner(cards: tuple[Card, ...], trump: int, leader: Seat, players: int, ruleset: Ruleset) -> Seat | None:
    """Return the seat that wins a trick so far. Return None before the lead.

    >>> from service.game.rulesets import find_ruleset
    >>> winner((35, 22, 27, 23), 2, 0, 4, find_ruleset("trebor"))  # AS TH 6S JH, hearts are trumps
    3
    """
    return (leader + cards.index(best(mask_of(cards), cards[0], trump, ruleset))) % players if cards else None
