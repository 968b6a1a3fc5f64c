"""A game that changes very often: its log has an end, and reading a long one lets others work and keeps little."""

import asyncio
import tracemalloc
from collections.abc import Coroutine, Iterator, Sequence
from copy import deepcopy
from random import Random
from typing import TypeVar

import pytest
from msgspec.structs import replace

from service.api.games.seats import RenewedToken
from service.live import repository
from service.live.decisions import (
    MAX_CHANGES,
    MAX_SEAT_CHANGES,
    RESERVE,
    Append,
    decide_computer,
    decide_renewal,
    decide_take_back,
)
from service.live.entries import ComputerEntry, TokenEntry
from service.live.log import Game, Step, steps
from service.live.repository import PAGE, Repository
from service.live.store.memory import MemoryStore
from service.live.store.protocol import Loaded
from service.schemas.ids import GameId, Key, Salt
from service.schemas.refusal import Refusal
from tests.support.games.callers import Live, Table
from tests.support.games.listeners import Follow
from tests.support.games.stores import Failing
from tests.support.http.client import refused

Result = TypeVar("Result")


def test_seats_change_a_bounded_number_of_times_and_then_once_a_minute(live: Live) -> None:
    table = live.open("trebor", 4, first_dealer=0)
    game, token = live.run(Repository(live.store).load(table.opened.id)), table.opened.host_token
    most = MAX_CHANGES + 2 * RESERVE
    for changes, minutes in ((most - 1, 0), (most, 1), (most + 9, 10)):
        late, at = replace(game, version=changes), game.opened_at + minutes * 60_000
        seated = decide_computer(late, token, late.revision, ComputerEntry(2, "easy"), at)
        assert isinstance(seated, Append)
        later = replace(late, version=changes + 1)
        for decided in (
            decide_computer(later, token, later.revision, ComputerEntry(2, "easy"), at),
            decide_renewal(later, token, Key("x"), TokenEntry(1, b"", b"", Salt(b"")), at),
        ):
            assert isinstance(decided, Refusal)
            assert decided.code == "too_many_changes"


def test_a_game_keeps_changes_for_its_seats_and_then_for_the_host(live: Live) -> None:
    table = live.open("trebor", 4, first_dealer=0, take_back=True)
    table.deal()
    table.play_any(Random(1))
    game, renewal = live.run(Repository(live.store).load(table.opened.id)), TokenEntry(1, b"", b"", Salt(b""))
    turned_away = list[tuple[bool, bool, bool]]()
    for version in (MAX_CHANGES - 1, MAX_CHANGES, MAX_CHANGES + RESERVE, MAX_CHANGES + 2 * RESERVE):
        late = replace(game, version=version)
        decisions = (
            decide_take_back(late, table.tokens[1], late.revision, game.opened_at),
            decide_renewal(late, table.tokens[1], Key("x"), renewal, game.opened_at),
            decide_renewal(late, table.opened.host_token, Key("x"), renewal, game.opened_at),
        )
        back, seat, host = [isinstance(each, Refusal) and each.code == "too_many_changes" for each in decisions]
        turned_away.append((back, seat, host))
    assert turned_away == [(False, False, False), (True, False, False), (True, True, False), (True, True, True)]


def test_one_seat_cannot_use_up_the_changes_of_its_game(runner: asyncio.Runner, live: Live) -> None:
    now = [1_000_000]
    table = Live(runner, live.store, clock=lambda: now[0]).open("trebor", 3, first_dealer=0)

    def renew(times: int) -> list[int]:
        statuses = list[int]()
        for _ in range(times):
            answer = table.call(1, "POST", "/seats/1/tokens")
            statuses.append(answer.status)
            if answer.status == 200:
                token = answer.read(RenewedToken).token
                table.tokens = (table.tokens[0], token, table.tokens[2])
        return statuses

    assert renew(MAX_SEAT_CHANGES + 2) == [200] * MAX_SEAT_CHANGES + [409] * 2
    refused(table.call(1, "PUT", "/seats/1/computer", {"level": "easy"}, table.last_seen), "too_many_changes")
    assert table.call(2, "POST", "/seats/2/tokens").status == 200, "another seat"
    now[0] += 60_000
    assert renew(2) == [200, 409]
    now[0] += 3 * 60_000
    assert renew(4) == [200, 200, 200, 409]
    assert table.call("host", "PUT", "/seats/1/computer", {"level": "easy"}, table.last_seen).status == 200
    assert table.call("host", "POST", "/seats/1/tokens").status == 200


