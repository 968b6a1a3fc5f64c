"""Whole games: of every arrangement, from the first deal to 41, and their records."""

from random import Random

import msgspec
import pytest

from service.game.rules.record import Record
from service.game.rulesets import RULESETS, Fine, RevokePenalty
from service.game.state import Claim
from service.schemas.live_game import Change
from tests.support import questions, wire
from tests.support.effort import choose_effort
from tests.support.games.callers import Live, Table, position_of
from tests.support.http.client import Answer
from tests.support.strategies import ARRANGEMENTS, Arrangement


def name(arrangement: Arrangement) -> str:
    rules, sides = arrangement
    return f"{rules}-{'-'.join(''.join(map(str, side)) for side in sides)}"


def adjudicated(live: Live, record: Answer) -> wire.Adjudication:
    answer = live.call("POST", "/v1/adjudications", record.body)
    assert answer.status == 200, answer
    return answer.read(wire.Adjudication)


def as_dealt(record: Record, index: int, scores: tuple[int, ...]) -> Claim:
    """Return the state of a deal of a record before its first card."""
    deal = record.deals[index]
    return Claim(
        rules=record.rules,
        sides=record.sides,
        dealer=deal.dealer,
        deal=index + 1,
        scores=scores,
        turn_up=deal.turn_up,
        hands=deal.hands,
        later_hands=deal.later_hands,
        leader=(deal.dealer + 1) % len(deal.hands),
        trick=(),
        taken=((),) * len(record.sides),
        revoked=None,
    )


@pytest.mark.parametrize("arrangement", ARRANGEMENTS[:: choose_effort(daily=4, nightly=1)], ids=name)
def test_a_game_of_every_arrangement_is_played_to_its_end_and_its_record_adjudicates_to_the_same(
    live: Live, chance: Random, arrangement: Arrangement
) -> None:
    rules, sides = arrangement
    table = live.open(rules, sides=sides)
    table.play_game(chance)
    end = position_of(table.see())
    assert max(end.totals) >= 41
    told = adjudicated(live, table.call(None, "GET", "/record"))
    assert told.irregularities == ()
    assert told.winners == end.winners
    assert (told.deals[-1].points, told.deals[-1].totals) == (end.points, end.totals)


def play_noting(table: Table, chance: Random) -> list[list[Change]]:
    """Play to the end and keep every answer, by deal."""
    answers: list[list[Change]] = []
    while table.phase() != "game_over":
        answers.append([table.deal().read(Change)])
        while answers[-1][-1].phase == "playing":
            answers[-1].append(table.play_any(chance))
    return answers


@pytest.mark.parametrize("rules", RULESETS)
def test_every_answer_is_the_view_of_what_the_stateless_question_gives(live: Live, chance: Random, rules: str) -> None:
    players = chance.choice(RULESETS[rules].tables).players
    table = live.open(rules, players)
    answers = play_noting(table, chance)
    record = table.call(None, "GET", "/record").read(Record)
    for deal, changes in enumerate(answers):
        state = as_dealt(record, deal, position_of(changes[0]).state.scores)
        assert_shows(live, changes[0], state, None)
        for made, change in zip(record.deals[deal].plays, changes[1:], strict=True):
            answer = live.call("POST", "/v1/next-states", {"state": state, "cards": [made.card]})
            stateless = answer.read(questions.NextState)
            assert change.events == stateless.events
            state = stateless.position.state
            assert_shows(live, change, state, made.seat)


def assert_shows(live: Live, change: Change, state: Claim, seat: int | None) -> None:
    """A change shows its maker what the state shows to that seat."""
    seen = live.call("POST", "/v1/views", {"state": state, "seat": seat}).read(questions.View)
    assert live.call("POST", "/v1/positions", {"state": seen.state}).read(wire.Position) == change.position


@pytest.mark.parametrize("penalty", ["loss_of_game", "loss_of_deal", Fine(10, "others")])
def test_the_record_of_a_game_with_a_penalised_revoke_adjudicates_to_the_same(
    live: Live, chance: Random, penalty: RevokePenalty
) -> None:
    house = msgspec.structs.replace(RULESETS["trebor"], id="house", revoke=penalty)
    table = live.open(house, on_revoke="penalise")
    turn, card = table.turn_with_illegal_card(chance)
    change = table.play(turn.seat, card, turn.version).read(Change)
    assert change.phase == ("game_over" if penalty == "loss_of_game" else "deal_over")
    table.play_game(chance)
    told = adjudicated(live, table.call(None, "GET", "/record"))
    end = position_of(table.see())
    assert [found.code for found in told.irregularities] == ["illegal_play"]
    assert (told.winners, told.deals[-1].totals) == (end.winners, end.totals)


def record_of(table: Table) -> Record:
    return table.call(None, "GET", "/record").read(Record)


def test_the_record_shows_the_deals_that_are_over_and_never_the_one_that_is_played(live: Live, chance: Random) -> None:
    table = live.open("french-whist", 3)  # no first deal of it can win: 36 at most
    assert record_of(table).deals == ()
    table.deal()
    table.play_any(chance)
    assert record_of(table).deals == ()
    table.play_deal(chance)
    (first,) = record_of(table).deals
    assert len(first.plays) == 18
    table.deal()
    assert record_of(table).deals == (first,)
    table.play_game(chance)
    assert record_of(table).deals[0] == first
    assert adjudicated(live, table.call(None, "GET", "/record")).winners == position_of(table.see()).winners


def test_the_record_so_far_adjudicates_to_the_scores_so_far(live: Live, chance: Random) -> None:
    table = live.open("french-whist", 3, scores=[1, 2, 3])
    assert adjudicated(live, table.call(None, "GET", "/record")).deals == ()
    table.deal()
    table.play_deal(chance)
    told = adjudicated(live, table.call(None, "GET", "/record"))
    assert (told.irregularities, told.deals[-1].totals) == ((), position_of(table.see()).totals)
