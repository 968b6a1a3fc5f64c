"""The knowledge of seats, with the plays of the deal, and the fillings that are drawn by a seed."""

from collections import Counter
from random import Random

import msgspec

from openapi.examples.questions import GAME_OVER, LAST_TRICKS_LINE, MID_TRICK, RECORD, TWO_PLAYERS
from service.game.cards import CODES
from service.game.rules.past import seats_of
from service.game.rulesets import arrange, make_table
from service.game.state import to_claim
from tests.game.rules.test_past import end_by_revoke
from tests.support.http.client import JSON, Answer, Request, ask
from tests.support.http.pointers import Json


def known(**body: Json) -> Answer:
    """Ask what a seat knows."""
    return ask(Request("/v1/knowledge", (msgspec.json.encode(body),), headers=(("content-type", JSON),)))


def test_the_same_seed_draws_the_same_fillings_and_another_one_others() -> None:
    first, again, other = [known(state=MID_TRICK, seat=0, fillings=20, seed=seed).body for seed in ("a", "a", "b")]
    assert first == again
    assert first != other


def test_each_filling_is_drawn_about_as_often_as_any_other() -> None:
    told = [
        msgspec.json.decode(known(state=LAST_TRICKS_LINE, seat=1, fillings=100, seed=f"s{at}").body) for at in range(20)
    ]
    holders = Counter(hand for one in told for drawn in one["fillings"] for hand in drawn["hands"][0])
    (hand,) = [hand for hand in told[0]["hands"] if hand["seat"] == 0]
    for card, chance in zip(hand["may_hold"], hand["chances"], strict=True):
        assert abs(holders[card] / 2000 - chance) < 0.05


def test_no_filling_is_drawn_and_no_chance_told_once_a_revoke_has_ended_the_deal() -> None:
    told = msgspec.json.decode(known(state=GAME_OVER, seat=1, fillings=3).body)
    assert told["fillings"] == []
    assert {hand["chances"] for hand in told["hands"]} == {None}


def test_plays_that_do_not_lead_to_the_state_are_refused() -> None:
    answer = known(state=TWO_PLAYERS, seat=1, plays=RECORD["deals"][0]["plays"][:2])
    assert (answer.status, msgspec.json.decode(answer.body)["code"]) == (422, "impossible_request")


def test_the_plays_of_a_deal_that_a_revoke_ended_say_more_than_its_state(chance: Random) -> None:
    state, played = end_by_revoke(make_table("trebor", arrange(4, 2)), chance, range(16))
    claim = msgspec.to_builtins(to_claim(state))
    plays: Json = [
        {"seat": seat, "card": CODES[card]} for seat, card in zip(seats_of(state, played), played, strict=True)
    ]
    for seat in (None, 0, 1, 2, 3):
        answers = [known(state=claim, seat=seat), known(state=claim, seat=seat, plays=plays)]
        assert [answer.status for answer in answers] == [200, 200]
        without, told = [msgspec.json.decode(answer.body)["hands"] for answer in answers]
        assert all({*more["may_hold"]} <= {*less["may_hold"]} for less, more in zip(without, told, strict=True))
