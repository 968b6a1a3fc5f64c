"""Plays: each card that is judged is counted once, with the trick, the deal and the game that it ends."""

import asyncio
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from service.game.cards import NUMBER
from service.game.rules import score
from service.game.rules.record import Record
from service.game.rulesets import RULESETS
from service.live.store.memory import MemoryStore
from service.platform.metrics.plays import HOWS, REASONS
from tests.platform.metrics.readings import changed, series, value
from tests.support.games.callers import Live, Table
from tests.support.http.client import Request, ask, post
from tests.support.http.samples import BODIES, OVER, PATHS, STATE

PLAYS = "catchten_plays_total"
TRICKS = "catchten_tricks_total"
RULES = (*RULESETS, "house")
DEALER_HIDDEN = {**STATE, "hands": [8, 8, 8, 9], "trick": ["6S", "7S", "8S"]}
"""A trump is led, and the dealer, whose hand is hidden like the others, has the turn-up to follow with."""
ENDED = ("plays", "deals_finished", "games_finished")
COUNTED = (*ENDED[1:], "tricks", "tens_caught", "honours")


@pytest.fixture
def live() -> Iterator[Live]:
    with asyncio.Runner() as runner:
        yield Live(runner, MemoryStore(100, 2**24))


def test_every_verdict_way_to_win_and_honour_has_its_series_from_the_start() -> None:
    for verdict in ("legal", *REASONS):
        assert value(PLAYS, verdict=verdict) >= 0
    for how in HOWS:
        assert value("catchten_games_finished_total", won_by=how) >= 0
    for honour in score.HONOUR_NAMES:
        assert value("catchten_honours_total", honour=honour) >= 0


@pytest.mark.parametrize("ruleset", RULES)
def test_every_ruleset_has_all_its_series_from_the_start(ruleset: str) -> None:
    for name in ("tricks", "deals_finished", "tens_caught"):
        assert value(f"catchten_{name}_total", ruleset=ruleset) >= 0


@pytest.mark.parametrize(
    ("kind", "body", "verdict", "times"),
    [
        ("verdicts", BODIES["verdicts"], "legal", 1),
        ("verdicts", {"state": STATE, "card": "AS"}, "not_in_hand", 1),
        ("verdicts", {"state": STATE, "card": "6C", "seat": 1}, "legal", 0),
        ("next_states", {"state": STATE, "cards": ["6C", "9C", "QC", "QH"]}, "legal", 4),
        ("next_states", {"state": STATE, "cards": ["6C", "8H"]}, "must_follow_suit", 1),
        ("next_states", {"state": STATE, "cards": ["AS"]}, "not_in_hand", 1),
        ("next_states", {"state": DEALER_HIDDEN, "cards": ["QH"]}, "depends_on_hand", 1),
        # The card that is refused refuses those before it, too: they are not played.
        ("next_states", {"state": STATE, "cards": ["6C", "8H"]}, "legal", 0),
        ("next_states", {"state": OVER, "cards": ["6C"]}, "legal", 0),
        ("legal_moves", {"state": STATE}, "legal", 0),
        ("verdicts", BODIES["verdicts"] | {"state": {**STATE, "rules": "bridge"}}, "legal", 0),
    ],
)
def test_cards_are_counted_where_they_are_judged(kind: str, body: object, verdict: str, times: int) -> None:
    before = value(PLAYS, verdict=verdict)
    post(PATHS[kind], body)
    assert value(PLAYS, verdict=verdict) == before + times


def test_house_rules_are_one_ruleset_under_any_name() -> None:
    before, cards = value(TRICKS, ruleset="house"), ["6C", "9C", "QC", "QH"]
    for name in ("trebor", "mine", "yours"):
        rules = ask(Request("/v1/rulesets/trebor", method="GET")).read(dict[str, object]) | {"id": name}
        assert post(PATHS["next_states"], {"state": {**STATE, "rules": rules}, "cards": cards}).status == 200
    assert value(TRICKS, ruleset="house") == before + 3


def _dealt(rules: str, cards: tuple[str, ...], turn_up: str) -> dict[str, object]:
    """A deal in which each seat has one of the cards, in order from the leader."""
    last = {"take-ten": 20}.get(rules, 36) - 1
    rest = [code for code in NUMBER if code not in {*cards, turn_up}]
    pack = [*cards, *rest]
    pack.insert(last, turn_up)
    deal = post("/v1/deals", {"rules": rules, "players": len(cards), "dealer": len(cards) - 1, "pack": pack})
    assert deal.status == 200, deal
    state: dict[str, object] = deal.read(dict[str, Any])["position"]["state"]
    return state


