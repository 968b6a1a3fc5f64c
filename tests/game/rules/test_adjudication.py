"""Records of small deals, one card for each of four seats: facts other than plays are judged, too."""

from typing import Literal

import pytest
from msgspec.structs import replace

from service.game.faults import FaultCode, Impossible, NoRevokePenalty, Path
from service.game.generators import run_to_end
from service.game.rules.record import FoundRevoke, Record, RecordedDeal, RecordedPlay
from service.game.rules.record.adjudication import JudgedRecord, adjudicate_by_deal
from service.game.rulesets import TableRule, arrange
from tests.support.claims import codes, hand, house

ONE_CARD = house("denexa", tables=(TableRule(4, 1, 1, (4,)),), target=11)
# The dealer trumps with its turn-up: no honour is taken, and the next deal counts.
NOTHING_WON = "0AS 1KS 2QS 36H"
# The dealer turns up the jack of trumps and takes it, which makes game.
GAME_WON = "0AS 1KS 2QS 3JH"


def deal(plays: str, dealer: int = 3, after: str = "", turn_up: str = "") -> RecordedDeal:
    """Record a deal in which each seat, from eldest hand, held the card that it played; more plays may follow."""
    made, more = (tuple(RecordedPlay(int(at[0]), codes(at[1:])[0]) for at in text.split()) for text in (plays, after))
    cards = [next((one.card for one in made if one.seat == seat), "") for seat in range(4)]
    hands = tuple(hand(card or 1) for card in cards)
    return RecordedDeal(dealer, codes(turn_up or cards[dealer])[0], hands, made + more)


def record(*deals: RecordedDeal) -> Record:
    return Record(ONE_CARD, arrange(4, 4), deals)


def adjudicate(judged: Record) -> JudgedRecord:
    return run_to_end(adjudicate_by_deal(judged))


@pytest.mark.parametrize(
    ("deals", "found"),
    [
        pytest.param((deal(NOTHING_WON), deal("1AS 2KS 3QS 06H", 0)), [], id="two deals as they should be"),
        pytest.param((deal(NOTHING_WON), deal(NOTHING_WON)), [(1, None, "wrong_dealer")], id="the same dealer twice"),
        pytest.param((deal(GAME_WON), deal(NOTHING_WON)), [(1, None, "dealt_after_game")], id="a deal after the game"),
        pytest.param(
            (deal("0AS 1KS", turn_up="6H"), deal("1AS 2KS 3QS 06H", 0)),
            [(1, None, "deal_not_finished")],
            id="a deal after one that was not played out",
        ),
        pytest.param((deal(NOTHING_WON, after="37H"),), [(0, 4, "played_after_deal")], id="a play after the deal"),
        pytest.param((deal(GAME_WON, after="37H"),), [(0, 4, "played_after_game")], id="a play after the game"),
        pytest.param(
            (deal("0AS 2QS", turn_up="6H"),),
            [(0, 1, "out_of_turn"), (0, 1, "reading_stopped")],
            id="a play out of turn",
        ),
    ],
)
def test_what_departs_from_the_rules_is_found(
    deals: tuple[RecordedDeal, ...], found: list[tuple[int, int | None, str]]
) -> None:
    judged = adjudicate(record(*deals))
    assert [(wrong.deal, wrong.play, wrong.code) for wrong in judged.irregularities] == found


@pytest.mark.parametrize(
    ("deals", "read"),
    [
        pytest.param((deal("0AS 1KS", turn_up="6H"), deal("1AS 2KS 3QS 06H", 0)), 2, id="not played out"),
        pytest.param((deal("0AS 2QS", turn_up="6H"), deal("1AS 2KS 3QS 06H", 0)), 2, id="not readable to its end"),
        pytest.param((deal(GAME_WON), deal(NOTHING_WON), deal(NOTHING_WON)), 1, id="the deal that won the game"),
        pytest.param((deal(NOTHING_WON), deal("1AS 2KS 3QS 06H", 0)), 2, id="every deal played out"),
    ],
)
def test_deals_are_read_up_to_the_one_that_won_the_game(deals: tuple[RecordedDeal, ...], read: int) -> None:
    assert len(adjudicate(record(*deals)).deals) == read


@pytest.mark.parametrize("ties", ["shared", "play_on"])
def test_no_deal_beyond_the_last_is_read_after_one_that_was_not_played_out(ties: Literal["shared", "play_on"]) -> None:
    deals = (deal("0AS 1KS", turn_up="6H"), deal("1AS 2KS 3QS 06H", 0), deal("2AS 3KS 0QS 16H", 1))
    rules = replace(ONE_CARD, deals=2, ties=ties)
    judged = adjudicate(Record(rules, arrange(4, 4), deals, deal=2, scores=(1, 0, 0, 0)))
    assert [(wrong.deal, wrong.code) for wrong in judged.irregularities] == [
        (1, "dealt_after_game"),
        (2, "dealt_after_game"),
    ]
    assert len(judged.deals) == 1
    assert judged.won is None


def test_a_seat_that_resigns_loses_to_all_others_unless_the_game_was_won() -> None:
    resigned = adjudicate(replace(record(deal(NOTHING_WON)), resigned=1)).won
    won = adjudicate(replace(record(deal(GAME_WON)), resigned=3)).won
    assert resigned is not None
    assert won is not None
    assert (resigned.winners, resigned.how) == ((0, 2, 3), "resignation")
    assert won.winners == (3,)


def test_a_record_without_a_deal_is_won_by_nobody_unless_a_seat_resigned() -> None:
    assert adjudicate(record()).won is None
    assert adjudicate(replace(record(), resigned=0)).won is not None


@pytest.mark.parametrize(
    ("bad", "code", "path"),
    [
        pytest.param(
            record(replace(deal(NOTHING_WON), revokes_found=(FoundRevoke(2, 1),))),
            "revoke_found_nowhere",
            ("deals", 0, "revokes_found", 0),
            id="a revoke that is found before it is played",
        ),
        pytest.param(
            replace(record(deal(NOTHING_WON)), resigned=4),
            "seat_out_of_range",
            ("resigned",),
            id="a seat that the table does not have resigns",
        ),
        pytest.param(
            replace(record(deal(NOTHING_WON)), scores=(0, 0, 0)),
            "wrong_number_of_sides",
            ("scores",),
            id="scores of three sides among four, which the record has once",
        ),
        pytest.param(
            record(deal(NOTHING_WON), deal("1AS 2AS 3QS 06H", 0)),
            "card_twice",
            ("deals", 1, "hands", 2, 0),
            id="a card that was dealt twice in the second deal",
        ),
    ],
)
def test_what_no_record_can_say_is_refused_with_its_place_in_the_record(
    bad: Record, code: FaultCode, path: Path
) -> None:
    with pytest.raises(Impossible) as refused:
        adjudicate(bad)
    assert [(fault.code, fault.path) for fault in refused.value.faults] == [(code, path)]


def test_revokes_cannot_be_penalised_under_a_ruleset_without_a_penalty() -> None:
    with pytest.raises(NoRevokePenalty):
        adjudicate(replace(record(deal(NOTHING_WON)), on_revoke="penalise"))
