"""A limit for each move: when it is over by the clock of the store, the computer makes the move, once."""

import asyncio
from collections.abc import Callable, Iterator
from random import Random
from typing import Final

import pytest

from service.api.games.acts import Rematch
from service.game.rules.verdicts import legal_cards
from service.live.computers import Limits
from service.live.entries import AbsentPlayEntry, ComputerEntry, DealEntry, Entry, PlayEntry, write_entry
from service.live.log import ABSENT_LEVEL, Game, Step, advance
from service.live.store.protocol import Store
from service.live.turns import find_move_end
from service.live.views import view_events
from service.schemas.live_game import Change
from service.schemas.timestamp import format_timestamp
from tests.platform.metrics.readings import value
from tests.support import wire
from tests.support.games.callers import GAMES, Live, Table, computers_of
from tests.support.games.course import course, until
from tests.support.games.listeners import Follow
from tests.support.http.client import refused

LIMIT: Final = 5
BEGAN: Final = 1_767_268_800_000
AT_ONCE: Final = Limits(deal=0.01, takeover={ABSENT_LEVEL: 0.0, "easy": 0.0})


class Clock:
    """The clock of a store, which goes on only as it is told, and by `step` seconds each time it is read."""

    def __init__(self) -> None:
        self.now = BEGAN
        self.step = 0

    async def read(self, _: str) -> int:
        self.pass_by(self.step)
        return self.now

    def pass_by(self, seconds: float) -> None:
        self.now += round(seconds * 1000)