def test_a_long_log_is_read_in_pieces(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    table = live.open("trebor", 4)
    for _ in range(50):
        table.call("host", "POST", "/seats/1/tokens")
    whole, again = list[Step](), list[Step]()
    last = live.run(Repository(live.store).walk(table.opened.id, whole.append))
    assert (len(whole), whole[-1].game) == (51, last)
    turns, pieces = 0, list[tuple[int, int]]()

    def note(lines: Sequence[bytes], now: Game | None = None) -> Iterator[Step]:
        pieces.append((len(lines), turns))
        return steps(lines, now)

    async def read(reading: Coroutine[None, None, Result]) -> Result:
        nonlocal turns
        task = asyncio.create_task(reading)
        while not task.done():
            await asyncio.sleep(0)
            turns += 1
        return await task

    monkeypatch.setattr(repository, "steps", note)
    assert live.run(read(Repository(live.store, piece=2).walk(table.opened.id, again.append))) == last
    assert again == whole
    assert live.run(read(Repository(live.store, piece=2).load(table.opened.id))) == last
    assert len(pieces) == 2 * -(-len(whole) // 2)
    assert max(size for size, _ in pieces) == 2
    assert len({turn for _, turn in pieces}) == len(pieces), "others had no turn between two pieces"


class Slow(Failing):
    """A store that takes its time, and notes how many read at once, and how many entries each has read."""

    def __init__(self) -> None:
        super().__init__()
        self.reading = 0
        self.most = 0
        self.read: list[int] = []

    async def load(self, game: GameId, start: int = 0, last_entry: bytes = b"", stop: int | None = None) -> Loaded:
        self.reading += start == 0
        self.most = max(self.most, self.reading)
        await asyncio.sleep(0.001)
        loaded = await super().load(game, start, last_entry, stop)
        self.reading -= start == 0
        self.read.append(len(loaded.entries))
        return loaded


@pytest.fixture
def slow() -> Slow:
    return Slow()


@pytest.fixture(scope="module")
def made(runner: asyncio.Runner) -> tuple[MemoryStore, Table]:
    """A game of 1,000 versions, and the store where it was made."""
    store = MemoryStore(10, 2**24)
    table = Live(runner, store).open("trebor", 4)
    for at in range(999):
        table.call("host", "POST", f"/seats/{at % 4}/tokens")
    return store, table


@pytest.fixture
def long(runner: asyncio.Runner, slow: Slow, made: tuple[MemoryStore, Table]) -> Table:
    """A game of 1,000 versions of its own."""
    store, table = made
    slow._logs = deepcopy(store._logs)
    own = Table(Live(runner, slow), table._opening, dict(table._seen))
    own.see()  # a process remembers the game that it has changed
    slow.read.clear()
    return own


def ask_at_once(table: Table, what: str) -> set[bytes]:
    """Ask thirty times at once for something of a game, and return the different answers."""

    async def ask() -> set[bytes]:
        answers = await asyncio.gather(*(table.live.asked("GET", table.path + what) for _ in range(30)))
        assert {answer.status for answer in answers} == {200}
        return {answer.body for answer in answers}

    return table.live.run(ask())


@pytest.mark.parametrize("what", ["/record", "/changes?after=1-{tag}", "/changes?after=500-{tag}"])
def test_of_many_who_read_the_past_of_a_game_at_once_one_reads_its_log_at_a_time(
    slow: Slow, long: Table, what: str
) -> None:
    version = int(what[15:].partition("-")[0] or 1)
    asked = what.format(tag=long.revision(version).tag)
    assert len(ask_at_once(long, asked)) == 1
    assert slow.most == 1


@pytest.mark.parametrize("what", ["", "/changes", "/record"])
def test_a_long_log_that_nobody_remembers_is_read_once_at_a_time(
    runner: asyncio.Runner, slow: Slow, long: Table, what: str
) -> None:
    assert len(ask_at_once(long.over(Live(runner, slow)), what)) == 1
    assert slow.most == 1


@pytest.mark.parametrize("what", ["/record", "/changes?after=500-{tag}"])
def test_the_past_of_a_long_game_is_read_without_keeping_it(long: Table, what: str) -> None:
    asked = what.format(tag=long.revision(500).tag)
    ask_at_once(long, asked)
    tracemalloc.start()
    ask_at_once(long, asked)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2_000_000, "its steps, for each who asks"


def test_a_stream_that_replays_the_past_reads_a_page_once_its_client_has_taken_the_last(
    slow: Slow, long: Table, follow: Follow
) -> None:
    stream = follow(long, None, 1)
    stream.awake.clear()
    long.live.run(asyncio.sleep(0.05))
    assert sum(slow.read) <= 3 * PAGE
    stream.awake.set()
    told = stream.hear_version(1000)
    assert [said.id for said in told] == [str(long.revision(version)) for version in range(2, 1001)]
    assert max(slow.read) <= PAGE + 1
    stream.leave()


def test_a_replay_goes_on_with_what_is_changed_meanwhile(slow: Slow, long: Table, follow: Follow) -> None:
    stream = follow(long, None, 900)
    stream.hear(PAGE)
    for seat in range(3):
        long.call("host", "POST", f"/seats/{seat}/tokens")
    told = stream.hear_version(1003)
    assert [said.version for said in told] == list(range(901, 1004))
    stream.leave()


def test_a_replay_of_a_past_that_the_store_loses_goes_on_with_the_whole_game(
    runner: asyncio.Runner, slow: Slow, long: Table, follow: Follow
) -> None:
    stream = follow(long, None, 1)
    stream.hear(PAGE)
    stream.awake.clear()
    runner.run(asyncio.sleep(0.05))
    runner.run(slow.lose(long.opened.id, 990, silently=True))
    there = long.over(Live(runner, slow))
    for _ in range(990):
        there.call("host", "POST", "/seats/1/tokens")
    stream.awake.set()
    stream.until(lambda: stream.said[-1].event == "game")
    assert stream.said[-1].id == str(there.revision(1000))
    stream.leave()
