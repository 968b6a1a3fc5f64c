"""Analyses over HTTP: refusals, costs, and where a recorded deal was lost."""

from random import Random

import msgspec
import pytest

from openapi.examples.questions import DEAL_OVER, MID_TRICK, MID_TRICK_LINE, RECORD, SEAT_0_SEES
from service.api.batches.items import decode_batch, price_batch
from service.api.reasoning import analyses
from service.api.reasoning.analyses import Analysis
from service.game.cards import CODES, cards_of
from service.game.generators import run_to_end
from service.game.rules.deal import play_unchecked
from service.game.rules.record import Record, RecordedDeal, RecordedPlay
from service.game.rules.record.adjudication import adjudicate_by_deal
from service.game.rulesets import Sides, make_table
from service.game.state import State, to_claim
from service.players.analysis import MAX_DEAL_NODES, MAX_POSITION_NODES, RECORD_SEARCH_NODES, Analyzer
from tests.support.http.client import JSON, Answer, Request, ask
from tests.support.http.pointers import Json
from tests.support.strategies import deal_at_random, legal, phase

PAIRS: Sides = ((0, 2), (1, 3))
HIDDEN: Json = {**RECORD, "deals": [{**RECORD["deals"][0], "hands": [10, RECORD["deals"][0]["hands"][1]]}]}


@pytest.fixture(autouse=True)
def _search_not_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limit the searches of these tests to a tenth of the service's."""
    monkeypatch.setattr(analyses, "SEARCH_NODES", 100_000)


def asked(body: Json) -> Answer:
    """Ask for an analysis in JSON."""
    return ask(Request("/v1/analyses", (msgspec.json.encode(body),), headers=(("content-type", JSON),)))


def analyzed(**fields: object) -> Analysis:
    """Ask for an analysis that is made."""
    answer = asked(msgspec.to_builtins(fields))
    assert answer.status == 200
    return msgspec.json.decode(answer.body, type=Analysis)


def record_of(start: State, plays: list[RecordedPlay]) -> Record:
    """Record a deal."""
    dealt = to_claim(start)
    deal = RecordedDeal(dealt.dealer, dealt.turn_up, dealt.hands, tuple(plays), dealt.later_hands)
    return Record(dealt.rules, dealt.sides, (deal,))


def play_deal(rules: str, sides: Sides, seed: int, *, best_from: int) -> Record:
    """Play a deal, at random until `best_from` cards are left, and then as an analysis says."""
    chance = Random(seed)
    state = start = deal_at_random(make_table(rules, sides), chance, 0, 1, (0,) * len(sides))
    plays, analyzer = list[RecordedPlay](), Analyzer(start, RECORD_SEARCH_NODES)
    while phase(state) == "playing":
        card = chance.choice(cards_of(legal(state)))
        if sum(hand.bit_count() for hand in state.hands) <= best_from:
            card = run_to_end(analyzer.weigh(state)).cards[0].card
        plays.append(RecordedPlay(state.seat_to_play, CODES[card]))
        state = play_unchecked(state, card)
    return record_of(start, plays)


@pytest.mark.parametrize(
    ("body", "code", "pointer"),
    [
        pytest.param({}, "invalid_body", "", id="neither"),
        pytest.param({"state": MID_TRICK, "record": RECORD}, "impossible_request", "/record", id="both"),
        pytest.param(
            {"state": MID_TRICK, "deal_index": 0}, "impossible_request", "/deal_index", id="a deal of a state"
        ),
        pytest.param({"state": SEAT_0_SEES}, "hand_not_seen", "/state/hands/1", id="a hand that is not shown"),
        pytest.param({"state": DEAL_OVER}, "deal_over", "/state", id="a deal that is over"),
        pytest.param({"record": RECORD, "deal_index": 1}, "impossible_request", "/deal_index", id="no such deal"),
        pytest.param({"record": {**RECORD, "deals": []}}, "impossible_request", "/deal_index", id="no deal at all"),
        pytest.param({"record": HIDDEN}, "hand_not_seen", "/record/deals/0/hands/0", id="a hand of a record"),
        pytest.param(
            {"record": {**RECORD, "on_revoke": "penalise"}}, "no_revoke_penalty", "/record/on_revoke", id="penalties"
        ),
        pytest.param(
            {"record": {**RECORD, "resigned": 5}}, "impossible_state", "/record/resigned", id="a wrong record"
        ),
    ],
)
def test_what_cannot_be_analyzed_is_refused_at_its_place(body: Json, code: str, pointer: str) -> None:
    answer = asked(body)
    problem = msgspec.json.decode(answer.body)
    assert (answer.status, problem["code"]) == ({"deal_over": 409, "invalid_body": 400}.get(code, 422), code)
    assert problem["errors"][0]["pointer"] == pointer


