"""Plays that were written wrongly: which slip is assumed, and where the reading stops."""

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from service.game.cards import card_code, cards_of
from service.game.generators import run_to_end
from service.game.rules import deal
from service.game.rules.record import Record, RecordedDeal, RecordedPlay, RecordTag, list_tags
from service.game.rules.record.adjudication import FoundIrregularity, JudgedRecord, adjudicate_by_deal
from service.game.rules.verdicts import legal_cards
from service.game.rulesets import TableRule, arrange, make_table
from service.game.state import to_claim
from tests.support.claims import Cards, codes, hand, house

# Each seat has two cards. Seat 3 deals, and hearts are trumps.
TWO_CARDS = house("denexa", tables=(TableRule(4, 1, 2, (4,)),), target=11, winning="at_once")
SEEN: tuple[Cards, ...] = ("AS 9S", "KS 8S", "QS 7S", "JS 6H")
HIDDEN: tuple[Cards, ...] = (2, 2, 2, 2)
# Seat 3 takes the first trick with the jack of trumps, which makes game.
WON: tuple[Cards, ...] = ("AS 9S", "KS 8S", "QS 7S", "JH 6H")
WON_AT_ONCE = "0AS 1KS 2QS 3JH"
FIRST_TRICK = "0AS 1KS 2QS 3JS"
SECOND_TRICK = "09S 18S 27S 36H"


def adjudicate(plays: str, hands: tuple[Cards, ...]) -> JudgedRecord:
    made = tuple(RecordedPlay(int(play[0]), codes(play[1:])[0]) for play in plays.split())
    dealt = RecordedDeal(3, "6H", tuple(map(hand, hands)), made)
    return run_to_end(adjudicate_by_deal(Record(TWO_CARDS, arrange(4, 4), (dealt,))))


def slips(judged: JudgedRecord) -> list[tuple[int | None, str]]:
    return [(wrong.play, wrong.code) for wrong in judged.irregularities]


@pytest.mark.parametrize("hands", [pytest.param(SEEN, id="hands seen"), pytest.param(HIDDEN, id="hands hidden")])
@pytest.mark.parametrize(
    ("plays", "assumed"),
    [
        pytest.param(f"{FIRST_TRICK} {SECOND_TRICK}", [], id="as they were made"),
        pytest.param(f"0AS 2QS 1KS 3JS {SECOND_TRICK}", [(1, "plays_exchanged")], id="two neighbors"),
        pytest.param(f"{FIRST_TRICK} 09S 18S 36H 27S", [(6, "plays_exchanged")], id="the last two plays"),
        pytest.param(f"0AS 1KS 1KS 2QS 3JS {SECOND_TRICK}", [(2, "plays_repeated")], id="a play twice"),
        pytest.param(
            f"{FIRST_TRICK} {FIRST_TRICK} {SECOND_TRICK}",
            [(play, "plays_repeated") for play in (4, 5, 6, 7)],
            id="a trick twice",
        ),
        pytest.param(f"0AS 2QS 1KS 2QS 3JS {SECOND_TRICK}", [(1, "out_of_turn")], id="a play taken back"),
        pytest.param(f"0AS 1AS 1KS 2QS 3JS {SECOND_TRICK}", [(1, "card_not_held")], id="a card that was played"),
        pytest.param(f"{FIRST_TRICK} 19S 09S 18S 27S 36H", [(4, "out_of_turn")], id="a lead taken back"),
    ],
)
def test_a_slip_is_named_with_its_place_and_the_rest_is_read(
    plays: str, assumed: list[tuple[int | None, str]], hands: tuple[Cards, ...]
) -> None:
    judged = adjudicate(plays, hands)
    whole = adjudicate(f"{FIRST_TRICK} {SECOND_TRICK}", hands)
    assert slips(judged) == assumed
    assert judged.deals[0].state == whole.deals[0].state
    assert [verdict for _, verdict in judged.deals[0].verdicts] == [verdict for _, verdict in whole.deals[0].verdicts]


@pytest.mark.parametrize(
    ("plays", "stopped", "unread"),
    [
        pytest.param("0AS 2QS", (1, "out_of_turn"), 0, id="the last play, where two cards may be missing"),
        pytest.param("0AS 17S", (1, "illegal_play"), 0, id="the last play, where two cards may be meant"),
        pytest.param(
            f"{FIRST_TRICK} 09S 17D 2JS 36H", (5, "illegal_play"), 2, id="a play with another that cannot be behind it"
        ),
        pytest.param(f"0AS 36H 27S 18S {SECOND_TRICK}", (1, "out_of_turn"), 6, id="a play with six behind it"),
    ],
)
def test_where_no_slip_makes_sense_the_reading_stops_and_says_how_much_is_left(
    plays: str, stopped: tuple[int, str], unread: int
) -> None:
    judged = adjudicate(plays, SEEN)
    assert slips(judged) == [stopped, (stopped[0], "reading_stopped")]
    assert judged.deals[0].unread == unread


