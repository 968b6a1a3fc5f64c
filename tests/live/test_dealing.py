"""The deals of live games: how the dealer may deal, what the seats add before, and deals that are asked for again."""

from random import Random

import msgspec
import pytest

from service.api.games.seats import RenewedToken
from service.game.rules.record import Record
from service.game.rulesets import MAX_DEALS
from service.schemas.live_game import Change
from service.schemas.refusal import ProblemCode
from tests.support.games.callers import GAMES, Bearer, Live, position_of
from tests.support.http.client import refused


def test_the_deal_passes_to_the_left(live: Live, chance: Random) -> None:
    table = live.open("french-whist", 3)  # no first deal of it can win: 36 at most
    first = table.see().dealer
    assert table.deal(first).status == 200
    assert table.see().dealer == first
    table.play_deal(chance)
    assert table.see().dealer == (first + 1) % 3
    refused(table.deal(first), "wrong_token")


def test_the_first_dealer_and_the_scores_may_be_named(live: Live) -> None:
    table = live.open("trebor", first_dealer=3, scores=[10, 40])
    assert (table.see().dealer, table.see().draw) == (3, ())
    table.deal(3)
    assert (position_of(table.see()).state.dealer, position_of(table.see()).totals) == (3, (10, 40))


@pytest.mark.parametrize(
    ("named", "code", "pointer", "fault"),
    [
        ({"first_dealer": 4}, "impossible_request", "/first_dealer", "seat_out_of_range"),
        ({"scores": [0, 41]}, "impossible_state", "/scores/1", "game_already_won"),
        ({"scores": [0, 0, 0]}, "impossible_state", "/scores", "wrong_number_of_sides"),
    ],
)
def test_a_game_cannot_begin_with_another_tables_dealer_or_scores(
    live: Live, named: dict[str, object], code: ProblemCode, pointer: str, fault: str
) -> None:
    answer = live.call("POST", GAMES, {"rules": "trebor", "players": 4, **named})
    assert [(error.pointer, error.code) for error in refused(answer, code).errors] == [(pointer, fault)]


def test_cards_are_dealt_three_at_a_time_where_the_ruleset_lets_the_dealer(live: Live, chance: Random) -> None:
    table = live.open("trebor", 6)
    assert table.deal(three_at_a_time=True).status == 200
    table.play_game(chance)
    deals = table.call(None, "GET", "/record").read(Record).deals
    assert [deal.proof.three_at_a_time for deal in deals if deal.proof] == [True] + [False] * (len(deals) - 1)
    refused(live.open("denexa").deal(three_at_a_time=True), "impossible_request")


def test_the_dealer_strips_what_the_ruleset_lets_it(live: Live, chance: Random) -> None:
    table = live.open("lots-of-kids", 5)
    refused(table.deal(strip=["7C"]), "impossible_request")
    refused(table.deal(strip=[]), "impossible_request")
    assert table.deal(strip=["6H"]).status == 200
    table.play_game(chance)
    first = table.call(None, "GET", "/record").read(Record).deals[0]
    assert first.proof is not None
    assert first.proof.strip == ("6H",)
    assert "6H" not in {card for hand in first.hands if not isinstance(hand, int) for card in hand}


def test_every_seat_may_begin_once_all_have_names_or_are_the_computers(live: Live) -> None:
    seats = [{"name": "Ann"}, {}, {"computer": "easy"}]
    table = live.open("britannica", 3, first_dealer=0, seats=seats)  # no first deal of it can win: 30 at most
    refused(table.deal(1), "wrong_token")
    renewed = table.call("host", "POST", "/seats/1/tokens", {"name": "Bea"}).read(RenewedToken)
    table.tokens = (table.tokens[0], renewed.token, table.tokens[2])
    refused(table.deal(None), "token_missing")
    begun = table.last_seen
    first = table.deal(1, begun)
    assert first.status == 200
    assert table.deal(1, begun) == first