def test_plays_are_analyzed_up_to_one_that_the_rules_do_not_allow() -> None:
    deal = analyzed(record=RECORD).deal
    assert deal is not None
    assert [play.card for play in deal.plays] == ["KS", "7S", "6C"]


@pytest.mark.parametrize(
    ("rules", "sides"), [("gamerules", PAIRS), ("trebor", ((0,), (1,))), ("denexa", ((0,), (1,), (2,)))]
)
def test_who_plays_the_best_cards_loses_nothing(rules: str, sides: Sides) -> None:
    record = play_deal(rules, sides, 1, best_from=14)
    deal = analyzed(record=record).deal
    assert deal is not None
    for made in deal.plays[-14:]:
        assert (made.all_hands.points, made.all_hands.size, made.all_hands.exact) == (0, "none", True)
    assert not any(at >= len(deal.plays) - 14 for at in deal.turning_points)


@pytest.mark.parametrize(("rules", "sides"), [("gamerules", PAIRS), ("denexa", ((0,), (1,), (2,)))])
def test_the_best_card_is_the_one_played_where_that_lost_nothing(rules: str, sides: Sides) -> None:
    deal = analyzed(record=play_deal(rules, sides, 2, best_from=0)).deal
    assert deal is not None
    losses = [(made.card, loss) for made in deal.plays for loss in (made.all_hands, made.own_hand)]
    assert len({loss.points > 0 for _, loss in losses}) == 2
    assert all((loss.best == card) is (loss.points == 0) for card, loss in losses)


def test_what_is_lost_between_two_sides_is_what_the_deal_comes_to_less_than_its_par() -> None:
    record = play_deal("gamerules", ((0,), (1,)), 3, best_from=0)
    last = play_states(record)[-14:]
    first = run_to_end(Analyzer(last[0], RECORD_SEARCH_NODES).weigh(last[0]))
    deal = analyzed(record=record).deal
    assert deal is not None
    lost = [sum(made.all_hands.points for made in deal.plays[-14:] if made.seat == seat) for seat in (0, 1)]
    side = last[0].seat_to_play
    par = first.cards[0].balance if side == 0 else -first.cards[0].balance
    assert balance_at_the_end(record) == par - lost[0] + lost[1]


def play_states(record: Record) -> list[State]:
    """List the states before each play of the first deal of a record."""
    return [state for state, _ in run_to_end(adjudicate_by_deal(record)).deals[0].verdicts]


def balance_at_the_end(record: Record) -> int:
    """Return what side 0 made beyond side 1 in the first deal of a record."""
    mine, theirs = run_to_end(adjudicate_by_deal(record)).deals[0].points
    return mine - theirs


def test_losses_of_a_side_are_those_of_its_plays_that_are_not_none() -> None:
    deal = analyzed(record=play_deal("gamerules", PAIRS, 3, best_from=0)).deal
    assert deal is not None
    for side, seats in enumerate(PAIRS):
        own = [made for made in deal.plays if made.seat in seats]
        for view in ("all_hands", "own_hand"):
            lost = [getattr(made, view) for made in own]
            assert getattr(deal.losses[side], view) == pytest.approx(
                sum(loss.points for loss in lost if loss.size != "none"), abs=0.01
            )
    assert {made.all_hands.size for made in deal.plays} == {"none", "small", "large"}


def test_a_play_that_had_no_other_lost_nothing_and_has_no_reasons() -> None:
    deal = analyzed(record=play_deal("denexa", ((0,), (1,), (2,)), 1, best_from=0)).deal
    assert deal is not None
    for made in deal.plays[-3:]:
        assert (made.own_hand.points, made.own_hand.exact, made.reasons) == (0, True, ())


def test_a_state_and_a_record_are_charged_in_a_batch_before_they_are_analyzed() -> None:
    questions = [{"kind": "analyses", "state": MID_TRICK_LINE}, {"kind": "analyses", "record": RECORD}]
    batch = run_to_end(decode_batch(msgspec.json.encode({"questions": questions}), "json"))
    assert price_batch(batch) == 1 + MAX_POSITION_NODES // 1000 + MAX_DEAL_NODES // 1000


def test_the_same_question_gets_the_same_answer_where_it_is_estimated() -> None:
    start = to_claim(deal_at_random(make_table("denexa", ((0,), (1,), (2,), (3,))), Random(5), 0, 1, (0, 0, 0, 0)))
    first, second = analyzed(state=start), analyzed(state=start)
    assert first == second
    assert first.position is not None
    assert not first.position.exact
    assert first.position.line == ()
    assert all(card.standard_error > 0 for card in first.position.cards)
    assert first.nodes <= MAX_POSITION_NODES