@pytest.mark.parametrize(
    ("plays", "slip", "assumed"),
    [
        pytest.param(f"0AS 1KS 3JS {SECOND_TRICK}", (2, "play_missing"), "2QS", id="a play left out"),
        pytest.param(f"0AS 1KS 2QS {SECOND_TRICK}", (3, "play_missing"), "3JS", id="the last play of a trick left out"),
        pytest.param(f"{FIRST_TRICK} 18S 27S 36H", (4, "play_missing"), "09S", id="a lead left out"),
        pytest.param(f"0AS 1KS 28S 3JS {SECOND_TRICK}", (2, "card_mistyped"), "2QS", id="a card of another seat"),
        pytest.param(f"{FIRST_TRICK} 0AS 18S 27S 36H", (4, "card_mistyped"), "09S", id="a card that was played"),
        pytest.param(f"{FIRST_TRICK} 09S 18S 27S 36S", (7, "card_mistyped"), "36H", id="the last card"),
    ],
)
def test_a_play_is_assumed_where_no_other_makes_all_plays_legal(
    plays: str, slip: tuple[int, str], assumed: str
) -> None:
    judged, whole = adjudicate(plays, SEEN), adjudicate(f"{FIRST_TRICK} {SECOND_TRICK}", SEEN)
    (told,) = judged.irregularities
    assert (told.play, told.code) == slip
    assert told.assumed == RecordedPlay(int(assumed[0]), codes(assumed[1:])[0])
    assert judged.deals[0].state == whole.deals[0].state
    every = [verdict for _, verdict in whole.deals[0].verdicts]
    if told.code == "play_missing":
        del every[slip[0]]
    assert [verdict for _, verdict in judged.deals[0].verdicts] == every


def played_out(rules: str, players: int) -> RecordedDeal:
    """Return a deal in which each seat plays its first legal card."""
    state = deal.deal(make_table(rules, arrange(players, players)), range(36), 0, 1, (0,) * players)
    first, plays = to_claim(state), list[RecordedPlay]()
    while not state.played_out:
        card = cards_of(legal_cards(state) or 0)[0]
        plays.append(RecordedPlay(state.seat_to_play, card_code(card)))
        state = deal.play_unchecked(state, card)
    return RecordedDeal(0, first.turn_up, first.hands, tuple(plays))


def read(dealt: RecordedDeal, rules: str, plays: tuple[RecordedPlay, ...]) -> list[FoundIrregularity]:
    players = len(dealt.hands)
    hidden = replace(dealt, hands=tuple(len(hand) for hand in dealt.hands if not isinstance(hand, int)), plays=plays)
    return [*run_to_end(adjudicate_by_deal(Record(rules, arrange(players, players), (hidden,)))).irregularities]


@pytest.mark.parametrize("at", [0, 13, 34])
def test_a_card_of_a_hidden_hand_is_assumed_if_it_is_the_last_one_that_is_not_in_sight(at: int) -> None:
    whole = played_out("denexa", 4)
    (told,) = read(whole, "denexa", whole.plays[:at] + whole.plays[at + 1 :])
    assert (told.code, told.play, told.assumed) == ("play_missing", at, whole.plays[at])


def test_no_card_of_a_hidden_hand_is_assumed_where_cards_are_out_of_play() -> None:
    whole = played_out("take-ten", 2)
    wrong = (*whole.plays[:8], replace(whole.plays[8], card=whole.plays[5].card), *whole.plays[9:])
    assert [told.code for told in read(whole, "take-ten", wrong)][-1] == "reading_stopped"


def test_no_illegal_play_is_assumed() -> None:
    hands: tuple[Cards, ...] = ("AS 9S", "KS 8D", "QS 7S", "JS 6H")
    judged = adjudicate("0AS 17H 2QS 3JS 09S 1KS 27S 36H", hands)
    assert slips(judged) == [(1, "illegal_play"), (1, "reading_stopped")]


def test_no_play_is_assumed_beside_another_slip() -> None:
    judged = adjudicate("0AS 2QS 1KS 3JS 09S 18S 36H", SEEN)
    assert slips(judged) == [(1, "plays_exchanged"), (6, "out_of_turn"), (6, "reading_stopped")]


@pytest.mark.parametrize(
    ("plays", "late"),
    [
        pytest.param("36H 09S 18S 18S 27S", (4, 5, 6, 7, 8), id="a play twice"),
        pytest.param("36H 18S 09S 27S", (4, 5, 6, 7), id="two neighbors"),
        pytest.param("36H 18S 27S", (4, 5, 6), id="a play left out"),
        pytest.param("36H 09S 19S 27S", (4, 5, 6, 7), id="a card mistyped"),
    ],
)
def test_a_slip_after_the_game_is_a_play_that_came_too_late(plays: str, late: tuple[int, ...]) -> None:
    judged = adjudicate(f"{WON_AT_ONCE} {plays}", WON)
    assert sorted(slips(judged)) == [(play, "played_after_game") for play in late]


@pytest.mark.parametrize("name", ["Dealer", "CatchTheTen", "ONREVOKE"])
def test_no_tag_has_the_name_of_a_field(name: str) -> None:
    with pytest.raises(ValueError, match=f"{name} is a field of records"):
        RecordTag(name, "Friday")


def test_a_record_without_tags_has_none() -> None:
    kept = (RecordTag("Event", "Friday"),)
    assert list_tags(kept) == kept
    assert list_tags(UNSET) == ()
