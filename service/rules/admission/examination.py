"""The examination of a claim: every fault at once, or the sound state that it describes.

Each check first asks in one step if all is well, which it mostly is, and searches for the fault only if not.
"""

from service.cards import NUMBER, parse_mask
from service.faults import Fault, Impossible
from service.rules.admission.claim_faults import find_card_faults, find_list_faults
from service.rules.admission.fast_path import admit_fast, fits_fast
from service.rules.admission.state_faults import find_filling_fault, find_state_faults
from service.rulesets import Table, make_table
from service.state import Claim, Hand, HandClaim, State, Unexamined, describe


def faults(claim: Claim) -> tuple[Fault, ...]:
    """Return every fault of a claim, none if it can be admitted; paths start at the state."""
    try:
        admit(claim)
    except Impossible as exc:
        return exc.faults
    return ()


def admit(claim: Claim) -> State:
    """Return the sound state that a claim describes.

    Errors: Impossible, with every fault found; paths start at the state.
    """
    table = make_table(claim.rules, claim.sides)
    return admit_fast(claim, table) or examine(claim, table)


def admit_unexamined(unexamined: Unexamined) -> State:
    """Return the state that a notation describes, now that it is known to be sound.

    Errors: Impossible, with every fault found; paths start at the state.
    """
    state = unexamined.state
    return state if fits_fast(state) else examine(describe(state), state.table)


def examine(claim: Claim, table: Table) -> State:
    """Return the sound state that a claim describes, after every check.

    Errors: Impossible, with every fault found; paths start at the state.
    """
    if found := tuple(find_list_faults(claim, table)):
        raise Impossible(found + tuple(find_card_faults(claim, table)))
    state = _read(claim, table)
    if found := (*find_card_faults(claim, table), *find_state_faults(state)) or find_filling_fault(state):
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
        claim.taken_by_hand,
    )


def _read_hand(hand: HandClaim) -> Hand:
    return -hand if isinstance(hand, int) else parse_mask(hand)
