"""Faults of a claim as it is written: lists of the wrong length, seats out of range, cards twice or stripped."""

from collections.abc import Iterator
from itertools import chain
from typing import TypeAlias

from service.game.cards import BIT, BITS, CardCode, mask_codes, parse_mask
from service.game.faults import Fault, Path
from service.game.rules import visibility
from service.game.rulesets import Table
from service.game.state import Claim, State

Placed: TypeAlias = list[tuple[Path, tuple[CardCode, ...]]]
"""Lists of cards in sight, each with the path to it."""


def find_list_faults(claim: Claim | State, table: Table) -> tuple[Fault, ...]:
    """Find lists of the wrong length and seats that the table does not have."""
    seats, sides = table.players, len(table.sides)
    lengths = (len(claim.hands), len(claim.later_hands) or seats, len(claim.scores), len(claim.taken))
    if lengths == (seats, seats, sides, sides) and claim.dealer < seats > claim.leader and (claim.revoked or 0) < seats:
        return ()
    return tuple(_list_faults(claim, seats, sides))


def _list_faults(claim: Claim | State, seats: int, sides: int) -> Iterator[Fault]:
    if len(claim.hands) != seats:
        yield Fault("wrong_number_of_seats", ("hands",), f"{len(claim.hands)} hands for {seats} seats.")
    if len(claim.later_hands) not in {0, seats}:
        detail = f"{len(claim.later_hands)} entries for {seats} seats."
        yield Fault("wrong_number_of_seats", ("later_hands",), detail)
    for name, entries in (("scores", claim.scores), ("taken", claim.taken)):
        if len(entries) != sides:
            detail = f"{len(entries)} entries for {sides} sides."
            yield Fault("wrong_number_of_sides", (name,), detail)
    for name, seat in (("dealer", claim.dealer), ("leader", claim.leader), ("revoked", claim.revoked)):
        if seat is not None and seat >= seats:
            yield Fault("seat_out_of_range", (name,), f"There is no seat {seat} among {seats} players.")


def are_apart(state: State, described: Claim | State) -> bool:
    """Return True if no card is duplicated or stripped, in a state and in the lists that it came from."""
    named = _count_codes(described) if isinstance(described, Claim) else _count_cards(described)
    seen = visibility.visible_cards(state)
    return seen.bit_count() == named and bool(visibility.possible_strips(state.table, seen | BITS[state.turn_up]))


def _count_codes(claim: Claim) -> int:
    named = len(claim.trick)
    for taken in claim.taken:
        named += len(taken)
    for hands in [claim.hands, *claim.later_hands]:
        for hand in hands:
            if not isinstance(hand, int):
                named += len(hand)
    return named


def _count_cards(state: State) -> int:
    shown = [hand for hand in chain(state.hands, *state.later_hands) if hand > 0]
    return len(state.trick) + sum(map(int.bit_count, shown)) + sum(map(int.bit_count, state.taken))


def find_card_faults(claim: Claim, table: Table) -> tuple[Fault, ...]:
    """Find duplicated cards and stripped cards."""
    placed = _visible_cards(claim)
    seen = set[CardCode]().union(*[codes for _, codes in placed])
    twice = find_cards_twice(placed)
    if visibility.possible_strips(table, parse_mask((*seen, claim.turn_up))):
        return twice
    turn_up = () if not BIT[claim.turn_up] & table.strips[0] else (_stripped_card(table, ("turn_up",)),)
    return (*twice, *turn_up, *find_stripped_cards(placed, table))


def _visible_cards(claim: Claim) -> Placed:
    """List the cards in sight: those of the trick, of the tricks taken and of each hand that is shown."""
    lists: Placed = [(("trick",), claim.trick)]
    lists += [(("taken", side), codes) for side, codes in enumerate(claim.taken)]
    lists += [(("hands", seat), hand) for seat, hand in enumerate(claim.hands) if not isinstance(hand, int)]
    for seat, later in enumerate(claim.later_hands):
        lists += [(("later_hands", seat, at), hand) for at, hand in enumerate(later) if not isinstance(hand, int)]
    return lists


def find_cards_twice(placed: Placed) -> tuple[Fault, ...]:
    """Find cards that are in two places."""
    first: dict[CardCode, Path] = {}
    found: list[Fault] = []
    for path, codes in placed:
        for index, code in enumerate(codes):
            if code in first:
                found.append(Fault("card_twice", (*path, index), f"{code} is {_in_words(first[code])} already."))
            else:
                first[code] = (*path, index)
    return tuple(found)


def _in_words(path: Path) -> str:
    """Say where a card is."""
    match path:
        case ("taken", side, _):
            return f"among the cards taken by side {side}"
        case ("hands", seat, _):
            return f"in the hand of seat {seat}"
        case ("hand", _):
            return "in the hand"
        case ("later_hands", seat, _, _):
            return f"in a later hand of seat {seat}"
        case _:
            return "in the trick"


def find_stripped_cards(placed: Placed, table: Table) -> tuple[Fault, ...]:
    """Find cards of the usual strip; if the dealer chooses the strip, find too many cards of the choice."""
    usual = table.strips[0]
    return tuple(
        [
            _stripped_card(table, (*path, index))
            for path, codes in placed
            for index, code in enumerate(codes)
            if BIT[code] & usual
        ]
    )


def _stripped_card(table: Table, path: Path) -> Fault:
    detail = f"{table.ruleset.id} strips {' '.join(mask_codes(table.strips[0]))} for {table.players} players" + (
        " or other cards of the same rank." if len(table.strips) > 1 else "."
    )
    return Fault("card_not_in_pack", path, detail)
