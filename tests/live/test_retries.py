"""Safe retries: no play is lost and none counts twice, for any request sent again, by any caller, at any time."""

import asyncio
from collections.abc import Iterator, Sequence
from itertools import combinations
from operator import itemgetter
from random import Random

import pytest

from service.game.rules.record import Record
from service.schemas.live_game import Change
from tests.support import wire
from tests.support.games.callers import Live, Table, Turn, position_of
from tests.support.games.stores import Failing
from tests.support.http.client import Answer, refused


@pytest.fixture
def failing() -> Failing:
    return Failing()


@pytest.fixture
def shaky(runner: asyncio.Runner, failing: Failing) -> Iterator[Table]:
    """A game, dealt, over a store that fails when it is told to."""
    table = Live(runner, failing).open()
    table.deal()
    yield table
    assert not failing.before + failing.after, "every failure asked for has come"


def test_a_play_asked_for_again_is_answered_byte_for_byte_as_the_first_time(
    live: Live, twin: Live, chance: Random
) -> None:
    table = live.open()
    table.deal()
    made: list[tuple[Turn, str, Answer]] = []
    for _ in range(36):
        turn = table.turn()
        card = chance.choice(turn.legal)
        made.append((turn, card, table.play(turn.seat, card, turn.version)))
        for seen, again, first in (made[-1], chance.choice(made)):
            assert table.play(seen.seat, again, seen.version) == first
            assert table.over(twin).play(seen.seat, again, seen.version) == first
        if made[-1][2].read(Change).phase != "playing":
            break
    assert table.number() == 2 + len(made)


def test_a_penalised_revoke_asked_for_again_is_answered_as_the_first_time(
    live: Live, twin: Live, chance: Random
) -> None:
    table = live.open(on_revoke="penalise")
    turn, card = table.turn_with_illegal_card(chance)
    first = table.play(turn.seat, card, turn.version)
    assert any(isinstance(event, wire.Revoked) for event in first.read(Change).events)
    assert table.play(turn.seat, card, turn.version) == first
    assert table.over(twin).play(turn.seat, card, turn.version) == first


def test_another_card_at_the_same_version_is_stale(live: Live) -> None:
    table = live.open()
    table.deal()
    turn = table.turn()
    assert table.play(turn.seat, turn.legal[0], turn.version).status == 200
    problem = refused(table.play(turn.seat, turn.legal[1], turn.version), "stale_version")
    assert problem.version == str(table.revision(turn.version + 1))


def test_another_seat_does_not_get_the_answer_of_the_one_that_played(live: Live) -> None:
    table = live.open()
    table.deal()
    turn = table.turn()
    table.play(turn.seat, turn.legal[0], turn.version)
    refused(table.play(turn.other, turn.legal[0], turn.version), "stale_version")


def test_a_play_whose_answer_is_lost_is_answered_when_it_is_asked_for_again(shaky: Table, failing: Failing) -> None:
    turn = shaky.turn()
    failing.after.append("append")
    lost = shaky.play(turn.seat, turn.legal[0], turn.version)
    refused(lost, "store_down")
    assert lost.headers["retry-after"] == "1"
    again = shaky.play(turn.seat, turn.legal[0], turn.version)
    assert again.read(Change).events == (wire.CardPlayed(turn.seat, turn.legal[0]),)
    assert again == shaky.play(turn.seat, turn.legal[0], turn.version)
    assert shaky.number() == turn.version + 1


@pytest.mark.parametrize("step", ["append", "load"])
def test_a_play_that_did_not_reach_the_store_is_made_when_it_is_asked_for_again(
    shaky: Table, failing: Failing, step: str
) -> None:
    turn = shaky.turn()
    failing.before.append(step)
    version = turn.version if step == "append" else turn.version - 1
    refused(shaky.play(turn.seat, turn.legal[0], version), "store_down")
    assert shaky.play(turn.seat, turn.legal[0], turn.version).status == 200
    assert shaky.number() == turn.version + 1


