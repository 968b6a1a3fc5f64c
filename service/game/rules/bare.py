"""A bare hand: the verdicts on its cards from the trick and the trump alone, with no deal around them.

They depend on nothing else, except for a lead if no trump may open a deal: a full hand may be opening it.
"""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from service.game.cards import FULL_PACK, NUMBER, SUIT_MASKS, SUITS, CardCode, SuitCode, parse_mask
from service.game.faults import Fault, Impossible
from service.game.rules import verdicts, visibility
from service.game.rules.admission.claim_faults import Placed, find_cards_twice, find_stripped_cards
from service.game.rules.follow_suit import bars_trump_lead
from service.game.rules.judgment import Judgment
from service.game.rulesets import Rules, Table, usual_tables
from service.game.state import State


class BareHand(Struct, frozen=True, gc=False):
    """A hand that is to play to a trick, at one of the tables that it fits.

    Shape: `cases` has a state for each case that the rules of play tell apart. Only its trick and its hand are known;
    the other values are placeholders.
    """

    tables: tuple[Table, ...]
    cases: tuple[State, ...]


def read_bare_hand(
    rules: Rules, players: int | None, trump: SuitCode, trick: tuple[CardCode, ...], hand: tuple[CardCode, ...]
) -> BareHand:
    """Return the bare hand that these facts describe; if no number of players is given, at any table that it fits.

    Errors: Impossible, with every fault found, paths relative to a request with fields of these names.
    """
    placed: Placed = [(("trick",), trick), (("hand",), hand)]
    twice = find_cards_twice(placed)
    try:
        tables = usual_tables(rules, players)
        misfits = [(table, _find_misfits(table, tables[-1].players, trump, placed)) for table in tables]
    except Impossible as exc:
        raise Impossible((*exc.faults, *twice)) from exc
    if faults := (*twice, *min([found for _, found in misfits], key=_rank_misfits)):
        raise Impossible(faults)
    fitting = tuple([table for table, found in misfits if not found])
    return BareHand(fitting, _list_cases(fitting, trump, placed))


def judge(bare: BareHand, card: CardCode) -> Judgment:
    """Judge a card; it is undecided if the cases differ.

    >>> judge(read_bare_hand("trebor", None, "H", ("9S",), ("8S", "AH")), "AH").reason
    'must_follow_suit'
    """
    return _unite([verdicts.judge_card(case, NUMBER[card]) for case in bare.cases])


def judge_all(bare: BareHand) -> tuple[Judgment, ...]:
    """Judge every card of the hand, as `judge` would."""
    each = [verdicts.judge_hand(case, case.hands[case.seat_to_play]) for case in bare.cases]
    return tuple(map(_unite, zip(*each, strict=True)))


def _find_misfits(table: Table, most: int, trump: SuitCode, placed: Placed) -> tuple[Fault, ...]:
    """Find what is impossible at a table; at most `most` players sit at any possible one."""
    found: tuple[Fault, ...] = ()
    (_, trick), (_, hand) = placed
    if len(trick) >= table.players:
        who = f"at most {most}" if len(trick) >= most else str(table.players)
        detail = f"The trick has {len(trick)} cards, so the hand is not to play to it: {who} play {table.ruleset.id}."
        found += (Fault("trick_too_long", ("trick",), detail),)
    if len(hand) > table.cards:
        detail = f"{len(hand)} cards; {table.ruleset.id} deals hands of {table.cards} to {table.players} players."
        found += (Fault("wrong_hand_size", ("hand",), detail),)
    if not visibility.possible_strips(table, parse_mask((*trick, *hand))):
        found += find_stripped_cards(placed, table)
    return found or _find_turn_up_fault(table, trump, trick, hand)


def _rank_misfits(found: tuple[Fault, ...]) -> list[bool]:
    """Return a key that sorts tables by how nearly they fit; the turn-up counts only if all else fits."""
    return [fault.code != "turn_up_misplaced" for fault in found]


def _find_turn_up_fault(
    table: Table, trump: SuitCode, trick: tuple[CardCode, ...], hand: tuple[CardCode, ...]
) -> tuple[Fault, ...]:
    """Find the first trick of a deal in which the dealer, who plays last, cannot hold the turn-up, a trump."""
    if table.hands > 1 or len(hand) < table.cards:
        return ()
    trumps, held, laid = SUIT_MASKS[SUITS.index(trump)], parse_mask(hand), parse_mask(trick)
    if len(trick) + 1 == table.players:
        detail = "The hand is the dealer's, who plays last to the first trick: it holds the turn-up, a trump."
        may_be = bool(held & trumps)
    else:
        detail = "The dealer plays to this first trick later and holds the turn-up, so the hand cannot hold that trump."
        may_be = any(trumps & ~(strip | held | laid) for strip in visibility.possible_strips(table, held | laid))
    return () if may_be else (Fault("turn_up_misplaced", ("hand",), detail),)


def _list_cases(tables: tuple[Table, ...], trump: SuitCode, placed: Placed) -> tuple[State, ...]:
    """List the cases: during a deal and, if the rules treat it differently, at its first lead."""
    (_, trick), (_, hand) = placed
    full = [len(hand) == table.cards for table in tables]
    may_open = not trick and bars_trump_lead(tables[0]) and any(full)
    has_begun = not may_open or not all(full) or any(table.hands > 1 for table in tables)
    begun = _stand_in(tables[0], trump, placed)
    return (*((begun,) if has_begun else ()), *((replace(begun, taken=(0,)),) if may_open else ()))


def _stand_in(table: Table, trump: SuitCode, placed: Placed) -> State:
    """Return a state during a deal with the trick and the hand at its seat; the rest is made up."""
    (_, trick), (_, hand) = placed
    return State(
        table,
        dealer=0,
        deal=1,
        scores=(0,) * len(table.sides),
        turn_up=9 * SUITS.index(trump),
        hands=tuple([parse_mask(hand) if seat == len(trick) else 0 for seat in range(table.players)]),
        later_hands=(),
        leader=0,
        trick=tuple([NUMBER[code] for code in trick]),
        taken=(FULL_PACK,),
    )


def _unite(judged: Sequence[Judgment]) -> Judgment:
    """Return the common verdict of all cases on a card; undecided if only the first lead forbids it."""
    first, last = judged[0], judged[-1]
    if first.reason == last.reason:
        return first if first == last else replace(first, legal_cards=None)
    return replace(first, legal_cards=None, possible=("no_trump_lead",))
