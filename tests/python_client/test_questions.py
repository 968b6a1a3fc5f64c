"""Every question as a call: its answer is the service's answer."""

from typing import Any

import msgspec
import pytest
from catch_the_ten import Client, models
from catch_the_ten.problems import IllegalPlay, ImpossibleState, MalformedNotation, NotFound, NotYourTurn
from catch_the_ten.refusal import Refusal

from tests.support.http.client import ask, post
from tests.support.http.samples import BODIES, OVER, PATHS, RECORD, STATE
from tests.support.ways import AskedQuestion, Outcome, by_post, draw_questions, read_outcome

LINE = "ctt1_trebor_02.13_1_0.0_3-Ad_JhK97d86c.AQ9hQ8dAc.J6dQ97c.AQsATdJc_2-7hTc_KJT9876sKT86hKc.0"


@pytest.mark.parametrize("kind", [kind for kind in BODIES if kind != "adjudications"])
def test_a_question_is_answered_as_over_http(client: Any, kind: str) -> None:
    answer: Any = getattr(client, kind)(**BODIES[kind])
    told = msgspec.json.decode(post(PATHS[kind], BODIES[kind]).body)
    assert msgspec.to_builtins(answer) == told


def test_questions_by_chance_are_answered_or_refused_as_over_http(client: Any) -> None:
    for asked in draw_questions(ask, "by the client", 60):
        answered, expected = _ask(client, asked), by_post(ask, asked)
        for outcome in (answered, expected):
            outcome.answer.pop("type", None)  # a page at the host that was asked
        assert answered == expected, asked


def _ask(client: Any, asked: AskedQuestion) -> Outcome:
    call = getattr(client, asked.kind)
    try:
        answer = call(asked.body) if asked.kind == "adjudications" else call(**asked.body)
    except Refusal as refusal:
        return read_outcome(refusal.problem.status, msgspec.json.encode(refusal.problem))
    return read_outcome(200, msgspec.json.encode(answer))


def test_a_record_is_asked_about_as_it_was_answered_and_as_a_text(client: Any) -> None:
    record = msgspec.convert(RECORD, models.GameRecord)
    (deal,) = client.adjudications(record).deals
    assert [verdict.legal for verdict in deal.verdicts] == [True, True]
    with pytest.raises(MalformedNotation):
        client.adjudications("no record")


def test_a_position_is_a_state_or_a_line(client: Any) -> None:
    position = client.positions(LINE)
    assert position.notation == LINE
    assert client.positions(position.state) == client.get_position(LINE) == position
    assert client.get_legal_moves(LINE) == client.legal_moves(state=LINE)
    assert client.get_scores(LINE) == client.scores(position.state)


def test_a_next_deal_follows_a_state_whose_deal_is_over(client: Any) -> None:
    after = msgspec.convert(OVER, models.DealState)
    assert client.deals(after=after, seed="one").position.state.deal == after.deal + 1


def test_a_spectator_is_no_seat(client: Any) -> None:
    state = client.views(msgspec.convert(STATE, models.DealState), None).state
    assert list(state.hands) == [9, 9, 9, 9]


def test_rulesets_and_problems_can_be_listed(client: Any) -> None:
    assert client.list_rulesets().rulesets[0].id == "denexa"
    assert client.get_ruleset("trebor").target == 41
    assert {kind.code for kind in client.list_problems().problems} > {"illegal_play", "not_found"}
    with pytest.raises(NotFound):
        client.get_ruleset("../trebor")


def test_any_number_of_questions_is_asked_in_batches(client: Any) -> None:
    asked = [models.DrawsItem(players=2, seed=f"seed-{at}") for at in range(1001)]
    answers = client.ask_all([*asked, models.PositionsItem(state="no line")])
    assert [type(answer) for answer in answers] == [models.DrawsOutcome] * 1001 + [models.PositionsOutcome]
    assert answers[1000].answer == client.draws(players=2, seed="seed-1000")
    assert answers[1001].answer is None
    assert answers[1001].problem.code == "malformed_notation"


def test_questions_of_one_kind_have_answers_of_the_type_of_that_kind(url: str) -> None:
    with Client(url) as one:
        (outcome,) = one.ask_all([models.DrawsItem(players=2, seed="arran")])
        assert outcome.answer is not None
        assert outcome.answer.dealer in range(2)


def test_a_problem_is_an_exception_with_its_facts_and_a_text_to_show(client: Any) -> None:
    state = client.deals(rules="trebor", players=4, dealer=3, seed="one").position.state
    held = state.hands[0][0]
    with pytest.raises(IllegalPlay) as illegal:
        client.next_states(state, [state.hands[1][0]])
    assert illegal.value.verdict.reason == "not_in_hand"
    assert illegal.value.text == illegal.value.problem.detail
    assert str(illegal.value).startswith("illegal_play: ")
    with pytest.raises(NotYourTurn) as turn:
        client.verdicts(held, state=state, seat=1)
    assert turn.value.turn == 0
    with pytest.raises(ImpossibleState) as impossible:
        client.positions(msgspec.structs.replace(state, turn_up=state.hands[0][0]))
    assert [fault.code for fault in impossible.value.faults] == ["turn_up_misplaced"]
    assert impossible.value.faults[0].detail in impossible.value.text
