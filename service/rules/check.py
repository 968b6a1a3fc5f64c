"""The only door to a State: every fault of a claim at once, or the sound deal that it describes.

`faults` never raises and says everything that is wrong; `admit` lets in what has no fault. Both walk the same
checks once, in the order in which the ones build on the others. Each check looks first whether all is well, which
it mostly is, and goes through the places one by one only where it is not.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec.structs import replace

from service.cards import BIT, CODES, NUMBER, CardCode, card_code, parse_mask
from service.faults import Fault, Impossible, Path
from service.rules import follow, game, score, unseen
from service.rules.deal import eldest
from service.rules.glance import glance
from service.rulesets import Table, lay
from service.state import Claim, Hand, HandClaim, State, hand_size

NO_STRIP: Final = (0,)
"""The strips of a table at which the whole pack is in play."""


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
    return glance(claim, table) or examine(claim, table)


def examine(claim: Claim, table: Table) -> State:
    """Go through everything that could be wrong with a claim.

    Errors: Impossible, with every fault found; paths start at the state.
    """
    if found := tuple(_wrong_lists(claim, table)):
        raise Impossible(found + tuple(_wrong_cards(claim, table)))
    state = _read(claim, table)
    if found := (*_wrong_cards(claim, table), *_wrong_scores(state), *_wrong_deal(state)):
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


def _wrong_lists(claim: Claim, table: Table) -> Iterable[Fault]:
    """Find lists of the wrong length and seats that the table does not have."""
    seats, sides = table.players, len(table.sides)
    lengths = (len(claim.hands), len(claim.later_hands) or seats, len(claim.scores), len(claim.taken))
    if lengths == (seats, seats, sides, sides) and max(claim.dealer, claim.leader, claim.revoked or 0) < seats:
        return ()
    return _list_faults(claim, seats, sides)


def _list_faults(claim: Claim, seats: int, sides: int) -> Iterator[Fault]:
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


def _places(claim: Claim) -> list[tuple[Path, tuple[CardCode, ...]]]:
    """List every place where cards lie in sight."""
    places: list[tuple[Path, tuple[CardCode, ...]]] = [(("trick",), claim.trick)]
    places += [(("taken", side), codes) for side, codes in enumerate(claim.taken)]
    places += [(("hands", seat), hand) for seat, hand in enumerate(claim.hands) if not isinstance(hand, int)]
    for seat, later in enumerate(claim.later_hands):
        places += [(("later_hands", seat, at), hand) for at, hand in enumerate(later) if not isinstance(hand, int)]
    return places


def _wrong_cards(claim: Claim, table: Table) -> Iterable[Fault]:
    """Find cards that stand twice and cards that are stripped."""
    piles = [codes for _, codes in _places(claim)]
    seen = set[CardCode]().union(*piles)
    twice = len(seen) != sum(map(len, piles))
    stripped = table.strips != NO_STRIP and not unseen.strips_possible(table, parse_mask((*seen, claim.turn_up)))
    if not twice and not stripped:
        return ()
    faults = list(_cards_twice(claim)) if twice else []
    return [*faults, *_cards_stripped(claim, table)] if stripped else faults


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


def _cards_stripped(claim: Claim, table: Table) -> Iterator[Fault]:
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
            if BIT[code] & usual:
                yield Fault("card_not_in_pack", (*path, index), detail)


def _wrong_deal(state: State) -> tuple[Fault, ...]:
    """Find what does not fit together; what builds on the sizes is looked at only where they are right."""
    found = tuple(_wrong_taken(state))
    leader = _wrong_leader(state)
    if found:
        return (*found, *leader)
    return (*leader, *_wrong_turn_up(state), *_wrong_trick(state), *_wrong_revoke(state), *_wrong_end(state))


def _wrong_scores(state: State) -> Iterable[Fault]:
    if max(state.scores) < game.GAME and (state.deal > 1 or not any(state.scores)):
        return ()
    return _score_faults(state)


def _score_faults(state: State) -> Iterator[Fault]:
    for side, points in enumerate(state.scores):
        if points >= game.GAME:
            yield Fault("game_already_won", ("scores", side), f"Side {side} stood at {points} before this deal.")
        if state.deal == 1 and points:
            detail = f"Side {side} has {points} before the first deal."
            yield Fault("scores_before_first_deal", ("scores", side), detail)


def _wrong_taken(state: State) -> Iterable[Fault]:
    """Find sizes that do not fit together: the tricks taken fix how many cards every hand still holds."""
    table = state.table
    players = table.players
    counts = [taken.bit_count() for taken in state.taken]
    found = [
        Fault("taken_not_whole_tricks", ("taken", side), f"Side {side} has {count} cards; a trick is {players}.")
        for side, count in enumerate(counts)
        if count % players
    ]
    tricks, rest = divmod(sum(counts), players)
    longest = 0 if tricks == table.tricks else players - (state.revoked is None)
    if tricks > table.tricks:
        found.append(Fault("too_many_taken", ("taken",), f"{tricks} tricks are taken; a deal has {table.tricks}."))
    elif len(state.trick) > longest:
        detail = f"The trick holds {len(state.trick)} cards; after {tricks} tricks it can hold {longest}."
        found.append(Fault("trick_too_long", ("trick",), detail))
    elif not rest:
        return (*found, *_wrong_hands(state, tricks))
    return found


def _wrong_hands(state: State, tricks: int) -> Iterable[Fault]:
    table = state.table
    done = min(tricks // table.cards, table.hands - 1)
    sizes = [table.cards - (tricks - done * table.cards)] * table.players
    for at in range(len(state.trick)):
        sizes[(state.leader + at) % table.players] -= 1
    right = [hand_size(hand) for hand in state.hands] == sizes
    if right and done == table.hands - 1 and not state.later_hands:
        return ()
    return (*_hand_faults(state, sizes), *_later_faults(state, tricks, table.hands - 1 - done))


def _hand_faults(state: State, sizes: list[int]) -> Iterator[Fault]:
    for seat, (hand, size) in enumerate(zip(state.hands, sizes, strict=True)):
        yield from _wrong_hand(hand, size, ("hands", seat))


def _later_faults(state: State, tricks: int, hands: int) -> Iterator[Fault]:
    if hands and not state.later_hands:
        detail = f"There are no later hands; after {tricks} tricks each seat has {hands}."
        yield Fault("wrong_number_of_later_hands", ("later_hands",), detail)
    for seat, later in enumerate(state.later_hands):
        if len(later) != hands:
            detail = f"{len(later)} later hands after {tricks} tricks, not {hands}."
            yield Fault("wrong_number_of_later_hands", ("later_hands", seat), detail)
        for index, hand in enumerate(later):
            yield from _wrong_hand(hand, state.table.cards, ("later_hands", seat, index))


def _wrong_hand(hand: Hand, size: int, path: Path) -> Iterator[Fault]:
    if hand_size(hand) != size:
        yield Fault("wrong_hand_size", path, f"{hand_size(hand)} cards; the tricks played leave {size}.")


def _wrong_leader(state: State) -> Iterable[Fault]:
    table = state.table
    if state.taken[table.side_of[state.leader]]:
        return ()
    if any(state.taken):
        detail = f"Seat {state.leader} leads, but its side has taken no trick."
        return (Fault("leader_took_no_trick", ("leader",), detail),)
    first = eldest(table, state.dealer)
    if state.leader != first:
        detail = f"Seat {first} leads first, on the left of dealer {state.dealer}."
        return (Fault("leader_not_eldest", ("leader",), detail),)
    return ()


def _wrong_turn_up(state: State) -> Iterable[Fault]:
    """Find a turn-up that is elsewhere than in the dealer's last hand, or played from it."""
    bit = 1 << state.turn_up
    last = state.later_hands[state.dealer][-1] if state.later_hands else state.hands[state.dealer]
    if (last > 0 and last & bit) or (last < 0 and unseen.hidden(state) & bit):
        return ()
    code, table = card_code(state.turn_up), state.table
    if state.turn_up in state.trick:
        at = state.trick.index(state.turn_up)
        seat = (state.leader + at) % table.players
        if seat == state.dealer and not state.later_hands:
            return ()
        return (Fault("turn_up_misplaced", ("trick", at), f"{code}, the turn-up, is played by seat {seat}."),)
    if not any(taken & bit for taken in state.taken):
        return (Fault("turn_up_misplaced", ("turn_up",), f"{code}, the turn-up, is not in the dealer's last hand."),)
    if sum([taken.bit_count() for taken in state.taken]) > (table.hands - 1) * table.cards * table.players:
        return ()
    detail = f"{code}, the turn-up, is taken before the dealer's last hand is in play."
    return (Fault("turn_up_misplaced", ("taken",), detail),)


