"""Records with hidden hands: a play is legal or illegal where every hand that its seat can have held says so."""

from typing import NamedTuple

import pytest

from service.game.generators import run_to_end
from service.game.rules.record import FoundRevoke, Record, RecordedDeal, RecordedPlay
from service.game.rules.record.adjudication import JudgedRecord, adjudicate_by_deal
from service.game.rulesets import Rules, TableRule, arrange
from tests.support.claims import Cards, codes, hand, house

# Seat 3 deals, hearts are trumps. Of spades, only 8 and 9 are hidden.
SEAT_0 = "AS KS QS JS TS 6C 7C 8C 9C"
SEAT_3 = "7S 6S 6H 7H 8H 9H TH JH QH"


class Dealt(NamedTuple):
    """The hands of a deal, and who dealt it."""

    hands: tuple[Cards, ...] = (SEAT_0, 9, 9, SEAT_3)
    turn_up: str = "6H"
    dealer: int = 3


TWO_HIDDEN = Dealt()
ALL_BUT_DEALER = Dealt((9, 9, 9, "9C QC 7C TD 8H 6S 7D 8S 9S"), "9S")
HIDDEN_DEALER = Dealt(("TD JD QD KD AD 7H 8H 9H TH", 9, 9, "AS 6C 7C 8C 9C 6D 7D 8D 9D"), dealer=2)
ONE_CARD = Dealt((1, 1, 1, 1))


def adjudicate(plays: str, dealt: Dealt = TWO_HIDDEN, rules: Rules = "denexa", *found: tuple[int, int]) -> JudgedRecord:
    """Adjudicate a deal of these plays, each a seat and a card; of revokes, each with when it was found."""
    made = tuple(RecordedPlay(int(play[0]), codes(play[1:])[0]) for play in plays.split())
    hands = tuple(hand(cards) for cards in dealt.hands)
    revokes = tuple(FoundRevoke(*revoke) for revoke in found)
    deal = RecordedDeal(dealt.dealer, codes(dealt.turn_up)[0], hands, made, revokes_found=revokes)
    penalises = rules == "trebor"
    record = Record(rules, arrange(4, 4), (deal,), "penalise" if penalises else "refuse")
    return run_to_end(adjudicate_by_deal(record))


def verdicts(judged: JudgedRecord) -> list[str]:
    """Return the verdict on each play in a word."""
    told = [verdict for _, verdict in judged.deals[0].verdicts]
    return ["undecided" if verdict.undecided else verdict.reason or "legal" for verdict in told]


@pytest.mark.parametrize(
    ("plays", "dealt", "rules", "told"),
    [
        pytest.param("0QS 1TS", ALL_BUT_DEALER, "lots-of-kids", "no_trump_lead legal", id="a lead of trump"),
        pytest.param(
            "0AS 1TC 2JC 37S 0KS 18S",
            TWO_HIDDEN,
            "denexa",
            "legal must_follow_suit undecided legal legal legal",
            id="a discard, which does not say that the other hand has the suit",
        ),
    ],
)
def test_a_card_that_was_found_illegal_proves_nothing_of_its_hand(
    plays: str, dealt: Dealt, rules: Rules, told: str
) -> None:
    assert verdicts(adjudicate(plays, dealt, rules)) == told.split()


def test_if_one_of_two_seats_has_revoked_neither_is_accused() -> None:
    judged = adjudicate("0AS 1TC 2JC")
    assert verdicts(judged) == ["legal", "undecided", "undecided"]
    assert judged.irregularities == ()


def test_an_undecided_play_is_not_penalised() -> None:
    judged = adjudicate("0AS 1TC 2JC", TWO_HIDDEN, "trebor")
    assert (verdicts(judged), judged.won) == (["legal", "undecided", "undecided"], None)


@pytest.mark.parametrize(
    ("plays", "told"),
    [
        pytest.param("18S 2QC", "must_follow_suit undecided", id="by its own hand"),
        pytest.param("18S 29S", "must_follow_suit must_follow_suit", id="by each hand"),
        pytest.param("18S 2QC 36S 0QS 19S", "must_follow_suit legal", id="by another hand, which had all of the suit"),
    ],
)
def test_what_is_played_later_decides_about_every_play_before(plays: str, told: str) -> None:
    assert verdicts(adjudicate(f"0AS 1TC 2JC 37S 0KS {plays}"))[1:3] == told.split()


def test_what_stands_after_the_end_of_the_reading_decides_nothing() -> None:
    assert verdicts(adjudicate("0AS 1TC 37S 18S")) == ["legal", "undecided"]


def test_a_card_on_the_table_was_held() -> None:
    # Were seat 1 void, the dealer would hold eight spades and the turn-up, and no club; but a club lies there.
    told = "legal legal must_follow_suit undecided"
    assert verdicts(adjudicate("3AS 0TD 1TC 2JC", HIDDEN_DEALER)) == told.split()


@pytest.mark.parametrize(
    ("plays", "dealt"),
    [
        pytest.param("0AS 16C", TWO_HIDDEN, id="in a hand that is shown"),
        pytest.param("0AS 1TC 2TC", TWO_HIDDEN, id="on the table"),
        pytest.param("0AS 16H", TWO_HIDDEN, id="as the turn-up"),
        pytest.param("06C 1AC 2TC 36H 36C", TWO_HIDDEN, id="as a lead"),
        pytest.param("06C 1AC 2TC 37S 1TC", TWO_HIDDEN, id="as a lead from a hidden hand"),
    ],
)
def test_a_card_is_not_in_a_hidden_hand_only_if_it_cannot_be(plays: str, dealt: Dealt) -> None:
    *before, last = verdicts(adjudicate(plays, dealt))
    assert (last, "not_in_hand" in before) == ("not_in_hand", False)


def test_the_turn_up_is_assumed_where_it_is_the_only_card_of_the_hand() -> None:
    judged = adjudicate("0AS 1KS 2QS 3JS", ONE_CARD, house("denexa", tables=(TableRule(4, 1, 1, (4,)),)))
    assert [wrong.assumed for wrong in judged.irregularities] == [RecordedPlay(3, "6H")]
    assert judged.deals[0].phase == "deal_over"


def test_a_revoke_that_the_table_found_is_believed() -> None:
    judged = adjudicate("0AS 1TC 2JC", TWO_HIDDEN, "trebor", (1, 2))
    assert verdicts(judged) == ["legal", "must_follow_suit", "undecided"]
    assert judged.won is not None
    assert judged.won.winners == (0, 2, 3)


def test_a_revoke_that_was_found_where_it_is_refused_only_counts_as_illegal() -> None:
    judged = adjudicate("0AS 1TC 2JC", TWO_HIDDEN, "denexa", (1, 2))
    assert [wrong.code for wrong in judged.irregularities] == ["illegal_play"]
    assert judged.won is None


def test_a_revoke_that_was_found_and_cannot_have_been_one_was_none() -> None:
    judged = adjudicate("0AS 1TC 2JC 37S 0KS 18S 2QC 36S 0QS 19S", TWO_HIDDEN, "denexa", (2, 9))
    assert verdicts(judged)[2] == "legal"
    assert [wrong.code for wrong in judged.irregularities] == ["illegal_play", "no_revoke"]