def test_a_deal_whose_answer_is_lost_is_answered_when_it_is_asked_for_again(
    runner: asyncio.Runner, failing: Failing
) -> None:
    table = Live(runner, failing).open()
    failing.after.append("append")
    refused(table.deal(version=1), "store_down")
    again = table.deal(version=1)
    assert (again.status, again.read(Change).position) == (200, position_of(table.see()))


def test_a_deletion_whose_answer_is_lost_is_done(shaky: Table, failing: Failing) -> None:
    failing.after.append("drop")
    refused(shaky.call("host", "DELETE"), "store_down")
    refused(shaky.call("host", "DELETE"), "game_gone")


def at_once(table: Table, tries: Sequence[tuple[Live, int, str, int]]) -> list[Answer]:
    """Send many plays at the same time, over several instances of the service."""

    async def send() -> list[Answer]:
        plays = (
            live.asked("POST", f"{table.path}/plays", {"card": card}, table.headers(seat, version))
            for live, seat, card, version in tries
        )
        return list(await asyncio.gather(*plays))

    return table.live.run(send())


def test_many_who_send_the_same_play_at_once_get_the_same_answer_and_it_counts_once(live: Live, twin: Live) -> None:
    table = live.open()
    table.deal()
    for _ in range(6):
        turn = table.turn()
        answers = at_once(table, [(on, turn.seat, turn.legal[0], turn.version) for on in (live, twin) * 5])
        assert answers == [answers[0]] * 10
        assert (answers[0].status, table.number()) == (200, turn.version + 1)


def test_of_two_tabs_with_different_cards_one_plays_and_the_other_is_told(live: Live, twin: Live) -> None:
    table = live.open()
    table.deal()
    for _ in range(6):
        turn = table.turn()
        tries = [(on, turn.seat, card, turn.version) for on, card in zip((live, twin), turn.legal, strict=False)]
        statuses = sorted(answer.status for answer in at_once(table, tries))
        assert statuses == [200, 412][: len(tries)]
        assert table.number() == turn.version + 1


def test_a_proxy_that_repeats_everything_in_any_order_loses_no_play_and_makes_none_twice(
    live: Live, twin: Live, chance: Random
) -> None:
    table = live.open("denexa", 3)
    made: list[tuple[int, str, int]] = []
    played: list[tuple[int, str]] = []
    while table.phase() != "game_over":
        if table.phase() != "playing":
            table.deal()
        turn = table.turn()
        made.append((turn.seat, chance.choice(turn.legal), turn.version))
        played.append(made[-1][:2])
        tries = [(chance.choice((live, twin)), *one) for one in (made[-1], made[-1], *chance.choices(made, k=2))]
        chance.shuffle(tries)
        assert {answer.status for answer in at_once(table, tries)} == {200}
    record = table.call(None, "GET", "/record").read(Record)
    assert [(play.seat, play.card) for deal in record.deals for play in deal.plays] == played


def test_no_card_is_played_on_a_lost_past_that_ended_with_the_same_card_at_the_same_version(
    runner: asyncio.Runner, failing: Failing
) -> None:
    one, two = Live(runner, failing), Live(runner, failing)
    table = one.open("denexa", 2)
    table.deal()
    first = table.turn()
    # Two cards of a suit, so that what may follow the one may follow the other.
    pairs = combinations(sorted(first.legal, key=itemgetter(1)), 2)
    lead, other = next((a, b) for a, b in pairs if a[1] == b[1])
    assert table.play(first.seat, lead, first.version).status == 200
    second = table.turn()
    assert table.play(second.seat, second.legal[0], second.version).status == 200
    third, lost = table.turn(), table.revision(4)
    runner.run(failing.lose(table.opened.id, 2))
    again = table.over(two)
    assert again.play(first.seat, other, first.version).status == 200
    assert again.play(second.seat, second.legal[0], second.version).status == 200
    refused(table.play(third.seat, min({*third.legal} - {other}), lost), "stale_version")
    assert table.revision(4) != lost
