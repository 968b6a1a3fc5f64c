"""The view of a live game apart from its position: names, times, last trick, dealer, and each change."""

from datetime import UTC, datetime
from random import Random

import pytest

from service.schemas.live_game import Change, LiveGame
from service.schemas.refusal import ProblemCode
from service.schemas.timestamp import format_timestamp
from tests.support import wire
from tests.support.games.callers import GAMES, Live, position_of
from tests.support.games.listeners import Follow
from tests.support.http.client import refused

NOW = 1_767_268_800_123


def read_time(text: str) -> float:
    assert text.endswith("Z")
    return datetime.fromisoformat(text).timestamp()


@pytest.mark.parametrize(
    ("milliseconds", "text"),
    [
        (0, "1970-01-01T00:00:00.000Z"),
        (NOW, "2026-01-01T12:00:00.123Z"),
        (1_795_306_799_999, "2026-11-22T00:19:59.999Z"),
    ],
)
def test_a_time_is_written_as_rfc_3339_does(milliseconds: int, text: str) -> None:
    assert format_timestamp(milliseconds) == text
    assert round(read_time(text) * 1000) == milliseconds


def test_every_millisecond_is_written_as_itself() -> None:
    for at in range(NOW, NOW + 2000):
        assert round(read_time(format_timestamp(at)) * 1000) == at


def test_names_are_shown_to_everybody_as_they_came(live: Live) -> None:
    names = ("Ann", None, "<b>Bob</b> Ωλ 🂡", "x" * 40)
    table = live.open("trebor", 4, seats=[{"name": name} for name in names])
    for game in (table.see(0), table.see("host"), table.see()):
        assert tuple(seat.name for seat in game.seats) == names
    assert {seat.name for seat in live.open("trebor", 4).see().seats} == {None}


def test_a_game_says_in_which_role_it_is_seen(live: Live) -> None:
    table = live.open()
    seen = [table.see(bearer) for bearer in (3, "host", None)]
    assert [(game.role, game.seat) for game in seen] == [("seat", 3), ("host", None), ("spectator", None)]


@pytest.mark.parametrize(
    ("names", "code"),
    [
        (["Ann"] * 3, "impossible_request"),
        (["Ann"] * 5, "impossible_request"),
        (["Ann", "", None, None], "invalid_body"),
        (["Ann", "x" * 41, None, None], "invalid_body"),
        (["Ann", "Bob\n", None, None], "invalid_body"),
        (["Ann", "\u202eBob", None, None], "invalid_body"),
        (["Ann"], "invalid_body"),
    ],
)
def test_names_that_are_not_one_short_text_for_each_seat_are_refused(
    live: Live, names: list[str | None], code: ProblemCode
) -> None:
    seats = [{"name": name} for name in names]
    answer = live.call("POST", GAMES, {"rules": "trebor", "players": 4, "seats": seats})
    problem = refused(answer, code)
    assert problem.errors
    assert all(error.pointer.startswith("/seats") for error in problem.errors)


def test_a_game_tells_when_it_was_opened_when_it_changed_and_when_it_expires(
    live: Live, twin: Live, follow: Follow, chance: Random
) -> None:
    began = datetime.now(UTC).timestamp() - 0.001
    table = live.open("denexa", 2, ttl=600)
    stream = follow(table)
    stream.hear(1)
    opened = table.see()
    assert began <= read_time(opened.opened_at) <= datetime.now(UTC).timestamp()
    assert opened.changed_at == opened.opened_at
    table.deal()
    change = table.play_any(chance)
    for seen in (table.see(), table.over(twin).see(0)):
        assert (seen.opened_at, seen.changed_at) == (opened.opened_at, change.at)
        assert read_time(seen.expires_at) == pytest.approx(read_time(seen.changed_at) + 600)
    told = [said.change.at for said in stream.hear_version(3)[1:]]
    assert told[-1] == change.at
    assert opened.opened_at <= told[0] <= told[1]


def test_a_change_sent_again_has_the_time_of_the_first(live: Live, chance: Random) -> None:
    table = live.open("denexa", 2)
    table.deal()
    turn = table.turn()
    first = table.play(turn.seat, turn.legal[0], turn.version)
    assert table.play(turn.seat, turn.legal[0], turn.version) == first
    assert first.read(Change).at


def test_a_game_that_is_opened_again_by_its_key_was_opened_once(live: Live) -> None:
    body, key = {"rules": "denexa", "players": 2}, (("idempotency-key", "the-same-key-again-1"),)
    first = live.call("POST", GAMES, body, key)
    game = live.call("GET", first.headers["location"]).read(LiveGame)
    assert live.call("POST", GAMES, body, key) == first
    assert live.call("GET", first.headers["location"]).read(LiveGame) == game


def test_the_last_trick_is_shown_with_the_seats_that_played_it(live: Live, twin: Live, chance: Random) -> None:
    table = live.open("french-whist", 3)
    assert table.see().last_trick is None
    expected = None
    for _ in range(2):
        table.deal()
        assert table.see(0).last_trick is None
        while True:
            change = table.play_any(chance)
            for event in change.events:
                if isinstance(event, wire.TrickTaken):
                    played = tuple(((event.leader + at) % 3, card) for at, card in enumerate(event.cards))
                    expected = (played, event.seat)
            shown = (table if chance.random() < 0.5 else table.over(twin)).see().last_trick
            if shown is not None:
                assert (tuple((one.seat, one.card) for one in shown.cards), shown.winner) == expected
            else:
                assert expected is None
            if change.phase != "playing":
                break
        assert table.see().last_trick is not None
        expected = None


def test_a_change_tells_who_deals_next_once_its_deal_is_over(live: Live, follow: Follow, chance: Random) -> None:
    table = live.open("french-whist", 3, first_dealer=1)
    stream = follow(table)
    stream.hear(1)
    table.deal()
    table.play_deal(chance)
    told = [said.change for said in stream.hear_version(table.number())[1:]]
    assert {change.dealer for change in told[:-1]} == {1}
    assert (told[-1].phase, told[-1].dealer) == ("deal_over", 2)
    assert table.see().dealer == 2


def test_every_change_says_what_happened(live: Live, follow: Follow, chance: Random) -> None:
    table = live.open("trebor", 4, first_dealer=2)
    stream = follow(table)
    stream.hear(1)
    table.stir(3, "mine")
    dealt = table.deal(2).read(Change)
    table.play_any(chance)
    table.resign("host", seat=1)
    told = [said.change.events for said in stream.hear_version(5)[1:]]
    assert told[0] == (wire.EntropyAdded(3),)
    turn_up = position_of(table.see()).state.turn_up
    assert told[1] == dealt.events == (wire.CardsDealt(2, 1, turn_up),)
    assert [type(events[0]) for events in told[2:]] == [wire.CardPlayed, wire.Resigned]


def test_a_persian_name_and_an_emoji_of_parts_are_shown_as_they_were_written(live: Live) -> None:
    names = ("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\U0001f469\u200d\U0001f680")
    game = live.open("denexa", 2, seats=[{"name": name} for name in names]).see()
    assert tuple(seat.name for seat in game.seats) == names
