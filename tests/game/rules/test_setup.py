import pytest
from msgspec.structs import replace

from service.game.cards import CODES, NUMBER, CardCode
from service.game.faults import FaultCode, Impossible, NoNextDeal
from service.game.rules.admission import admit
from service.game.rules.play import play
from service.game.rules.setup import (
    Setup,
    choose_strip,
    may_deal_threes,
    may_strip,
    parse_pack,
    require_next_deal,
    require_threes,
    set_up_first_deal,
    set_up_next_deal,
)
from service.game.rulesets import MAX_DEALS, RULESETS, Rules, arrange, make_table, usual_sides
from service.game.state import State
from tests.support.claims import claim, codes, house, mask, written

FOUR = make_table("denexa", arrange(4, 4))
FIVE = make_table("lots-of-kids", arrange(5, 5))
EIGHT = make_table("gamerules", arrange(8, 4))


def fault_of(refused: pytest.ExceptionInfo[Impossible]) -> tuple[FaultCode, str | int]:
    (fault,) = refused.value.faults
    (field,) = fault.path
    return fault.code, field


# ── The first deal ───────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("rules", "players", "sides", "dealer", "strip"),
    [("denexa", 4, 4, 3, ""), ("lots-of-kids", 5, 5, 0, "6C"), ("gamerules", 8, 4, 7, "6C 6D 6H 6S")],
)
def test_the_first_deal_starts_with_no_scores_and_the_usual_strip(
    rules: Rules, players: int, sides: int, dealer: int, strip: str
) -> None:
    table = make_table(rules, arrange(players, sides))
    assert set_up_first_deal(table, dealer) == Setup(table, dealer, 1, (0,) * sides, mask(strip))


def test_a_seat_that_the_table_does_not_have_cannot_deal() -> None:
    with pytest.raises(Impossible, match="There is no seat 4 among 4 players") as refused:
        set_up_first_deal(FOUR, 4)
    assert fault_of(refused) == ("seat_out_of_range", "dealer")


@pytest.mark.parametrize(
    ("scores", "code"), [((0, 0, 0), "wrong_number_of_sides"), ((0, 41, 0, 0), "game_already_won")]
)
def test_a_first_deal_begins_with_scores_of_every_side_that_leave_the_game_open(
    scores: tuple[int, ...], code: FaultCode
) -> None:
    assert set_up_first_deal(FOUR, 3, (1, 2, 3, 4)).scores == (1, 2, 3, 4)
    with pytest.raises(Impossible) as refused:
        set_up_first_deal(FOUR, 3, scores)
    assert [(fault.code, fault.path[0]) for fault in refused.value.faults] == [(code, "scores")]


# ── The next deal ────────────────────────────────────────────────────────────────────────────────────────────


def played_out(scores: tuple[int, ...] = (1, 2, 3, 4)) -> State:
    """End a deal of four in which each side took two or three tricks; spades are trumps and seat 3 dealt."""
    took = ["JS", "TS", "AS", "KS QS"]
    return admit(claim("denexa", hands=("",) * 4, turn_up="6S", tricks=[3, 2, 2, 2], took=took, scores=scores))


def test_the_next_deal_passes_to_the_left_with_the_scores_of_the_last_one_added() -> None:
    assert set_up_next_deal(played_out()) == Setup(FOUR, 0, 3, (1 + 11 + 3, 2 + 10, 3 + 4, 4 + 5), 0)


def five_played_out(unseen: str) -> State:
    """End a deal of five, whose dealer stripped one six and all other cards are taken."""
    sixes = " ".join(six for six in ("6C", "6D", "6H", "6S") if six != unseen)
    took = [f"{sixes} JH", "TH", "AH", "KH", "QH"]
    return admit(
        claim("lots-of-kids", 5, hands=("",) * 5, turn_up="9H", took=took, tricks=[2, 2, 1, 1, 1], hidden=unseen)
    )


@pytest.mark.parametrize("six", ["6C", "6D", "6H", "6S"])
def test_the_same_six_stays_out_in_the_next_deal(six: str) -> None:
    assert written(set_up_next_deal(five_played_out(six)).strip) == six


@pytest.mark.parametrize(
    ("hand", "turn_up", "strip"),
    [
        pytest.param("7D 8D 9D TD 6D 6H KC", "6C", "6S", id="the one six that nobody saw and that is not the turn-up"),
        pytest.param("7D 8D 9D TD JD 6C KC", "7C", "6D", id="not the usual six, which was seen"),
        pytest.param("7D 8D 9D TD JD QD KC", "7C", "6C", id="the usual six, where no six was seen"),
    ],
)
def test_what_stays_out_after_a_deal_that_a_revoke_ended_early(hand: str, turn_up: str, strip: str) -> None:
    rules = house("lots-of-kids", revoke="loss_of_deal")
    state = admit(claim(rules, 5, hands=(hand, 7, 7, 7, 7), turn_up=turn_up))
    ended = play(state, NUMBER["KC"], "penalise").state
    assert written(set_up_next_deal(ended).strip) == strip


