"""No table depends on its host: any seat may hand an absent seat to the computer until its person is back."""

import asyncio
from collections.abc import Callable, Iterator
from random import Random
from typing import Final

import pytest

from service.api.games.acts import Rematch
from service.game.rulesets import Seat
from service.live import presence
from service.live.computers import Limits
from service.live.decisions import AWAY_SECONDS, MAX_SEAT_CHANGES
from service.live.store.memory import MemoryStore
from service.schemas.live_game import Change
from tests.support import wire
from tests.support.games.callers import Bearer, Live, Table, computers_of, position_of
from tests.support.games.course import until
from tests.support.games.listeners import Follow
from tests.support.http.client import Answer, refused

NAMES: Final = [{"name": name} for name in ("Ann", "Bob", "Cho", "Dee")]
AT_ONCE: Final = Limits(deal=0.01, takeover={"medium": 0.0})


class Evening:
    """A service and its store, by a clock that goes on only as it is told."""

    def __init__(self, runner: asyncio.Runner) -> None:
        self.seconds = 0.0
        store = MemoryStore(1000, 2**20, lambda: self.seconds)
        self.live = Live(runner, store, clock=lambda: 1_767_268_800_000 + round(1000 * self.seconds), limits=AT_ONCE)

    def pass_by(self, seconds: float) -> None:
        self.seconds += seconds


@pytest.fixture
def evening(runner: asyncio.Runner) -> Iterator[Evening]:
    evening = Evening(runner)
    yield evening
    evening.live.stop.end()


@pytest.fixture
def table(evening: Evening) -> Table:
    """A table of four after the deal; seat 1 is to play."""
    table = evening.live.open("trebor", seats=NAMES, first_dealer=0)
    assert table.deal().status == 200
    return table


def hand_over(table: Table, bearer: Bearer, seat: Seat, level: str = "medium") -> Answer:
    """Let the computer play a seat, by the token of somebody."""
    return table.call(bearer, "PUT", f"/seats/{seat}/computer", {"level": level}, table.last_seen)


def take_back(table: Table, bearer: Bearer, seat: Seat) -> Answer:
    return table.call(bearer, "DELETE", f"/seats/{seat}/computer", version=table.last_seen)


def come_and_go(table: Table, follow: Follow, seat: Seat) -> None:
    """Let a seat be present, and leave."""
    stream = follow(table, seat)
    stream.hear(1)
    stream.leave()


@pytest.mark.parametrize("seat", [2, 1], ids=["waits", "is to play"])
def test_nobody_takes_the_seat_of_a_player_who_is_there_however_long_the_game_waits(
    evening: Evening, table: Table, follow: Follow, seat: Seat
) -> None:
    follow(table, seat).hear(1)
    evening.pass_by(3600)
    refused(hand_over(table, 3, seat), "not_away")
    assert computers_of(table.see()) == (None,) * 4


@pytest.mark.parametrize("seat", [2, 1], ids=["waits", "is to play"])
def test_two_minutes_after_a_player_left_any_other_seat_lets_the_computer_play(
    evening: Evening, table: Table, follow: Follow, seat: Seat
) -> None:
    evening.pass_by(300)
    come_and_go(table, follow, seat)
    evening.pass_by(AWAY_SECONDS - 45)
    assert "in 45 seconds" in refused(hand_over(table, 3, seat), "not_away").detail
    evening.pass_by(45)
    events = hand_over(table, 3, seat).read(Change).events
    assert events == (wire.ComputerSeated(seat, "medium"),)


def test_a_player_who_came_back_for_a_moment_is_away_two_minutes_later(
    evening: Evening, table: Table, follow: Follow
) -> None:
    come_and_go(table, follow, 2)
    evening.pass_by(AWAY_SECONDS - 1)
    come_and_go(table, follow, 2)
    evening.pass_by(AWAY_SECONDS - 1)
    refused(hand_over(table, 3, 2), "not_away")
    evening.pass_by(1)
    assert hand_over(table, 3, 2).status == 200


@pytest.mark.parametrize("what", ["", "/changes"])
def test_nobody_takes_the_seat_of_a_player_whose_app_polls_with_its_token(
    evening: Evening, table: Table, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "LOOK_SECONDS", 0.0)
    for _ in range(3):
        table.call(1, "GET", what)
        table.call(None, "GET", what)
        evening.pass_by(AWAY_SECONDS - 1)
        assert [seat.present for seat in table.see().seats] == [False] * 4
        refused(hand_over(table, 3, 1), "not_away")
    evening.pass_by(1)
    assert hand_over(table, 3, 1).status == 200


def test_a_player_who_polls_often_is_noted_now_and_then(
    evening: Evening, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "LOOK_SECONDS", 1e9)
    table.see(1)
    evening.pass_by(AWAY_SECONDS)
    table.see(1)
    assert hand_over(table, 3, 1).status == 200


