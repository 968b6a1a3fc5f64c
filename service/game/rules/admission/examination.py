"""The examination of a claim: all faults at once, or the possible state that it describes.

Each check first tests quickly if all is well, as it mostly is, and searches for the fault only if not.
"""

from service.game.cards import NUMBER, parse_mask
from service.game.faults import Fault, Impossible
from service.game.rules.admission.claim_faults import are_apart, find_card_faults, find_list_faults
from service.game.rules.admission.state_faults import find_filling_fault, find_state_faults
from service.game.rulesets import Table, make_table
from service.game.state import Claim, Hand, HandClaim, State, Unexamined, to_claim


def faults(claim: Claim) -> tuple[Fault, ...]:
    """Return every fault of a claim, none if it can be admitted; paths start at the state."""
    try:
        admit(claim)
    except Impossible as exc:
        return exc.faults
    return ()


def admit(claim: Claim) -> State:
    """Return the possible state that a claim describes.

    Errors: Impossible, with every fault found; paths start at the state.

    >>> from service.game.notation.position import read_position
    >>> state = read_position("ctt1_trebor_02.13_1_0.0_0-Ad_9.8.AK9sJ9h6d876c.9_1-Th_0.0")
    >>> admit(to_claim(state)) == state, faults(to_claim(state))
    (True, ())
    """
    table = make_table(claim.rules, claim.sides)
    if found := find_list_faults(claim, table):
        raise Impossible((*found, *find_card_faults(claim, table)))
    return _examine(_read(claim, table), claim)


def admit_unexamined(unexamined: Unexamined) -> State:
    """Return the state that a notation describes, after checking it.

    Errors: Impossible, with every fault found; paths start at the state.
    """
    state = unexamined.state
    return admit(to_claim(state)) if find_list_faults(state, state.table) else _examine(state, state)


def _examine(state: State, described: Claim | State) -> State:
    """Return a state whose lists are complete, after every other check.

    Errors: Impossible, with every fault found; paths start at the state.
    """
    cards: tuple[Fault, ...] = ()
    if not are_apart(state, described):
        cards = find_card_faults(to_claim(described) if isinstance(described, State) else described, state.table)
    if found := cards + find_state_faults(state) or find_filling_fault(state):
        raise Impossible(found)
    return state


def _read(claim: Claim, table: Table) -> State:
    return State(
        table,
        claim.dealer,
        claim.deal,
        claim.scores,
        NUMBER[claim.turn_up],
        _read_hands(claim.hands),
        tuple(_read_hands(later) for later in claim.later_hands) if any(claim.later_hands) else (),
        claim.leader,
        tuple(NUMBER[code] for code in claim.trick),
        tuple(parse_mask(codes) for codes in claim.taken),
        claim.revoked,
    )


def _read_hands(hands: tuple[HandClaim, ...]) -> tuple[Hand, ...]:
    return tuple(-hand if isinstance(hand, int) else parse_mask(hand) for hand in hands)