def test_no_deal_follows_one_that_is_still_being_played() -> None:
    state = admit(claim("denexa", hands=(9, 9, 9, 9), turn_up="6S"))
    with pytest.raises(NoNextDeal, match="still being played") as refused:
        require_next_deal(state)
    assert refused.value.code == "deal_not_over"


def test_no_deal_follows_the_game() -> None:
    with pytest.raises(NoNextDeal, match="The game is over") as refused:
        require_next_deal(played_out((40, 0, 0, 0)))
    assert refused.value.code == "game_over"


def test_a_game_has_as_many_deals_as_its_record_may_hold_and_no_more() -> None:
    last = replace(played_out(), deal=MAX_DEALS)
    assert set_up_next_deal(replace(last, deal=MAX_DEALS - 1)).deal == MAX_DEALS
    with pytest.raises(NoNextDeal) as refused:
        set_up_next_deal(last)
    assert refused.value.code == "game_over"


# ── The strip ────────────────────────────────────────────────────────────────────────────────────────────────


def test_without_a_choice_the_usual_cards_are_stripped() -> None:
    assert choose_strip(FIVE, mask("6H"), None) == mask("6H")


@pytest.mark.parametrize("six", ["6C", "6D", "6H", "6S"])
def test_the_dealer_may_strip_what_the_ruleset_allows(six: CardCode) -> None:
    assert may_strip(FIVE, (six,))
    assert choose_strip(FIVE, mask("6C"), (six,)) == mask(six)


def test_a_strip_that_is_no_choice_may_be_named_in_any_order() -> None:
    assert choose_strip(FOUR, 0, ()) == 0
    assert choose_strip(EIGHT, EIGHT.strips[0], codes("6S 6H 6D 6C")) == EIGHT.strips[0]


@pytest.mark.parametrize("named", ["", "7C", "6C 6C", "6C 6D", "AS"])
def test_no_other_strip_is_allowed(named: str) -> None:
    assert not may_strip(FIVE, codes(named))
    with pytest.raises(Impossible, match=r"lots-of-kids lets 5 players strip: 6C; 6D; 6H; 6S\.") as refused:
        choose_strip(FIVE, mask("6C"), codes(named))
    assert fault_of(refused) == ("strip_not_in_ruleset", "strip")


def test_nothing_is_said_to_be_stripped_where_the_whole_pack_is_dealt() -> None:
    with pytest.raises(Impossible, match=r"denexa lets 4 players strip: nothing\."):
        choose_strip(FOUR, 0, ("6C",))


# ── The order of the pack ────────────────────────────────────────────────────────────────────────────────────


def test_a_pack_lies_in_the_order_given() -> None:
    assert parse_pack(FOUR, CODES[::-1]) == tuple(range(35, -1, -1))


@pytest.mark.parametrize("six", ["6C", "6D", "6H", "6S"])
def test_a_pack_may_lack_any_cards_that_the_ruleset_allows_to_be_stripped(six: CardCode) -> None:
    assert len(parse_pack(FIVE, tuple(code for code in CODES if code != six))) == 35


@pytest.mark.parametrize(
    "pack",
    [
        pytest.param((), id="no card"),
        pytest.param(CODES, id="a six too many"),
        pytest.param(CODES[:-1], id="an ace missing in place of a six"),
        pytest.param((*CODES[1:], "AS"), id="a card twice"),
        pytest.param((*CODES[1:-1], "KS"), id="a card twice in place of another"),
    ],
)
def test_a_pack_is_each_card_exactly_once(pack: tuple[CardCode, ...]) -> None:
    with pytest.raises(Impossible, match=r"lots-of-kids for 5 players is 35 cards, each exactly once\.") as refused:
        parse_pack(FIVE, pack)
    assert fault_of(refused) == ("pack_not_the_pack", "pack")


# ── Three cards at a time ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("rules", RULESETS)
def test_cards_are_dealt_three_at_a_time_by_trebor_and_what_follows_it_alone(rules: str) -> None:
    table = make_table(rules, usual_sides(rules, 4))
    assert may_deal_threes(table) is (rules in {"trebor", "french-whist"})
    if may_deal_threes(table):
        require_threes(table)
        return
    with pytest.raises(Impossible, match=f"{rules} deals cards one at a time") as refused:
        require_threes(table)
    assert fault_of(refused) == ("three_at_a_time_not_in_ruleset", "three_at_a_time")