def test_a_later_deal_is_the_dealers_or_the_hosts_though_all_seats_have_names(live: Live, chance: Random) -> None:
    seats = [{"name": "Ann"}, {"name": "Bea"}, {"name": "Cem"}]
    table = live.open("french-whist", 3, first_dealer=0, seats=seats)  # no first deal of it can win: 36 at most
    assert table.deal(2).status == 200
    table.play_deal(chance)
    refused(table.deal(2), "wrong_token")
    assert table.deal(1).status == 200


@pytest.mark.parametrize("bearer", ["dealer", "host"])
def test_a_deal_asked_for_again_at_the_same_version_is_answered_as_the_first_time(live: Live, bearer: str) -> None:
    table = live.open()
    asks: Bearer = table.see().dealer if bearer == "dealer" else "host"
    first = table.deal(asks, 1)
    assert table.deal(asks, 1) == first
    turn = table.turn()
    table.play(turn.seat, turn.legal[0], turn.version)
    assert table.deal(asks, 1) == first


def test_another_deal_at_the_same_version_is_stale(live: Live) -> None:
    table = live.open("lots-of-kids", 5)
    table.deal(version=1, strip=["6H"])
    assert table.deal(version=1).status == 200
    refused(table.deal(version=1, strip=["6D"]), "stale_version")
    refused(table.deal((table.see().dealer + 1) % 5, version=1), "stale_version")
    refused(table.deal(version=9), "stale_version")


def test_a_deal_that_is_played_is_not_dealt_again(live: Live) -> None:
    table = live.open()
    table.deal()
    refused(table.deal(), "deal_not_over")


def test_a_seat_adds_to_the_shuffle_once_before_each_deal(live: Live, chance: Random) -> None:
    table = live.open("french-whist", 3)  # no first deal of it can win: 36 at most
    first = table.stir(0, "dice")
    assert f'"{first.read(Change).version}"' == first.headers["etag"] == f'"{table.revision(2)}"'
    assert table.stir(0, "dice") == first
    refused(table.stir(0, "more"), "entropy_given")
    assert table.stir(1, "dice").status == 200
    table.deal()
    table.play_deal(chance)
    assert table.stir(0, "more").status == 200


def test_the_same_entropy_is_answered_as_the_first_time_also_when_it_was_dealt_from(live: Live) -> None:
    table = live.open()
    first = table.stir(0, "a")
    table.stir(1, "b")
    assert table.stir(0, "a") == first
    refused(table.stir(0, "b"), "entropy_given")
    assert table.deal(version=3).status == 200
    assert table.stir(0, "a") == first
    refused(table.stir(0, "b"), "deal_not_over")
    refused(table.stir(2, "a"), "deal_not_over")


@pytest.mark.parametrize("entropy", ["", "a/b", "ü", "x" * 129, 7])
def test_entropy_is_of_the_alphabet_of_a_seed(live: Live, entropy: object) -> None:
    table = live.open()
    refused(table.call(0, "POST", "/entropy", {"entropy": entropy}), "invalid_body")


def test_what_a_seat_added_is_shown_with_the_proof(live: Live, chance: Random) -> None:
    table = live.open("denexa", 3)
    table.stir(2, "mine")
    table.deal()
    assert table.see().shuffles[0].proof is None
    table.play_deal(chance)
    proof = table.see().shuffles[0].proof
    assert proof is not None
    assert proof.entropy == ("", "", "mine")


def test_a_game_has_no_more_deals_than_a_record_may_hold() -> None:
    schema = msgspec.json.schema(Record)
    assert schema["$defs"]["Record"]["properties"]["deals"]["maxItems"] == MAX_DEALS


def test_a_dealer_sees_its_own_hand_in_the_answer_and_the_host_none(live: Live) -> None:
    for dealt_by_host in (True, False):
        table = live.open()
        dealer = table.see().dealer
        hands = position_of(table.deal("host" if dealt_by_host else dealer).read(Change)).state.hands
        assert isinstance(hands[dealer], int) is dealt_by_host
        assert sum(isinstance(hand, int) for hand in hands) == 3 + dealt_by_host
