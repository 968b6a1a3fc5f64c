"""The end of a deal by a claim or a concession: one side takes the trick on the table and all cards that were left.

No source has a rule for it. This project's reading: the table is believed, and all cards go to one side.
"""

from itertools import chain

from msgspec.structs import replace

from service.game.cards import FULL_PACK, Mask, mask_of
from service.game.rules.record import DealEnd
from service.game.rules.visibility import find_hidden_seat, possible_strips, visible_cards
from service.game.rulesets import Side, Table
from service.game.state import State


def find_taker(table: Table, end: DealEnd) -> Side | None:
    """Return the side that takes the remaining cards. Return None for a concession to one of several sides."""
    side = table.side_of[end.seat]
    if end.how == "claim":
        return side
    return 1 - side if len(table.sides) == 2 else None


def give_cards_left(state: State, side: Side) -> State | None:
    """Return the deal with all remaining cards in a side's tricks. Return None if they are unknown."""
    left = _cards_left(state)
    if left is None:
        return None
    taken = tuple([pile | left if at == side else pile for at, pile in enumerate(state.taken)])
    nothing = (0,) * state.table.players
    return replace(state, hands=nothing, later_hands=(), leader=state.table.sides[side][0], trick=(), taken=taken)


def _cards_left(state: State) -> Mask | None:
    """Return the cards in the trick and in all hands. Return None if hidden hands and cards out of play share some."""
    if find_hidden_seat(state) is None:
        return sum(chain(state.hands, *state.later_hands)) | mask_of(state.trick)
    strips = possible_strips(state.table, visible_cards(state))
    return FULL_PACK & ~(sum(state.taken) | strips[0]) if len(strips) == 1 and not state.table.undealt else None
