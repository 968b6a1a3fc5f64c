from itertools import chain
from random import Random
from typing import Final

from tests.programs.agreement.any_record import any_record
from tests.programs.agreement.asking import Json
from tests.programs.agreement.endings import MAX_FILLINGS, fillings_about
from tests.programs.agreement.hidden_records import compare_records
from tests.reference.engine import State
from tests.reference.fillings import cards_at, fillings, hidden_places, strips_of
from tests.reference.records import first_state, hands_alike, states_laid
from tests.support.effort import choose_effort

RECORDS: Final = choose_effort(daily=50, nightly=150)
"""Records in the suite; `python -m tests.programs.agreement.hidden_records` compares as many as it is told."""
KINDS: Final = {
    "None",
    "undecided",
    "must_follow_suit",
    "must_trump",
    "no_trump_lead",
    "not_in_hand",
    "depends_on_hand",
}


def test_records_with_hidden_hands_are_judged_as_by_every_hand_that_can_have_been_held() -> None:
    told = compare_records(RECORDS, "records")
    assert told.keys() >= KINDS
    assert min(told["undecided"], told["status 200"], told["status 422"]) > RECORDS // 5


def test_hands_up_to_cards_that_are_alike_are_those_of_all_fillings() -> None:
    assert sum(compare_hands(any_record(Random(f"listed-{number}")).record) for number in range(RECORDS)) > RECORDS


def compare_hands(record: Json) -> int:
    """Compare the hidden hands at the end of each deal with all its fillings, if few; return how many hands."""
    compared = 0
    for number, deal in enumerate(record["deals"]):
        end = states_laid(deal["plays"], first_state(record, number, [0] * len(record["sides"])))[-1]
        # No card that was laid shows anything of the hands.
        bare = {**end, "trick": [], "taken": [[*end["trick"], *chain(*end["taken"])]]}
        if fillings_about(bare) > MAX_FILLINGS:
            continue
        full = list(fillings(bare))
        for place in hidden_places(bare):
            listed = {frozenset(cards_at(one, place)) for one in full}
            alike = {frozenset(hand) for hand in hands_alike(end, place)}
            assert alike <= listed
            assert {kinds_of(end, hand) for hand in alike} == {kinds_of(end, hand) for hand in listed}
            compared += 1
    return compared


def kinds_of(state: State, hand: frozenset[str]) -> tuple[tuple[str, bool], ...]:
    """Return the suit of each card, and whether it belongs to the cards that the strip is chosen from."""
    return tuple(sorted((card[1], card in strips_of(state)[1]) for card in hand))
