"""Taking back a card: by its seat alone, by consent of all other seats of people, and never past what it showed."""

import asyncio
from random import Random
from typing import Any

import pytest

from service.game.rules.record import Record
from service.live.store.protocol import Store
from service.schemas.live_game import Change
from service.schemas.refusal import ProblemCode
from tests.support import wire
from tests.support.games.callers import Bearer, Live, Table, Turn, position_of
from tests.support.games.listeners import Follow
from tests.support.http.client import Answer, refused


def ask(table: Table, bearer: Bearer, version: int | None = None) -> Answer:
    """Ask to take a card back, or agree, at a version or at the one that was seen last."""
    return table.call(bearer, "POST", "/take-backs", None, version or table.last_seen)


def play(table: Table, turn: Turn) -> None:
    assert table.play(turn.seat, turn.legal[0], turn.version).status == 200


def begin(live: Live, players: int = 3, **more: Any) -> tuple[Table, Turn]:
    """Open a game in which cards are taken back, and play its first card."""
    table = live.open("denexa", players, first_dealer=0, take_back=True, **more)
    assert table.deal().status == 200
    turn = table.turn()
    play(table, turn)
    return table, turn


def test_a_card_is_back_in_its_hand_once_all_other_seats_agree(live: Live, follow: Follow) -> None:
    table, turn = begin(live)
    stream = follow(table)
    stream.hear(1)
    before, others = table.see(turn.seat), [seat for seat in table.seats if seat != turn.seat]
    assert (before.take_back, before.take_back_asked) == (True, None)
    asked = ask(table, turn.seat).read(Change)
    assert asked.events == (wire.TakeBackAsked(turn.seat, ()),)
    assert asked.position == position_of(before)
    agreed = ask(table, others[0]).read(Change)
    assert agreed.events == (wire.TakeBackAsked(turn.seat, (others[0],)),)
    assert agreed.take_back_asked == table.see().take_back_asked is not None
    taken = ask(table, others[1]).read(Change)
    assert taken.events == (wire.TakenBack(turn.seat, turn.legal[0]),)
    assert taken.take_back_asked is None
    assert position_of(table.see(turn.seat)) == turn.position
    assert table.play(turn.seat, turn.legal[-1], None).status == 428
    assert table.play(turn.seat, turn.legal[-1], table.last_seen).status == 200
    assert stream.hear_version(table.number())[-1].change.events == (wire.CardPlayed(turn.seat, turn.legal[-1]),)


def test_the_record_has_what_was_played_in_the_end(live: Live, chance: Random) -> None:
    table, turn = begin(live, 2)
    for seat in (turn.seat, turn.other):
        ask(table, seat)
    table.play_deal(chance)
    record = table.call(None, "GET", "/record")
    assert len(record.read(Record).deals) == 1
    judged = live.call("POST", "/v1/adjudications", record.body).read(wire.Adjudication)
    assert judged.irregularities == ()


def test_another_card_ends_the_request(live: Live, chance: Random) -> None:
    table, turn = begin(live)
    ask(table, turn.seat)
    table.play_any(chance)
    assert table.see().take_back_asked is None
    refused(ask(table, turn.seat), "cannot_take_back")


def test_where_only_computers_are_besides_nobody_is_asked(runner: asyncio.Runner, store: Store) -> None:
    live = Live(runner, store)
    table = live.open("denexa", 2, computers=(None, "easy"), first_dealer=1, take_back=True)
    live.stop.end()  # so that the computer is slow
    table.deal()
    turn = table.turn(0)
    play(table, turn)
    assert ask(table, 0).read(Change).events == (wire.TakenBack(0, turn.legal[0]),)


def test_the_same_request_is_answered_once_more_and_another_is_not(live: Live) -> None:
    table, turn = begin(live)
    first = ask(table, turn.seat, turn.version + 1)
    assert ask(table, turn.seat, turn.version + 1).body == first.body
    refused(ask(table, turn.seat), "cannot_take_back")
    refused(ask(table, turn.other, turn.version + 1), "stale_version")
    refused(table.call(turn.other, "POST", "/take-backs"), "version_needed")


@pytest.mark.parametrize(("bearer", "code"), [(None, "token_missing"), ("host", "wrong_token")])
def test_only_seats_take_back(live: Live, bearer: Bearer, code: ProblemCode) -> None:
    table, _ = begin(live)
    refused(ask(table, bearer), code)


def test_a_seat_asks_only_for_its_own_last_card_before_the_trick_is_complete(live: Live, chance: Random) -> None:
    table, turn = begin(live, 2)
    refused(ask(table, turn.other), "cannot_take_back")
    table.play_any(chance)
    for seat in table.seats:
        refused(ask(table, seat), "cannot_take_back")


def test_a_game_takes_nothing_back_unless_it_was_opened_so(live: Live, chance: Random) -> None:
    table = live.open("trebor", 4)
    refused(ask(table, 0), "cannot_take_back")
    table.deal()
    turn = table.turn()
    play(table, turn)
    refused(ask(table, turn.seat), "cannot_take_back")


def test_what_was_taken_back_once_is_past(live: Live) -> None:
    table, turn = begin(live, 2)
    for seat in (turn.seat, turn.other):
        assert ask(table, seat).status == 200
    refused(ask(table, turn.seat), "cannot_take_back")
    refused(table.play(turn.seat, turn.legal[0], turn.version + 2), "stale_version")