@pytest.mark.parametrize(
    ("rules", "cards", "turn_up", "honours", "caught"),
    [
        ("take-ten", ("TH", "JH"), "6H", "ten jack", 1),
        ("take-ten", ("JH", "TH"), "6H", "ten jack", 1),
        ("take-ten", ("TH", "9H"), "6H", "ten", 0),
        ("take-ten", ("9H", "TH"), "6H", "ten", 0),
        ("take-ten", ("TD", "AD"), "6H", "", 0),
        ("trebor", ("TH", "6H", "JH", "7H"), "8H", "ten jack", 0),
        ("trebor", ("6H", "TH", "JH", "KH"), "8H", "ten jack king", 1),
        ("french-whist", ("TD", "AD", "6D", "7D"), "8H", "ten", 1),
        ("french-whist", ("TD", "6D", "AD", "7D"), "8H", "ten", 0),
        ("french-whist", ("TH", "JH", "6H", "7H"), "8H", "jack", 0),
    ],
)
def test_a_ten_is_caught_by_a_side_that_was_not_dealt_it(
    rules: str, cards: tuple[str, ...], turn_up: str, honours: str, caught: int
) -> None:
    state = _dealt(rules, cards, turn_up)
    before = series()
    answer = post(PATHS["next_states"], {"state": state, "cards": cards})
    assert answer.status == 200, answer
    grown = changed(before)
    assert grown[f"tricks_total {rules}"] == 1
    assert grown.get(f"tens_caught_total {rules}", 0) == caught
    assert {name.split()[1] for name in grown if name.startswith("honours")} == set(honours.split())


def _counts(grown: dict[str, float], counted: tuple[str, ...] = COUNTED) -> dict[str, float]:
    return {name: times for name, times in grown.items() if name.startswith(counted)}


def _played_out(live: Live, rules: str) -> Table:
    table = live.open(rules)
    table.play_game(Random(rules))
    return table


@pytest.mark.parametrize("rules", RULESETS)
def test_the_record_of_a_live_game_counts_its_plays_deals_and_end(live: Live, rules: str) -> None:
    before = series()
    record = _played_out(live, rules).call("host", "GET", "/record").read(Record)
    played = changed(before)
    cards = sum(len(deal.plays) for deal in record.deals)
    assert played["plays_total legal"] == cards
    assert played[f"tricks_total {rules}"] == cards / 4
    assert played[f"deals_finished_total {rules}"] == len(record.deals)
    assert sum(times for name, times in played.items() if name.startswith("games_finished")) == 1
    assert played["honours_total ten"] <= len(record.deals)

    before = series()
    assert post("/v1/adjudications", msgspec.json.encode(record)).status == 200
    assert _counts(changed(before), ENDED) == _counts(played, ENDED)


@pytest.mark.parametrize("rules", RULESETS)
def test_next_states_count_as_a_live_game_does(live: Live, rules: str) -> None:
    before = series()
    record = _played_out(live, rules).call("host", "GET", "/record").read(Record)
    played, before = changed(before), series()
    scores: list[int] = [0] * len(record.sides)
    for number, deal in enumerate(record.deals, start=1):
        state: dict[str, Any] = {
            "rules": rules,
            "sides": record.sides,
            "dealer": deal.dealer,
            "deal": number,
            "scores": scores,
            "turn_up": deal.turn_up,
            "hands": deal.hands,
            "later_hands": deal.later_hands,
            "leader": (deal.dealer + 1) % 4,
            "trick": [],
            "taken": [[] for _ in record.sides],
            "revoked": None,
        }
        answer = post(PATHS["next_states"], {"state": state, "cards": [made.card for made in deal.plays]})
        assert answer.status == 200, answer
        scores = answer.read(dict[str, Any])["position"]["totals"]
    assert _counts(changed(before)) == _counts(played)


def test_a_live_play_that_is_sent_again_counts_once(live: Live) -> None:
    table = live.open()
    assert table.deal().status == 200
    turn, before = table.turn(), series()
    for _ in range(3):
        assert table.play(turn.seat, turn.legal[0], turn.version).status == 200
    assert changed(before)["plays_total legal"] == 1


def test_a_live_play_that_is_refused_counts_each_time_that_it_is_tried(live: Live) -> None:
    table = live.open()
    turn, card = table.turn_with_illegal_card(Random(1))
    before = series()
    for _ in range(2):
        assert table.play(turn.seat, card, turn.version).status == 422
    assert changed(before)["plays_total must_follow_suit"] == 2


def test_a_live_play_out_of_turn_is_no_play(live: Live) -> None:
    table = live.open()
    assert table.deal().status == 200
    turn, before = table.turn(), series()
    assert table.play(turn.other, turn.legal[0], turn.version).status == 409
    assert not any(name.startswith("plays") for name in changed(before))


def test_a_revoke_that_stands_counts_under_its_reason_and_ends_the_deal(live: Live) -> None:
    table = live.open(on_revoke="penalise")
    turn, card = table.turn_with_illegal_card(Random(2))
    before = series()
    assert table.play(turn.seat, card, turn.version).status == 200
    grown = changed(before)
    assert grown["plays_total must_follow_suit"] == 1
    assert grown["deals_finished_total trebor"] == 1
    assert grown["games_finished_total revoke"] == 1
