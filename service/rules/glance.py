"""A claim that is sound at first sight, as nearly all are.

What this file lets in, `check` finds nothing wrong with; what it passes by, `check` decides. So it may leave rare
cases alone: a revoke, a game that was won at once, a trump led first where that is barred.
"""

from functools import lru_cache
from typing import Final, TypeAlias

from service.cards import BIT, NUMBER, SUIT_OF, Mask
from service.rules import follow, game, score, unseen
from service.rulesets import Seat, Table
from service.state import Claim, HandClaim, State

LaterHands: TypeAlias = tuple[tuple[HandClaim, ...], ...]
_bit: Final = BIT.__getitem__


def glance(claim: Claim, table: Table) -> State | None:
    """Let a claim in if it is sound at first sight; None leaves that open."""
    later = claim.later_hands if any(claim.later_hands) else ()
    if claim.revoked is not None or not (_lists_fit(claim, table) and _sizes_fit(claim, later, table)):
        return None
    state = State(
        table,
        claim.dealer,
        claim.deal,
        claim.scores,
        NUMBER[claim.turn_up],
        tuple([-hand if isinstance(hand, int) else sum(map(_bit, hand)) for hand in claim.hands]),
        _read_later(later) if later else (),
        claim.leader,
        tuple([NUMBER[code] for code in claim.trick]) if claim.trick else (),
        tuple([sum(map(_bit, codes)) if codes else 0 for codes in claim.taken]),
    )
    seen, count = _in_sight(state)
    sound = seen.bit_count() == count and _pack_fits(table, seen | 1 << state.turn_up)
    return state if sound and _turn_up_fits(state, seen) and _play_fits(state) else None


def _lists_fit(claim: Claim, table: Table) -> bool:
    """Tell whether every list has its entries, the seats are seats, and the game was not over."""
    players, scores = table.players, claim.scores
    return (
        len(claim.taken) == len(scores) == len(table.sides)
        and (not claim.later_hands or len(claim.later_hands) == players)
        and claim.dealer < players > claim.leader
        and max(scores) < game.GAME
        and (claim.deal > 1 or not any(scores))
    )


def _sizes_fit(claim: Claim, later: LaterHands, table: Table) -> bool:
    """Tell whether whole tricks are taken and every hand holds what they leave it."""
    players, counts = table.players, list(map(len, claim.taken))
    for count in counts:
        if count % players:
            return False
    tricks = sum(counts) // players
    done = min(tricks // table.cards, table.hands - 1)
    left, to_come = table.cards * (done + 1) - tricks, table.hands - 1 - done
    sizes = [hand if isinstance(hand, int) else len(hand) for hand in claim.hands]
    if sizes != (_sizes(players, left, claim.leader, len(claim.trick)) if claim.trick else [left] * players):
        return False
    return to_come == 0 if not later else _later_sizes(later) == [[table.cards] * to_come] * players


@lru_cache(maxsize=8192)
def _sizes(players: int, left: int, leader: Seat, played: int) -> list[int]:
    """Tell how many cards each hand holds in the middle of a trick; a trick too long fits no hands."""
    return [left - ((seat - leader) % players < played) for seat in range(players)] if played < players else []


def _later_sizes(later: LaterHands) -> list[list[int]]:
    return [[hand if isinstance(hand, int) else len(hand) for hand in hands] for hands in later]


def _read_later(later: LaterHands) -> tuple[tuple[int, ...], ...]:
    return tuple(
        [tuple([-hand if isinstance(hand, int) else sum(map(_bit, hand)) for hand in hands]) for hands in later]
    )


def _in_sight(state: State) -> tuple[Mask, int]:
    """Add up the cards in sight, and tell how many they must be.

    Different bits add up without a carry, and no others do: the sum has that many bits exactly if no card stands twice.
    """
    table, hands = state.table, state.hands
    if state.later_hands:
        hands += tuple([hand for later in state.later_hands for hand in later])
    count = table.players * table.tricks
    if min(hands) < 0:
        count += sum([hand for hand in hands if hand < 0])
        hands = tuple([hand for hand in hands if hand > 0])
    seen = sum(hands) + sum(state.taken)
    for card in state.trick:
        seen += 1 << card
    return seen, count


def _pack_fits(table: Table, cards: Mask) -> bool:
    """Tell whether none of the cards is stripped; nearly always the usual strip is out."""
    return not cards & table.strips[0] or bool(unseen.strips_possible(table, cards))


def _turn_up_fits(state: State, seen: Mask) -> bool:
    """Tell whether the turn-up is in the dealer's last hand, or was played from it."""
    card, later = state.turn_up, state.later_hands
    last = later[state.dealer][-1] if later else state.hands[state.dealer]
    if last > 0 and last >> card & 1:
        return True
    table, taken = state.table, sum(state.taken)
    if taken >> card & 1:
        return table.hands == 1 or taken.bit_count() > (table.hands - 1) * table.cards * table.players
    if card in state.trick:
        return not later and (state.leader + state.trick.index(card)) % table.players == state.dealer
    return last < 0 and not seen >> card & 1


def _play_fits(state: State) -> bool:
    """Tell whether the leader may lead, the trick was played by the rules, and the game is still open."""
    table, taken = state.table, state.taken
    opening = not any(taken)
    if opening:
        if state.leader != (state.dealer + 1) % table.players:
            return False
    elif not taken[table.side_of[state.leader]]:
        return False
    if state.trick and not _trick_fits(state, opening=opening):
        return False
    return opening or table.ruleset.winning != "at_once" or max(score.totals(state)) < game.GAME


def _trick_fits(state: State, *, opening: bool) -> bool:
    """Tell whether every card of the trick follows suit, or is a lead or a discard that was legal."""
    led = SUIT_OF[state.trick[0]]
    if opening and led == state.trump and state.table.ruleset.opening_lead == "no_trump":
        return False
    for at, card in enumerate(state.trick):
        if SUIT_OF[card] != led and follow.was_legal(state, at) is False:
            return False
    return True
