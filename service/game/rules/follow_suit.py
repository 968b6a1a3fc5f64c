"""The duties of a seat: follow suit if able, else trump if that is a duty; and the lead to a deal.

Source: all (follow suit); take-ten (a void hand trumps if able); lots-of-kids (no trump opens a deal; a hand of trumps
alone leads any card, by this project's reading).
"""

from typing import Literal, TypeAlias

from service.game.cards import BITS, FULL_PACK, SUIT_MASK_OF, Card, Mask
from service.game.rulesets import Table
from service.game.state import State

BrokenDuty: TypeAlias = Literal["must_follow_suit", "must_trump", "no_trump_lead"]


def may_discard(table: Table) -> bool:
    """Return True if a seat void in the suit led may play any card, even if it holds a trump."""
    return table.ruleset.void == "any_card"


def bars_trump_lead(table: Table) -> bool:
    """Return True if no trump may open a deal."""
    return table.ruleset.opening_lead == "no_trump"


def playable(state: State, trick: tuple[Card, ...], hand: Mask) -> Mask:
    """Return the cards of a hand that may be played to this trick, or led if the trick is empty.

    Errors: total.
    """
    if trick:
        of_suit = hand & SUIT_MASK_OF[trick[0]]
        if of_suit or state.table.ruleset.void == "any_card":
            return of_suit or hand
        return hand & SUIT_MASK_OF[state.turn_up] or hand
    if state.table.ruleset.opening_lead == "no_trump" and not any(state.taken):
        return hand & ~SUIT_MASK_OF[state.turn_up] or hand
    return hand


def cards_that_forbid(state: State, led: Card | None, card: Card) -> Mask:
    """Return the cards that forbid a card on this lead, or as a lead: a hand without them may play it.

    A law tests that it agrees with `playable`.
    """
    trumps, bit = SUIT_MASK_OF[state.turn_up], BITS[card]
    if led is None:
        barred = bit & trumps and state.table.ruleset.opening_lead == "no_trump" and not any(state.taken)
        return FULL_PACK & ~trumps if barred else 0
    of_suit = SUIT_MASK_OF[led]
    if bit & of_suit:
        return 0
    return of_suit if state.table.ruleset.void == "any_card" or bit & trumps else of_suit | trumps


def duties(led: Card | None, forbidden: Mask) -> tuple[tuple[BrokenDuty, Mask], ...]:
    """Return each duty behind the forbidding cards, with its part of them; the first broken one counts."""
    if led is None:
        return (("no_trump_lead", forbidden),)
    of_suit = SUIT_MASK_OF[led]
    return ("must_follow_suit", forbidden & of_suit), ("must_trump", forbidden & ~of_suit)


def broken_duty(state: State, hand: Mask) -> BrokenDuty:
    """Return the duty that a hand breaks with any card of it that is not playable to the current trick."""
    if not state.trick:
        return "no_trump_lead"
    return "must_follow_suit" if hand & SUIT_MASK_OF[state.trick[0]] else "must_trump"
