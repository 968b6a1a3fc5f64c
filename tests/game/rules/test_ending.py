"""Deals that end by a claim or a concession: who takes the remaining cards, and which cannot be counted."""

import pytest

from service.game.faults import Impossible
from service.game.generators import run_to_end
from service.game.rules.record import DealEnd, Record, RecordedDeal, RecordedPlay
from service.game.rules.record.adjudication import JudgedRecord, adjudicate_by_deal
from service.game.rulesets import Rules, TableRule, arrange
from tests.support.claims import Cards, codes, hand, house

# Each of four seats has two cards, or nine; seat 3 deals, and hearts are trumps.
TWO_CARDS = house("denexa", tables=(TableRule(4, 1, 2, (4, 2)),), target=11)
SEEN: tuple[Cards, ...] = ("AS 9S", "KS 8S", "QS 7S", "JH 6H")
FIRST_TRICK = "0AS 1KS 2QS 36H"
CLAIM = DealEnd("claim", 3)


def adjudicate(
    plays: str, end: DealEnd, hands: tuple[Cards, ...] = SEEN, sides: int = 4, rules: Rules = TWO_CARDS
) -> JudgedRecord:
    made = tuple(RecordedPlay(int(play[0]), codes(play[1:])[0]) for play in plays.split())
    deal = RecordedDeal(3, "6H", tuple(map(hand, hands)), made, ended_by=end)
    return run_to_end(adjudicate_by_deal(Record(rules, arrange(4, sides), (deal,))))


@pytest.mark.parametrize(
    ("plays", "end", "sides", "code", "points"),
    [
        pytest.param("", CLAIM, 4, "deal_claimed", (0, 0, 0, 17), id="before the first lead"),
        pytest.param("0AS 1KS", CLAIM, 4, "deal_claimed", (0, 0, 0, 17), id="with two cards in the trick"),
        pytest.param(FIRST_TRICK, CLAIM, 4, "deal_claimed", (0, 0, 0, 17), id="after a trick"),
        pytest.param(FIRST_TRICK, DealEnd("claim", 0), 4, "deal_claimed", (13, 0, 0, 2), id="by another seat"),
        pytest.param(FIRST_TRICK, DealEnd("claim", 0), 2, "deal_claimed", (11, 0), id="by a side"),
        pytest.param(FIRST_TRICK, DealEnd("concession", 0), 2, "deal_conceded", (0, 15), id="by the other side"),
        pytest.param(
            FIRST_TRICK, DealEnd("concession", 1), 2, "deal_conceded", (11, 0), id="by the second of two sides"
        ),
    ],
)
def test_one_side_takes_all_cards_that_are_left(
    plays: str, end: DealEnd, sides: int, code: str, points: tuple[int, ...]
) -> None:
    judged = adjudicate(plays, end, sides=sides)
    assert [(wrong.play, wrong.code) for wrong in judged.irregularities] == [(None, code)]
    assert judged.deals[0].points == points
    assert judged.deals[0].phase in {"deal_over", "game_over"}


def test_a_claim_may_win_the_game_and_the_play_before_it_too() -> None:
    assert adjudicate("", CLAIM).won == ((3,), "counting_order", "jack")
    judged = adjudicate(f"{FIRST_TRICK} 3JH 09S 18S 27S", DealEnd("claim", 0))
    assert [wrong.code for wrong in judged.irregularities] == ["claim_not_counted"]
    assert judged.won == ((3,), "counting_order", "jack")


@pytest.mark.parametrize(
    ("plays", "hands", "rules"),
    [
        pytest.param("0AS 2QS", SEEN, TWO_CARDS, id="the reading stopped before"),
        pytest.param("0AS 1KS", (2, 2, 2, 2), TWO_CARDS, id="cards of hidden hands that may be out of play"),
    ],
)
def test_a_claim_is_not_counted_where_nobody_knows_the_cards(
    plays: str, hands: tuple[Cards, ...], rules: Rules
) -> None:
    judged = adjudicate(plays, CLAIM, hands, rules=rules)
    assert [wrong.code for wrong in judged.irregularities][-1] == "claim_not_counted"
    assert (judged.won, judged.deals[0].phase) == (None, "playing")


def test_cards_of_later_hands_are_taken_too() -> None:
    rules = house("denexa", tables=(TableRule(2, 2, 1, (2,)),))
    deal = RecordedDeal(1, "6H", (("AS",), ("KS",)), (), ((("JH",),), (("6H",),)), ended_by=DealEnd("claim", 0))
    judged = run_to_end(adjudicate_by_deal(Record(rules, arrange(2, 2), (deal,))))
    assert judged.deals[0].points == (11 + 4 - 2, 0)
    assert judged.deals[0].state.played_out


def test_cards_of_hidden_hands_are_counted_where_all_cards_are_dealt() -> None:
    judged = adjudicate("0AS 1KS 2QS 36H", CLAIM, (9, 9, 9, 9), rules="denexa")
    assert judged.deals[0].points == (0, 0, 0, 30 + 36 - 9)


@pytest.mark.parametrize(
    ("end", "sides", "code", "field"),
    [
        pytest.param(DealEnd("claim", 4), 4, "seat_out_of_range", "seat", id="a seat that is not there"),
        pytest.param(DealEnd("concession", 0), 4, "fields_contradict", "how", id="a concession to three sides"),
    ],
)
def test_an_end_that_cannot_be_is_refused(end: DealEnd, sides: int, code: str, field: str) -> None:
    with pytest.raises(Impossible) as refused:
        adjudicate("", end, sides=sides)
    assert [(fault.code, fault.path) for fault in refused.value.faults] == [(code, ("deals", 0, "ended_by", field))]
