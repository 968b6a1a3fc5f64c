"""Fillings of hidden hands found by trying: each hidden card is given a place of its own, as by augmenting paths.

Slow and plain, to check what the rules conclude about hidden hands of any size.
"""

from typing import TypeAlias

from service.game.cards import CODES, FULL_PACK, SUIT_OF, Card, Mask, cards_of
from service.game.state import State
from tests.support.strategies import hands_of_seats, visible_cards

Place: TypeAlias = tuple[int, int]
Slots: TypeAlias = list[Mask]
"""For every card that is wanted somewhere, the cards that will do."""


def has_filling(state: State, place: Place = (-1, 0), has: Mask = 0, lacks: Mask = 0, some: Mask = 0) -> bool:
    """Return True if the hidden cards can be dealt so that all fits, and this hand has, lacks and has one of these."""
    slots: Slots = []
    for seat, hands in enumerate(hands_of_seats(state)):
        for at, hand in enumerate(hands):
            if hand < 0:
                here = (seat, at) == place
                slots += _slots_of(state, (seat, at), -hand, (has, lacks, some) if here else (0, 0, 0))
    strips = state.table.strips
    chosen = sum(1 << card for card in range(36) if any(strip >> card & 1 for strip in strips))
    slots += [chosen & ~(1 << state.turn_up)] * strips[0].bit_count()
    slots += [~(1 << state.turn_up)] * state.table.undealt
    cards = cards_of(FULL_PACK & ~visible_cards(state))
    return len(cards) == len(slots) and _can_match(cards, slots)


def _slots_of(state: State, place: Place, size: int, asked: tuple[Mask, Mask, Mask]) -> Slots:
    has, lacks, some = asked
    turn_up = 1 << state.turn_up & ~visible_cards(state)
    last = place == (state.dealer, len(state.later_hands[0]) if state.later_hands else 0)
    has |= turn_up if last else 0
    shown, revoked = _shown(state, place[0]) if place[1] == 0 else (0, 0)
    lacks |= shown | (0 if last else turn_up)
    wanted = [1 << card for card in cards_of(has)]
    wanted += [cards for cards in (some, revoked) if cards and not cards & has]
    return [cards & ~lacks for cards in wanted] + [~lacks] * (size - len(wanted)) if size >= len(wanted) else [0]


def _shown(state: State, seat: int) -> tuple[Mask, Mask]:
    """Return the cards that a seat lacks by its card in the trick, and, if it revoked, cards that it has one of."""
    at = (seat - state.leader) % state.table.players
    if at >= len(state.trick):
        return 0, 0
    card, ruleset = state.trick[at], state.table.ruleset
    suits: set[int] = set()
    if at and SUIT_OF[card] != SUIT_OF[state.trick[0]]:
        suits = {SUIT_OF[state.trick[0]]}
        if ruleset.void == "trump_if_able" and SUIT_OF[card] != state.trump:
            suits.add(state.trump)
    if not at and not any(state.taken) and ruleset.opening_lead == "no_trump" and SUIT_OF[card] == state.trump:
        suits = {0, 1, 2, 3} - {state.trump}
    cards = sum(1 << card for card in range(len(CODES)) if SUIT_OF[card] in suits)
    return (0, cards) if state.revoked == seat else (cards, 0)


def _can_match(cards: tuple[Card, ...], slots: Slots) -> bool:
    """Return True if every slot can get a card of its own."""
    slot_of: dict[Card, int] = {}

    def serve(slot: int, tried: set[Card]) -> bool:
        for card in cards:
            if slots[slot] >> card & 1 and card not in tried:
                tried.add(card)
                if card not in slot_of or serve(slot_of[card], tried):
                    slot_of[card] = slot
                    return True
        return False

    return all(serve(slot, set()) for slot in range(len(slots)))
