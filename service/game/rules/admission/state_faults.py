"""Faults of a state with complete lists: scores, sizes, and positions that no legal play leads to."""

from collections.abc import Iterator

from msgspec.structs import replace

from service.game.cards import BITS, card_code
from service.game.faults import Fault
from service.game.rules import game, revoke, score, unseen, verdicts, visibility
from service.game.rules.admission.size_faults import find_size_faults
from service.game.rules.deal import eldest
from service.game.state import State, side_of


def find_state_faults(state: State) -> tuple[Fault, ...]:
    """Find all contradictions; checks that build on the sizes run only if those are right."""
    scores = game.score_faults(state.table, state.deal, state.scores)
    sizes, leader = find_size_faults(state), _find_leader_fault(state)
    if sizes:
        return scores + sizes + leader
    ends = () if scores else _find_end_faults(state)
    return scores + leader + _find_turn_up_fault(state) + _find_trick_faults(state) + _find_revoke_faults(state) + ends


def find_filling_fault(state: State) -> tuple[Fault, ...]:
    """Find hidden hands that cannot all be filled, in a state without other faults."""
    if visibility.find_hidden_seat(state) is None or unseen.is_feasible(unseen.find_hidden(state)):
        return ()
    detail = "The cards that are not in sight cannot be dealt to the hidden hands so that all fits that is in sight."
    return (Fault("hands_cannot_be_filled", ("hands",), detail),)


def _find_leader_fault(state: State) -> tuple[Fault, ...]:
    if state.taken[state.table.side_of[state.leader]]:
        return ()
    if any(state.taken):
        detail = f"Seat {state.leader} leads, but its side has taken no trick."
        return (Fault("leader_took_no_trick", ("leader",), detail),)
    first = eldest(state.table, state.dealer)
    if state.leader != first:
        detail = f"Seat {first} leads first, on the left of dealer {state.dealer}."
        return (Fault("leader_not_eldest", ("leader",), detail),)
    return ()


def _find_turn_up_fault(state: State) -> tuple[Fault, ...]:
    """Find a turn-up that is not in the dealer's last hand and was not played from it."""
    bit, dealer, later = BITS[state.turn_up], state.dealer, state.later_hands
    last = later[dealer][-1] if later else state.hands[dealer]
    if (last > 0 and last & bit) or (last < 0 and unseen.find_hidden(state).turn_up):
        return ()
    code, table = card_code(state.turn_up), state.table
    if state.turn_up in state.trick:
        at = state.trick.index(state.turn_up)
        seat = (state.leader + at) % table.players
        if seat == dealer and not later:
            return ()
        return (Fault("turn_up_misplaced", ("trick", at), f"{code}, the turn-up, is played by seat {seat}."),)
    if not any(taken & bit for taken in state.taken):
        return (Fault("turn_up_misplaced", ("turn_up",), f"{code}, the turn-up, is not in the dealer's last hand."),)
    if sum([taken.bit_count() for taken in state.taken]) > (table.hands - 1) * table.cards * table.players:
        return ()
    detail = f"{code}, the turn-up, is taken before the dealer's last hand is in play."
    return (Fault("turn_up_misplaced", ("taken",), detail),)


def _find_trick_faults(state: State) -> tuple[Fault, ...]:
    """Find cards of the trick that were illegal, judged by the hands of their seats now."""
    found: tuple[Fault, ...] = ()
    for at in range(len(state.trick) - (state.revoked is not None)):
        if verdicts.was_legal(state, at) is False:
            found += (_illegal_card(state, at),)
    return found


def _illegal_card(state: State, at: int) -> Fault:
    code, seat = card_code(state.trick[at]), (state.leader + at) % state.table.players
    detail = f"Seat {seat} played {code}, which was not legal with what it still holds."
    return Fault("illegal_card_in_trick", ("trick", at), detail)


def _find_revoke_faults(state: State) -> tuple[Fault, ...]:
    return () if state.revoked is None else tuple(_revoke_faults(state))


def _revoke_faults(state: State) -> Iterator[Fault]:
    if not revoke.has_penalty(state.table):
        detail = f"{state.table.ruleset.id} has no penalty for a revoke."
        yield Fault("revoke_without_penalty", ("revoked",), detail)
    last = (state.leader + len(state.trick) - 1) % state.table.players
    if not state.trick or last != state.revoked:
        detail = f"Seat {state.revoked} is said to have revoked, but its card is not the last of the trick."
        yield Fault("revoke_not_last_card", ("revoked",), detail)
    elif verdicts.was_legal(state, len(state.trick) - 1):
        detail = f"Seat {state.revoked} was free to play {card_code(state.trick[-1])}."
        yield Fault("revoke_was_legal", ("revoked",), detail)


def _find_end_faults(state: State) -> tuple[Fault, ...]:
    """Find play after a game won at once: only the side that took the last trick can be at game without fault."""
    if not game.counts_at_once(state.table):
        return ()
    totals = score.totals(state if state.revoked is None else replace(state, revoked=None))
    return () if game.is_undecided(state, totals) else tuple(_end_faults(state, totals))


def _end_faults(state: State, totals: tuple[int, ...]) -> Iterator[Fault]:
    for side, points in enumerate(totals):
        passed = not game.is_undecided(state, (points,))
        if passed and (state.trick or side_of(state, state.leader) != side):
            detail = f"Side {side} stands at {points}, so the game was over before the last card was played."
            yield Fault("played_on_after_game", ("taken", side), detail)
