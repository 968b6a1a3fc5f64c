"""The only door to a State: every fault of a claim at once, or the sound deal that it describes.

`faults` never raises and says everything that is wrong; `admit` lets in what has no fault. Both walk the same
checks once, in the order in which the ones build on the others.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from service.cards import BIT, CODES, NUMBER, SUIT_OF, CardCode, Mask, card_code, parse_mask
from service.faults import Fault, Impossible, Path
from service.rules import follow, game, score, unseen
from service.rules.deal import eldest
from service.rulesets import Table, lay
from service.state import Claim, Hand, HandClaim, State, hand_size


def faults(claim: Claim) -> tuple[Fault, ...]:
    """Tell everything that is wrong with a claim; paths start at the state."""
    try:
        admit(claim)
    except Impossible as exc:
        return exc.faults
    return ()


def admit(claim: Claim) -> State:
    """Let a claim in as a sound deal.

    Errors: Impossible, with every fault found; paths start at the state.
    """
    table = lay(claim.rules, claim.sides)
    if found := tuple(_wrong_lists(claim, table)):
        raise Impossible(found + tuple(_wrong_cards(claim, table)))
    state = _read(claim, table)
    if found := (*_wrong_cards(claim, table), *_wrong_deal(state)):
        raise Impossible(found)
    return state


def _read(claim: Claim, table: Table) -> State:
    return State(
        table,
        claim.dealer,
        claim.deal,
        claim.scores,
        NUMBER[claim.turn_up],
        tuple([_read_hand(hand) for hand in claim.hands]),
        tuple([tuple([_read_hand(hand) for hand in later]) for later in claim.later_hands])
        if any(claim.later_hands)
        else (),
        claim.leader,
        tuple([NUMBER[code] for code in claim.trick]),
        tuple([parse_mask(codes) for codes in claim.taken]),
        claim.revoked,
    )


def _read_hand(hand: HandClaim) -> Hand:
    return -hand if isinstance(hand, int) else parse_mask(hand)


def _wrong_lists(claim: Claim, table: Table) -> Iterator[Fault]:
    """Find lists of the wrong length and seats that the table does not have."""
    by_seat = table.players
    if len(claim.hands) != by_seat:
        yield Fault("wrong_number_of_seats", ("hands",), f"{len(claim.hands)} hands for {by_seat} seats.")
    if len(claim.later_hands) not in {0, by_seat}:
        detail = f"{len(claim.later_hands)} entries for {by_seat} seats."
        yield Fault("wrong_number_of_seats", ("later_hands",), detail)
    for name, entries in (("scores", claim.scores), ("taken", claim.taken)):
        if len(entries) != len(table.sides):
            detail = f"{len(entries)} entries for {len(table.sides)} sides."
            yield Fault("wrong_number_of_sides", (name,), detail)
    for name, seat in (("dealer", claim.dealer), ("leader", claim.leader), ("revoked", claim.revoked)):
        if seat is not None and seat >= by_seat:
            yield Fault("seat_out_of_range", (name,), f"There is no seat {seat} among {by_seat} players.")


def _places(claim: Claim) -> Iterator[tuple[Path, tuple[CardCode, ...]]]:
    """List every place where cards lie in sight."""
    yield ("trick",), claim.trick
    for side, codes in enumerate(claim.taken):
        yield ("taken", side), codes
    for seat, hand in enumerate(claim.hands):
        if not isinstance(hand, int):
            yield ("hands", seat), hand
    for seat, later in enumerate(claim.later_hands):
        for index, hand in enumerate(later):
            if not isinstance(hand, int):
                yield ("later_hands", seat, index), hand


def _wrong_cards(claim: Claim, table: Table) -> Iterator[Fault]:
    """Find cards that stand twice and cards that are stripped; the quick test first, the place only if it fails."""
    seen: Mask = 0
    count = 0
    for _, codes in _places(claim):
        count += len(codes)
        seen |= parse_mask(codes)
    if count != seen.bit_count():
        yield from _cards_twice(claim)
    if not unseen.strips_possible(table, seen | BIT[claim.turn_up]):
        yield from _cards_stripped(claim, table, seen)


def _cards_twice(claim: Claim) -> Iterator[Fault]:
    first: dict[CardCode, Path] = {}
    for path, codes in _places(claim):
        for index, code in enumerate(codes):
            here = (*path, index)
            if code in first:
                where = "/".join(map(str, first[code]))
                yield Fault("card_twice", here, f"{code} stands at {where} already.")
            else:
                first[code] = here


def _cards_stripped(claim: Claim, table: Table, seen: Mask) -> Iterator[Fault]:
    """Find the cards of the usual strip; where the caller may choose it, all of the choice are there, one too many."""
    usual = table.strips[0]
    named = " ".join(CODES[card] for card in range(36) if usual >> card & 1)
    detail = f"{table.ruleset.id} strips {named} for {table.players} players" + (
        " or other cards of the same rank." if len(table.strips) > 1 else "."
    )
    if BIT[claim.turn_up] & usual:
        yield Fault("card_not_in_pack", ("turn_up",), detail)
    for path, codes in _places(claim):
        for index, code in enumerate(codes):
            if BIT[code] & usual & seen:
                yield Fault("card_not_in_pack", (*path, index), detail)


def _wrong_deal(state: State) -> Iterator[Fault]:
    yield from _wrong_scores(state)
    sizes = tuple(_wrong_sizes(state))
    yield from sizes
    yield from _wrong_leader(state)
    if not sizes:
        yield from _wrong_turn_up(state)
        yield from _wrong_trick(state)
        yield from _wrong_revoke(state)
        yield from _wrong_end(state)


def _wrong_scores(state: State) -> Iterator[Fault]:
    if max(state.scores) < game.GAME and (state.deal > 1 or not any(state.scores)):
        return
    for side, points in enumerate(state.scores):
        if points >= game.GAME:
            yield Fault("game_already_won", ("scores", side), f"Side {side} stood at {points} before this deal.")
        if state.deal == 1 and points:
            detail = f"Side {side} has {points} before the first deal."
            yield Fault("scores_before_first_deal", ("scores", side), detail)


def _wrong_sizes(state: State) -> Iterator[Fault]:
    """Find sizes that do not fit together: the tricks taken fix how many cards every hand still holds."""
    table = state.table
    players = table.players
    cards = 0
    for side, taken in enumerate(state.taken):
        count = taken.bit_count()
        cards += count
        if count % players:
            detail = f"Side {side} has {count} cards; a trick is {players}."
            yield Fault("taken_not_whole_tricks", ("taken", side), detail)
    tricks = cards // players
    if tricks > table.tricks:
        yield Fault("too_many_taken", ("taken",), f"{tricks} tricks are taken; a deal has {table.tricks}.")
        return
    longest = 0 if tricks == table.tricks else players - (state.revoked is None)
    if len(state.trick) > longest:
        detail = f"The trick holds {len(state.trick)} cards; after {tricks} tricks it can hold {longest}."
        yield Fault("trick_too_long", ("trick",), detail)
        return
    if cards % players == 0:
        yield from _wrong_hands(state, tricks)


def _wrong_hands(state: State, tricks: int) -> Iterator[Fault]:
    table = state.table
    done = min(tricks // table.cards, table.hands - 1)
    left = table.cards - (tricks - done * table.cards)
    played = {(state.leader + at) % table.players for at in range(len(state.trick))}
    for seat, hand in enumerate(state.hands):
        yield from _wrong_hand(hand, left - (seat in played), ("hands", seat))
    later_hands = state.later_hands or ((),) * table.players
    for seat, later in enumerate(later_hands):
        if len(later) != table.hands - 1 - done:
            detail = f"{len(later)} later hands after {tricks} tricks, not {table.hands - 1 - done}."
            yield Fault("wrong_number_of_later_hands", ("later_hands", seat), detail)
        for index, hand in enumerate(later):
            yield from _wrong_hand(hand, table.cards, ("later_hands", seat, index))


def _wrong_hand(hand: Hand, size: int, path: Path) -> Iterator[Fault]:
    if hand_size(hand) != size:
        yield Fault("wrong_hand_size", path, f"{hand_size(hand)} cards; the tricks played leave {size}.")


def _wrong_leader(state: State) -> Iterator[Fault]:
    table = state.table
    if not any(state.taken):
        if state.leader != eldest(table, state.dealer):
            detail = f"Seat {eldest(table, state.dealer)} leads first, on the left of dealer {state.dealer}."
            yield Fault("leader_not_eldest", ("leader",), detail)
    elif not state.taken[table.side_of[state.leader]]:
        detail = f"Seat {state.leader} leads, but its side has taken no trick."
        yield Fault("leader_took_no_trick", ("leader",), detail)


def _wrong_turn_up(state: State) -> Iterator[Fault]:
    """Find a turn-up that is elsewhere than in the dealer's last hand, or played from it."""
    bit = 1 << state.turn_up
    code = card_code(state.turn_up)
    last = state.later_hands[state.dealer][-1] if state.later_hands else state.hands[state.dealer]
    if (last > 0 and last & bit) or (last < 0 and unseen.hidden(state) & bit):
        return
    in_trick = state.trick.index(state.turn_up) if state.turn_up in state.trick else None
    if in_trick is not None:
        seat = (state.leader + in_trick) % state.table.players
        if seat != state.dealer or state.later_hands:
            yield Fault("turn_up_misplaced", ("trick", in_trick), f"{code}, the turn-up, is played by seat {seat}.")
        return
    if any(taken & bit for taken in state.taken):
        table = state.table
        if sum(taken.bit_count() for taken in state.taken) <= (table.hands - 1) * table.cards * table.players:
            detail = f"{code}, the turn-up, is taken before the dealer's last hand is in play."
            yield Fault("turn_up_misplaced", ("taken",), detail)
        return
    yield Fault("turn_up_misplaced", ("turn_up",), f"{code}, the turn-up, is not in the dealer's last hand.")