def _wrong_trick(state: State) -> list[Fault]:
    """Find cards of the trick that their seats, by what is left in their hands, should not have played."""
    faults: list[Fault] = []
    for at in range(len(state.trick) - (state.revoked is not None)):
        if follow.was_legal(state, at) is False:
            code, seat = card_code(state.trick[at]), (state.leader + at) % state.table.players
            detail = f"Seat {seat} played {code}, which was not legal with what it still holds."
            faults.append(Fault("illegal_card_in_trick", ("trick", at), detail))
    return faults


def _wrong_revoke(state: State) -> Iterable[Fault]:
    return () if state.revoked is None else _revoke_faults(state)


def _revoke_faults(state: State) -> Iterator[Fault]:
    if state.table.ruleset.revoke == "not_allowed":
        detail = f"{state.table.ruleset.id} has no penalty for a revoke."
        yield Fault("revoke_without_penalty", ("revoked",), detail)
    last = (state.leader + len(state.trick) - 1) % state.table.players
    if not state.trick or last != state.revoked:
        detail = f"Seat {state.revoked} is said to have revoked, but its card is not the last of the trick."
        yield Fault("revoke_not_last_card", ("revoked",), detail)
    elif follow.was_legal(state, len(state.trick) - 1):
        detail = f"Seat {state.revoked} was free to play {card_code(state.trick[-1])}."
        yield Fault("revoke_was_legal", ("revoked",), detail)


def _wrong_end(state: State) -> Iterable[Fault]:
    """Find play after a game that was won at once: only the winner of the last trick can just have reached 41."""
    if state.table.ruleset.winning != "at_once":
        return ()
    standing = score.totals(state if state.revoked is None else replace(state, revoked=None))
    return () if max(standing) < game.GAME else _end_faults(state, standing)


def _end_faults(state: State, standing: tuple[int, ...]) -> Iterator[Fault]:
    for side, points in enumerate(standing):
        if points < game.GAME or state.scores[side] >= game.GAME:
            continue
        if state.trick or state.table.side_of[state.leader] != side:
            detail = f"Side {side} stands at {points}, so the game was over before the last card was played."
            yield Fault("played_on_after_game", ("taken", side), detail)
