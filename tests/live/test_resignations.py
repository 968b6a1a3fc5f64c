"""Resignations: a seat, or the host for one that is gone, gives the game up, and every other side wins."""

from random import Random

import pytest

from service.game.rules.record import Record
from service.schemas.live_game import Change
from service.schemas.refusal import ProblemCode
from tests.support import wire
from tests.support.games.callers import Bearer, Live, Table, position_of
from tests.support.games.listeners import Follow
from tests.support.http.client import refused


@pytest.fixture
def table(live: Live, chance: Random) -> Table:
    """A game of two pairs in the middle of its first deal."""
    table = live.open("trebor")
    table.deal()
    table.play_any(chance)
    return table


@pytest.mark.parametrize("bearer", [1, "host"])
def test_a_seat_resigns_and_every_other_side_wins(table: Table, bearer: Bearer) -> None:
    change = table.resign(bearer, seat=1).read(Change)
    resigned, won = change.events
    assert isinstance(resigned, wire.Resigned)
    assert isinstance(won, wire.GameWon)
    assert (resigned.seat, resigned.side) == (1, 1)
    assert (won.winners, won.won_by) == ((0,), wire.WonBy("resignation", None, None))
    for seen in (position_of(change), position_of(table.see()), position_of(table.see(3))):
        assert (seen.phase, seen.turn, seen.legal_cards, seen.winners) == ("game_over", None, (), (0,))
    assert (table.see().phase, table.see().resigned) == ("game_over", 1)


def test_of_players_who_are_alone_all_others_win(live: Live) -> None:
    table = live.open("denexa", 5)
    table.deal()
    assert position_of(table.resign(2).read(Change)).winners == (0, 1, 3, 4)


def test_a_seat_may_resign_between_two_deals(live: Live, chance: Random) -> None:
    table = live.open("french-whist", 3)  # no first deal of it can win: 36 at most
    table.deal()
    table.play_deal(chance)
    assert position_of(table.resign(0).read(Change)).winners == (1, 2)


def test_nothing_can_be_changed_after_it(table: Table) -> None:
    turn = table.turn()
    table.resign(0)
    version = table.number()
    refused(table.play(turn.seat, turn.legal[0], version), "game_over")
    refused(table.deal(), "game_over")
    refused(table.stir(0, "mine"), "game_over")
    refused(table.resign(1), "game_over")


def test_a_resignation_sent_again_at_its_version_is_answered_as_the_first_time(table: Table) -> None:
    first = table.resign(2, 3)
    assert first.status == 200
    assert table.resign(2, 3) == first
    refused(table.resign(1, 3), "stale_version")


@pytest.mark.parametrize(
    ("bearer", "body", "code"),
    [
        (None, {}, "token_missing"),
        (0, {"seat": 1}, "wrong_token"),
        (0, {"seat": 4}, "impossible_request"),
        ("host", {}, "invalid_body"),
        (0, {"seat": -1}, "invalid_body"),
    ],
)
def test_only_the_seat_or_the_host_resigns_for_it(
    table: Table, bearer: Bearer, body: dict[str, int], code: ProblemCode
) -> None:
    refused(table.resign(bearer, None, **body), code)
    assert table.phase() == "playing"


def test_a_seat_resigns_without_a_body(table: Table) -> None:
    assert table.call(1, "POST", "/resignations", None, table.last_seen).status == 200
    assert table.phase() == "game_over"


def test_nobody_resigns_before_the_first_deal(live: Live) -> None:
    refused(live.open().resign(0), "not_dealt")


def test_the_record_says_who_resigned_and_adjudicates_to_the_same(live: Live, table: Table) -> None:
    table.resign(3)
    answer = table.call(None, "GET", "/record")
    record = answer.read(Record)
    assert (record.resigned, len(record.deals[0].plays)) == (3, 1)
    assert record.deals[0].proof is not None
    told = live.call("POST", "/v1/adjudications", answer.body).read(wire.Adjudication)
    assert (told.irregularities, told.winners) == ((), (0,))
    assert told.won_by == wire.WonBy("resignation", None, None)


def test_a_stream_tells_the_resignation_and_opens_the_shuffle(table: Table, follow: Follow) -> None:
    stream = follow(table)
    stream.hear(1)
    table.resign(1)
    change = stream.hear_version(4)[-1].change
    assert [type(event) for event in change.events] == [wire.Resigned, wire.GameWon]
    assert (change.phase, change.position) == ("game_over", table.see().position)
    (shuffle,) = change.shuffles
    assert shuffle.proof is not None
