"""The cards that the claimer may play, and those that a hidden hand may hold and play.

Of equivalent cards, only one is listed.
"""

from collections.abc import Iterator
from typing import NamedTuple

from service.game.cards import BITS, SUIT_MASKS, SUIT_OF, Card, Mask, mask_of
from service.game.rules import trick
from service.game.rules.follow_suit import bars_trump_lead, cards_that_forbid, playable
from service.game.rules.unseen import Constraint, HiddenCards, divide_hidden, is_feasible
from service.game.state import State
from service.players.order import Order


class HiddenPlay(NamedTuple):
    """A card that a hidden hand may play, and the cards that it then cannot hold."""

    card: Card
    lacks: Mask


def own_cards(state: State, known: HiddenCards, order: Order) -> list[Card]:
    """List the cards that the claimer may play, the strongest first."""
    legal = playable(state, state.trick, state.hands[state.seat_to_play])
    others = order.rank(known.cards | known.turn_up | mask_of(state.trick))
    return [order.card(card) for card in sorted(order.distinct(order.rank(legal), others), reverse=True)]


def hidden_plays(state: State, known: HiddenCards, order: Order, own: Mask) -> list[HiddenPlay]:
    """List the plays of the seat to play that some filling allows.

    Shape: those that take the trick so far come first, the strongest first; then the others, the weakest first.
    """
    led = state.trick[0] if state.trick else None
    every = order.rank(own | mask_of(state.trick) | known.cards | known.turn_up)
    is_last = len(state.trick) == state.table.players - 1
    found = list[tuple[Mask, HiddenPlay]]()
    for part in _parts(known, state.seat_to_play):
        lacks = cards_that_forbid(state, led, part.bit_length() - 1)
        wanted = Constraint(has=part & -part, lacks=lacks)
        if not is_feasible(known, (state.seat_to_play, 0), wanted):
            continue
        cards = order.rank(part)
        above = cards & _winning(state, order)
        # Two cards that take the trick so far are not equivalent while others may play between them.
        best = order.distinct(above, every & ~cards) if is_last else _each(above)
        found += [(-card, HiddenPlay(order.card(card), lacks)) for card in best]
        rest = order.distinct(cards & ~above, every & ~cards | above)
        found += [(card, HiddenPlay(order.card(card), lacks)) for card in rest]
    return [play for _, play in sorted(found)]


def count_sure_tricks(state: State, hidden: Mask, order: Order) -> int:
    """Count the tricks that the claimer, who leads, takes with cards above all hidden ones, wherever those lie.

    Plain cards count if the trumps among them draw all trumps of the others.
    """
    if bars_trump_lead(state.table) and not any(state.taken):
        return 0
    hand, others = order.rank(state.hands[state.leader]), order.rank(hidden)
    trumps = _count_above(hand & order.trumps, others & order.trumps)
    if trumps < (others & order.trumps).bit_count():
        return trumps
    return (hand & order.trumps).bit_count() + sum([_count_above(hand & suit, others & suit) for suit in order.plain])


def _count_above(cards: Mask, others: Mask) -> int:
    return (cards >> others.bit_length()).bit_count()


def _parts(known: HiddenCards, seat: int) -> Iterator[Mask]:
    """Divide the hidden cards into groups of one suit that no hand and no strip distinguishes."""
    if known.turn_up and known.last == (seat, 0):
        yield known.turn_up
    for kind in divide_hidden(known):
        yield from [part for suit in SUIT_MASKS if (part := kind & suit)]


def _winning(state: State, order: Order) -> Mask:
    """Return the cards that take the trick so far, in the order of strength; all of them for a lead."""
    cards = state.trick
    if not cards:
        return -1
    best = order.rank(BITS[trick.best(mask_of(cards), cards[0], SUIT_OF[state.turn_up], state.table.ruleset)])
    _, live = order.led_by[order.rank(BITS[cards[0]])]
    return live & -2 * best


def _each(cards: Mask) -> list[Mask]:
    found = list[Mask]()
    while cards:
        found.append(cards & -cards)
        cards &= cards - 1
    return found
