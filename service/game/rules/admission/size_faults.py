"""Faults of size: the tricks taken fix how many cards the trick and every hand can hold."""

from collections.abc import Iterator

from service.game.faults import Fault, Path
from service.game.rulesets import Side
from service.game.state import Hand, State, hand_size


def find_size_faults(state: State) -> tuple[Fault, ...]:
    """Find piles with parts of tricks, too many tricks, a trick too long, and hands of the wrong size."""
    found: tuple[Fault, ...] = ()
    table, trick, cards = state.table, state.trick, 0
    players = table.players
    for side, taken in enumerate(state.taken):
        count = taken.bit_count()
        cards += count
        if count % players:
            found += (_pile_fault(side, count, players),)
    tricks, rest = cards // players, cards % players
    longest = 0 if tricks == table.tricks else players - (state.revoked is None)
    if tricks > table.tricks:
        detail = f"{tricks} tricks are taken; a deal has {table.tricks}."
        return (*found, Fault("too_many_taken", ("taken",), detail))
    if len(trick) > longest:
        detail = f"The trick holds {len(trick)} cards; after {tricks} tricks it can hold {longest}."
        return (*found, Fault("trick_too_long", ("trick",), detail))
    return found if rest else found + _find_hand_faults(state, tricks)


def _pile_fault(side: Side, count: int, players: int) -> Fault:
    detail = f"Side {side} has {count} cards; a trick is {players}."
    return Fault("taken_not_whole_tricks", ("taken", side), detail)


def _find_hand_faults(state: State, tricks: int) -> tuple[Fault, ...]:
    found: tuple[Fault, ...] = ()
    table, leader, played = state.table, state.leader, len(state.trick)
    players, cards, last = table.players, table.cards, table.hands - 1
    done = min(tricks // cards, last)
    before, later = cards * (done + 1) - tricks, last - done
    for seat, hand in enumerate(state.hands):
        size = before - ((seat - leader) % players < played)
        if (hand.bit_count() if hand >= 0 else -hand) != size:
            found += (_wrong_size(hand, size, ("hands", seat)),)
    if later or state.later_hands:
        found += tuple(_later_hand_faults(state, tricks, later))
    return found


def _later_hand_faults(state: State, tricks: int, hands: int) -> Iterator[Fault]:
    if hands and not state.later_hands:
        detail = f"`later_hands` is empty; after {tricks} tricks each seat still has {hands} to take up."
        yield Fault("wrong_number_of_later_hands", ("later_hands",), detail)
    for seat, later in enumerate(state.later_hands):
        if len(later) != hands:
            detail = f"{len(later)} later hands after {tricks} tricks, not {hands}."
            yield Fault("wrong_number_of_later_hands", ("later_hands", seat), detail)
        for index, hand in enumerate(later):
            if hand_size(hand) != state.table.cards:
                yield _wrong_size(hand, state.table.cards, ("later_hands", seat, index))


def _wrong_size(hand: Hand, size: int, path: Path) -> Fault:
    return Fault("wrong_hand_size", path, f"{hand_size(hand)} cards; the tricks played leave {size}.")