def test_who_returns_gets_the_seat_back_by_the_old_token(evening: Evening, table: Table, follow: Follow) -> None:
    come_and_go(table, follow, 2)
    evening.pass_by(AWAY_SECONDS)
    assert hand_over(table, 3, 2).status == 200
    refused(take_back(table, 3, 2), "wrong_token")
    assert take_back(table, 2, 2).read(Change).events == (wire.ComputerLeft(2),)


def test_a_seat_that_never_had_a_stream_is_away_once_the_game_has_waited_two_minutes_for_it(
    evening: Evening, table: Table, chance: Random
) -> None:
    evening.pass_by(AWAY_SECONDS)
    refused(hand_over(table, 3, 2), "not_away")
    table.play_any(chance)
    refused(hand_over(table, 3, 2), "not_away")
    evening.pass_by(AWAY_SECONDS)
    assert hand_over(table, 3, 2).status == 200


def test_nobody_chooses_how_well_the_computer_plays_for_somebody_else(
    evening: Evening, table: Table, follow: Follow
) -> None:
    come_and_go(table, follow, 2)
    evening.pass_by(AWAY_SECONDS)
    for level in ("easy", "hard"):
        problem = refused(hand_over(table, 3, 2, level), "impossible_request")
        assert [error.pointer for error in problem.errors] == ["/level"]


def test_a_spectator_hands_no_seat_over(evening: Evening, table: Table, follow: Follow) -> None:
    come_and_go(table, follow, 2)
    evening.pass_by(AWAY_SECONDS)
    refused(hand_over(table, None, 2), "token_missing")


def test_the_same_request_once_more_is_answered_alike_though_the_player_is_back(
    evening: Evening, table: Table, follow: Follow
) -> None:
    come_and_go(table, follow, 2)
    evening.pass_by(AWAY_SECONDS)
    seen = table.last_seen
    first = table.call(3, "PUT", "/seats/2/computer", {"level": "medium"}, seen)
    follow(table, 2).hear(1)
    assert table.call(3, "PUT", "/seats/2/computer", {"level": "medium"}, seen).body == first.body


def test_a_player_is_handed_over_and_comes_back_as_often_as_two_minutes_allow(
    evening: Evening, table: Table, follow: Follow
) -> None:
    for _ in range(2 * MAX_SEAT_CHANGES):
        come_and_go(table, follow, 2)
        evening.pass_by(AWAY_SECONDS)
        assert hand_over(table, 3, 2).status == 200
        assert take_back(table, 2, 2).status == 200


def test_a_seat_that_nobody_takes_is_given_to_the_computer_and_the_game_begins_without_the_host(
    evening: Evening,
) -> None:
    table = evening.live.open("trebor", seats=[*NAMES[:3], {}], first_dealer=3)
    evening.pass_by(AWAY_SECONDS - 1)
    refused(hand_over(table, 1, 3), "not_away")
    evening.pass_by(1)
    assert hand_over(table, 1, 3).status == 200
    assert table.deal(1).status == 200


def test_three_play_on_to_the_end_and_into_the_next_game_after_their_host_has_gone(
    evening: Evening, table: Table, follow: Follow, chance: Random
) -> None:
    host = follow(table, 0)
    host.hear(1)
    table.play_any(chance)
    host.leave()
    evening.pass_by(AWAY_SECONDS)
    table.see()
    assert hand_over(table, 2, 0).status == 200
    finish(table, chance, evening)
    after = table.with_id(table.rematch(3).read(Rematch).id)
    assert computers_of(after.see()) == ("medium", None, None, None)
    # The host's computer may deal meanwhile, so the seen version may be old.
    until(evening.live, lambda: after.see().phase == "playing" and take_back(after, 0, 0).status == 200)


def finish(table: Table, chance: Random, evening: Evening) -> None:
    """Play on to the end of the game for all seats but the computer's, which nobody but it deals and plays for."""
    while (seen := table.see()).phase != "game_over":
        turn = position_of(seen).turn
        acts = seen.dealer if turn is None else turn
        if seen.seats[acts].computer:
            until(evening.live, moved_on(table, seen.version))
        elif turn is None:
            assert table.deal(acts).status == 200
        else:
            table.play_any(chance, turn)


def moved_on(table: Table, version: str) -> Callable[[], bool]:
    return lambda: table.see().version != version


def test_a_stream_at_another_process_is_one(live: Live, twin: Live, follow: Follow) -> None:
    table = live.open("trebor", seats=NAMES, first_dealer=0)
    assert table.deal().status == 200
    follow(table.over(twin), 2).hear(1)
    refused(hand_over(table, 3, 2), "not_away")
