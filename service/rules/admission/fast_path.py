"""The fast path of admission: a few quick checks let in nearly every sound claim, in half the time.

A claim that is let in here has no fault for the examination to find; a claim that is not is left to the examination.
So this file repeats what the other files of admission know, and reads fields of the ruleset that are read elsewhere,
but it may leave rare cases out: a revoke, a game won at once, a trump led first where that is forbidden, cards that
count hand by hand.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, TypeAlias, TypeGuard

from service.cards import BIT, NUMBER, SUIT_MASKS, SUIT_OF, CardCode, Mask
from service.rules import follow, score, sight, unseen
from service.rulesets import Seat, Table
from service.state import Claim, Hand, HandClaim, State, hand_size

HandClaims: TypeAlias = tuple[HandClaim, ...]
Piles: TypeAlias = tuple[tuple[CardCode, ...], ...]
_bit: Final = BIT.__getitem__
_number: Final = NUMBER.__getitem__


def admit_fast(claim: Claim, table: Table) -> State | None:
    """Return the sound state of a claim. Return None if only the examination can decide."""
    if not _lists_fit(claim, table):
        return None
    hands, trick, later = claim.hands, claim.trick, claim.later_hands if any(claim.later_hands) else ()
    shown = hands if _are_shown(hands) else None
    left = _tricks_left(list(map(len, claim.taken)), later and list(map(_sizes_of, later)), table)
    sizes = _sizes(table.players, left, claim.leader, len(trick)) if trick else [left] * table.players
    if sizes != (list(map(len, shown)) if shown else _sizes_of(hands)):
        return None
    state = State(
        table,
        claim.dealer,
        claim.deal,
        claim.scores,
        NUMBER[claim.turn_up],
        tuple([sum(map(_bit, hand)) for hand in shown]) if shown else _read(hands),
        tuple(map(_read, later)) if later else (),
        claim.leader,
        tuple(map(_number, trick)) if trick else (),
        tuple([sum(map(_bit, codes)) if codes else 0 for codes in claim.taken]),
    )
    return state if _cards_fit(state, shown=bool(shown and not later)) else None


def fits_fast(state: State) -> bool:
    """Return True if a state that was never examined is sound. Return False if only the examination can decide."""
    table, hands, trick, later = state.table, state.hands, state.trick, state.later_hands
    if not _lists_fit(state, table):
        return False
    counts = [pile.bit_count() for pile in state.taken]
    left = _tricks_left(counts, later and [list(map(hand_size, rest)) for rest in later], table)
    sizes = _sizes(table.players, left, state.leader, len(trick)) if trick else [left] * table.players
    shown = not later and min(hands) >= 0
    if sizes != ([hand.bit_count() for hand in hands] if shown else list(map(hand_size, hands))):
        return False
    return _cards_fit(state, shown=shown)


def _lists_fit(claim: Claim | State, table: Table) -> bool:
    """Return True if every list has its length, every seat is at the table, and the game was not over."""
    players, scores, ruleset = table.players, claim.scores, table.ruleset
    return (
        claim.revoked is None
        and not (claim.taken_by_hand or table.counts_by_hand)
        and len(claim.taken) == len(scores) == len(table.sides)
        and (not claim.later_hands or len(claim.later_hands) == players)
        and claim.dealer < players > claim.leader
        and max(scores) < ruleset.target
        and (ruleset.deals is None or claim.deal <= ruleset.deals)
    )


def _are_shown(hands: HandClaims) -> TypeGuard[Piles]:
    return int not in map(type, hands)


def _tricks_left(counts: list[int], later: Sequence[object], table: Table) -> int:
    """Return how many tricks the hands in play have left; -1, which no hand has, if a pile or a later hand is wrong.

    Shape: `counts` by side, the cards taken; `later` by seat, the list of the sizes of its later hands.
    """
    players = table.players
    for count in counts:
        if count % players:
            return -1
    left = table.tricks - sum(counts) // players
    if later or left > table.cards:
        to_come = (left - 1) // table.cards
        whole = [[table.cards] * to_come] * players
        return left - table.cards * to_come if later == whole else -1
    return left


@lru_cache(maxsize=8192)
def _sizes(players: int, left: int, leader: Seat, played: int) -> list[int]:
    """Return how many cards each hand holds in the middle of a trick; [], which fits no hands, if all have played."""
    return [left - ((seat - leader) % players < played) for seat in range(players)] if played < players else []


def _sizes_of(hands: HandClaims) -> list[int]:
    return [hand if isinstance(hand, int) else len(hand) for hand in hands]


def _read(hands: HandClaims) -> tuple[Hand, ...]:
    return tuple([-hand if isinstance(hand, int) else sum(map(_bit, hand)) for hand in hands])


def _cards_fit(state: State, *, shown: bool) -> bool:
    """Return True if no card is there twice or stripped, and each is where play by the rules can have put it.

    Different bits add up without a carry; with a carry, the sum has fewer bits than there are cards.
    """
    table, hands, trick, taken, leader = state.table, state.hands, state.trick, sum(state.taken), state.leader
    last, played, count, turn_up = hands[state.dealer], 0, table.players * table.tricks, 1 << state.turn_up
    for card in trick:
        played += 1 << card
    if not shown:
        if state.later_hands:
            last, hands = state.later_hands[state.dealer][-1], sum(state.later_hands, hands)
        count += sum([hand for hand in hands if hand < 0])
        hands = tuple([hand for hand in hands if hand > 0])
    seen = sum(hands, taken + played)
    if seen.bit_count() != count:
        return False
    if (seen | turn_up) & table.strips[0] and not sight.strips_possible(table, seen | turn_up):
        return False
    if not (last > 0 and last & turn_up) and not _turn_up_fits(state, seen, last):
        return False
    if not state.taken[table.side_of[leader]] if taken else leader != (state.dealer + 1) % table.players:
        return False
    not_won = not taken or table.ruleset.winning != "at_once" or max(score.totals(state)) < table.ruleset.target
    return not_won and (not trick or _trick_fits(state, played, opening=not taken))


def _turn_up_fits(state: State, seen: Mask, last: Hand) -> bool:
    """Return True if the turn-up, not shown in the dealer's last hand, was played from it or is hidden in it."""
    table, card, taken = state.table, state.turn_up, sum(state.taken)
    if taken >> card & 1:
        return table.hands == 1 or taken.bit_count() > (table.hands - 1) * table.cards * table.players
    if card in state.trick:
        return not state.later_hands and (state.leader + state.trick.index(card)) % table.players == state.dealer
    return last < 0 and not seen >> card & 1


def _trick_fits(state: State, played: Mask, *, opening: bool) -> bool:
    """Return True if every card of the trick follows suit, or is a lead or a discard that was legal."""
    table, led = state.table, SUIT_OF[state.trick[0]]
    if opening and led == state.trump and table.ruleset.opening_lead == "no_trump":
        return False
    if not played & ~SUIT_MASKS[led]:
        return True
    shown = True
    for at, card in enumerate(state.trick):
        if SUIT_OF[card] != led:
            hand = state.hands[(state.leader + at) % table.players]
            # A shown hand that is void may play any card under most rulesets: no need to ask `was_legal`.
            void = not hand & SUIT_MASKS[led]
            if hand < 0:
                shown = False
            elif not (void and table.ruleset.void == "any_card") and not follow.was_legal(state, at):
                return False
    return shown or unseen.is_feasible(unseen.find_hidden(state))