def _wrong_trick(state: State) -> Iterator[Fault]:
    """Find cards of the trick that their seats, by what is left in their hands, should not have played."""
    for at, card in enumerate(state.trick):
        seat = (state.leader + at) % state.table.players
        if state.revoked is not None and at == len(state.trick) - 1:
            return
        if _was_legal(state, at) is False:
            code = card_code(card)
            detail = f"Seat {seat} played {code}, which was not legal with what it still holds."
            yield Fault("illegal_card_in_trick", ("trick", at), detail)


def _was_legal(state: State, at: int) -> bool | None:
    """Tell whether a card of the trick was legal when it was played; None where what is seen does not decide.

    The more a seat holds, the less is legal: so the most and the least that it may hold decide.
    """
    led = SUIT_OF[state.trick[0]] if at else None
    if SUIT_OF[state.trick[at]] == led:
        return True
    known = unseen.held(state, (state.leader + at) % state.table.players)
    bit = 1 << state.trick[at]
    opening = not any(state.taken)
    if follow.playable(state.table, state.trump, led, known.maybe | bit, opening=opening) & bit:
        return True
    return None if follow.playable(state.table, state.trump, led, known.surely | bit, opening=opening) & bit else False


def _wrong_revoke(state: State) -> Iterator[Fault]:
    if state.revoked is None:
        return
    if state.table.ruleset.revoke == "not_allowed":
        detail = f"{state.table.ruleset.id} has no penalty for a revoke."
        yield Fault("revoke_without_penalty", ("revoked",), detail)
    last = (state.leader + len(state.trick) - 1) % state.table.players
    if not state.trick or last != state.revoked:
        detail = f"Seat {state.revoked} is said to have revoked, but its card is not the last of the trick."
        yield Fault("revoke_not_last_card", ("revoked",), detail)
    elif _was_legal(state, len(state.trick) - 1):
        detail = f"Seat {state.revoked} was free to play {card_code(state.trick[-1])}."
        yield Fault("revoke_was_legal", ("revoked",), detail)


def _wrong_end(state: State) -> Iterator[Fault]:
    """Find play after a game that was won at once: only the winner of the last trick can just have reached 41."""
    if state.table.ruleset.winning != "at_once":
        return
    for side, points in enumerate(score.totals(replace(state, revoked=None))):
        if points < game.GAME or state.scores[side] >= game.GAME:
            continue
        if state.trick or state.table.side_of[state.leader] != side:
            detail = f"Side {side} stands at {points}, so the game was over before the last card was played."
            yield Fault("played_on_after_game", ("taken", side), detail)