@pytest.fixture
def clock(store: Store, monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(store, "read_clock", clock.read)
    return clock


@pytest.fixture
def process(runner: asyncio.Runner, store: Store, clock: Clock) -> Iterator[Callable[[], Live]]:
    """Make processes of the service over the store, which end with the test."""
    made: list[Live] = []

    def begin() -> Live:
        made.append(Live(runner, store, clock=lambda: clock.now, limits=AT_ONCE))
        return made[-1]

    yield begin
    for one in made:
        one.stop.end()


def made_for(table: Table) -> list[int]:
    """Return the seats for which a card was played, in order."""
    return [step.entry.seat for step in course(table) if isinstance(step.entry, AbsentPlayEntry)]


@pytest.mark.parametrize("what", ["", "/changes"])
def test_a_look_after_the_time_is_over_has_the_computer_play_and_not_before(
    process: Callable[[], Live], clock: Clock, what: str
) -> None:
    one, two = process(), process()
    table = one.open("trebor", 4, first_dealer=0, move_seconds=LIMIT)
    assert (table.see().move_seconds, table.see().move_ends_at) == (LIMIT, None)
    dealt = table.deal().read(Change)
    one.stop.end()
    assert dealt.move_ends_at == format_timestamp(BEGAN + 5000)
    there, turn = table.over(two), table.turn()
    clock.pass_by(4.9)
    there.call(None, "GET", what)
    two.run(asyncio.sleep(0.02))
    assert made_for(table) == []
    two.stop.end()
    clock.pass_by(0.1)
    three = table.over(process())
    until(two, lambda: three.call(None, "GET", what).status == 200 and made_for(table) == [1])
    late, told = view_events(course(table)[-1], None)
    assert late == wire.TimeRanOut(1)
    assert isinstance(told, wire.CardPlayed)
    assert table.see().move_ends_at == format_timestamp(BEGAN + 10_000)
    refused(table.play(1, told.card, turn.version), "stale_version")


def test_a_seat_that_plays_in_time_plays_for_itself(process: Callable[[], Live], clock: Clock, chance: Random) -> None:
    table = process().open("trebor", 4, first_dealer=0, move_seconds=LIMIT)
    table.deal()
    for _ in range(6):
        clock.pass_by(4.9)
        table.play_any(chance)
    assert made_for(table) == []


def test_a_stream_is_enough_to_let_a_game_go_on(process: Callable[[], Live], clock: Clock, follow: Follow) -> None:
    one, two = process(), process()
    table = one.open("trebor", 4, first_dealer=0, move_seconds=LIMIT)
    table.deal()
    one.stop.end()
    clock.pass_by(LIMIT)
    said = follow(table.over(two), 3).hear_version(3)[-1]
    assert wire.TimeRanOut(1) in said.change.events


def test_a_limit_that_is_far_ahead_keeps_no_task_waiting(process: Callable[[], Live]) -> None:
    table = process().open("trebor", 4, first_dealer=0, move_seconds=24 * 3600)

    async def count() -> int:
        await asyncio.sleep(0.05)
        return len(asyncio.all_tasks())

    table.see()
    before = table.live.run(count())
    table.deal()
    table.see()
    assert table.live.run(count()) == before


@pytest.mark.parametrize("on_revoke", ["refuse", "penalise"])
def test_absent_players_play_a_whole_game_each_move_once_and_the_computer_takes_all_seats_but_the_last(
    process: Callable[[], Live], clock: Clock, on_revoke: str
) -> None:
    names = ("play", "deal")
    before = [value("catchten_absent_moves_total", move=name) for name in names]
    processes = [process() for _ in range(3)]
    table = processes[0].open("trebor", 4, first_dealer=0, move_seconds=LIMIT, on_revoke=on_revoke)
    table.deal()
    clock.step = LIMIT
    for one in processes:
        table.over(one).see()
    until(processes[0], lambda: table.phase() == "game_over")
    made, last = made_for(table), computers_of(table.see()).index(None)
    log = course(table)
    deals = sum(isinstance(step.entry, DealEntry) for step in log) - 1
    assert [made.count(seat) for seat in range(4) if seat != last] == [3, 3, 3]
    assert made.count(last) == sum(isinstance(step.entry, PlayEntry) and step.entry.seat == last for step in log)
    counted = [value("catchten_absent_moves_total", move=name) for name in names]
    assert counted[0] - before[0] == len(made)
    assert counted[1] - before[1] <= deals
    told = [event for step in log for event in view_events(step, None)]
    assert sum(isinstance(event, wire.ComputerSeated) for event in told) == 3
    assert sum(isinstance(event, wire.TimeRanOut) for event in told) == len(made)
    record = table.call(None, "GET", "/record")
    judged = table.live.call("POST", "/v1/adjudications", record.body).read(wire.Adjudication)
    assert judged.irregularities == ()


def test_the_first_deal_waits_for_its_dealer(process: Callable[[], Live], clock: Clock) -> None:
    clock.step = LIMIT
    table = process().open("trebor", 4, first_dealer=0, move_seconds=LIMIT)
    table.see()
    table.live.run(asyncio.sleep(0.05))
    assert table.phase() == "to_deal"


def play_on(game: Game, kind: type[PlayEntry]) -> Step:
    """Let the seat to play play, or have a card played for it."""
    assert game.state is not None
    legal = legal_cards(game.state)
    assert legal
    card = (legal & -legal).bit_length() - 1
    return follow_on(game, kind(game.state.seat_to_play, card))


def follow_on(game: Game, entry: Entry) -> Step:
    return advance(game, entry, write_entry(entry, b"sample", game.changed_at + 1000))


def test_a_seat_is_absent_three_times_in_a_row_or_not_at_all(process: Callable[[], Live]) -> None:
    table = process().open("trebor", 2, first_dealer=0, move_seconds=LIMIT)
    table.deal()
    table.live.stop.end()
    game = course(table)[-1].game
    for kind in (AbsentPlayEntry, AbsentPlayEntry, PlayEntry, AbsentPlayEntry, AbsentPlayEntry):
        game = play_on(play_on(game, kind).game, kind).game
    assert game.computers == ()
    assert game.state is not None
    seat, step = game.state.seat_to_play, play_on(game, AbsentPlayEntry)
    assert step.game.computers[seat] == ABSENT_LEVEL
    back = follow_on(step.game, ComputerEntry(seat, None)).game
    assert back.computers == ()
    assert find_move_end(back) == step.game.changed_at + 1000 * LIMIT


@pytest.mark.parametrize("seconds", [4, 86_401, 7.5, "10", True])
def test_a_limit_is_a_whole_number_of_seconds_from_five_to_a_day(live: Live, seconds: object) -> None:
    refused(live.call("POST", GAMES, {"rules": "trebor", "players": 4, "move_seconds": seconds}), "invalid_body")


@pytest.mark.parametrize("seat", range(4))
def test_no_seat_gives_itself_or_another_more_time_by_seating_the_computer_and_taking_the_seat_back(
    process: Callable[[], Live], seat: int
) -> None:
    table = process().open("trebor", 4, first_dealer=0, move_seconds=LIMIT)
    table.deal()
    dealt = course(table)[-1].game
    seated = follow_on(dealt, ComputerEntry(seat, "easy")).game
    back = follow_on(seated, ComputerEntry(seat, None)).game
    assert (seated.computers[seat], back.computers) == ("easy", ())
    assert find_move_end(back) == find_move_end(dealt)


def test_every_entry_of_a_game_with_a_limit_has_the_time_of_the_store(
    runner: asyncio.Runner, store: Store, clock: Clock
) -> None:
    live = Live(runner, store, clock=lambda: BEGAN - 60_000)
    table = live.open("trebor", 4, move_seconds=LIMIT)
    assert table.deal().status == 200
    assert table.resign(1).status == 200
    after = table.with_id(table.rematch().read(Rematch).id)
    assert after.see().version
    clock.pass_by(1)
    assert after.deal().status == 200
    times = [step.game.changed_at for step in (*course(table), *course(after))]
    assert times == [BEGAN] * 5 + [BEGAN + 1000]
