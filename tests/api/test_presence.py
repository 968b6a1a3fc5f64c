"""The presence of seats: who has a stream of a game is there, whichever process serves it, and nobody else is."""

import asyncio
from collections.abc import Iterator

import pytest

from service.api.games.changes import ChangePage
from service.api.games.event_stream import HEARTBEATS_PER_CHECK
from service.app import make_store
from service.live.store.memory import MemoryStore
from service.live.store.protocol import StoreDown, StoreFull
from service.platform.settings import Settings
from service.schemas.ids import GameId
from tests.support.games.callers import EVERYBODY, Live, Table
from tests.support.games.listeners import Follow, Waiting
from tests.support.games.stores import Failing
from tests.support.http.client import refused


def seen(table: Table) -> list[int]:
    """Return the seats that the game shows as present."""
    return [seat.seat for seat in table.see().seats if seat.present]


def test_a_seat_is_present_while_it_has_a_stream_and_everybody_is_told(live: Live, twin: Live, follow: Follow) -> None:
    table = live.open("trebor", 4)
    there = table.over(twin)
    watcher = follow(table)
    assert [seat.present for seat in watcher.hear(1)[0].game.seats] == [False] * 4
    first = follow(table, 2)
    assert [seat.present for seat in first.hear(1)[0].game.seats] == [False, False, True, False]
    second = follow(there, 0)
    for stream in (watcher, first):
        stream.until(lambda stream=stream: [0, 2] in stream.presence)  # type: ignore[misc]
    assert seen(table) == seen(there) == [0, 2]
    first.leave()
    for stream in (watcher, second):
        stream.until(lambda stream=stream: stream.presence[-1:] == [[0]])  # type: ignore[misc]
    assert seen(table) == seen(there) == [0]
    assert watcher.presence == [[2], [0, 2], [0]]


def test_presence_is_no_change_and_no_stream_tells_it_twice(live: Live, follow: Follow) -> None:
    table = live.open("trebor", 4)
    streams = [follow(table, 1), *(follow(table, bearer) for bearer in EVERYBODY)]
    for stream in streams:
        stream.hear_version(1)
    table.deal()
    for stream in streams:
        assert [said.version for said in stream.hear_version(2)] == [1, 2]
        assert all(stream.presence[at] != stream.presence[at + 1] for at in range(len(stream.presence) - 1))
    assert table.see().version == str(table.last_seen)


def test_a_seat_with_two_streams_is_present_until_it_has_left_both(live: Live, twin: Live, follow: Follow) -> None:
    for other in (live, twin):
        table = live.open("trebor", 4)
        streams = [follow(table, 3), follow(table.over(other), 3)]
        for stream in streams:
            stream.hear(1)
        streams[0].leave()
        assert seen(table) == [3]
        streams[1].leave()
        assert seen(table) == []


def test_a_page_of_changes_says_who_is_present(live: Live, follow: Follow) -> None:
    table = live.open("trebor", 4)
    follow(table, 1).hear(1)
    for after in ("", f"?after={table.last_seen}"):
        assert table.call(None, "GET", f"/changes{after}").read(ChangePage).present == (1,)


def test_a_stream_that_goes_on_from_a_version_says_who_is_present(live: Live, follow: Follow) -> None:
    table = live.open("trebor", 4)
    stream = follow(table, 3, table.last_seen)
    stream.until(lambda: stream.presence == [[3]])
    assert stream.said == []


def test_neither_the_host_nor_spectators_are_present(live: Live, follow: Follow) -> None:
    table = live.open("trebor", 4)
    for bearer in EVERYBODY:
        follow(table, bearer).hear(1)
    assert seen(table) == []


def test_a_mark_is_renewed_for_as_long_as_its_stream_is_open(
    runner: asyncio.Runner, live: Live, follow: Follow
) -> None:
    beat = 0.1
    table = Live(runner, live.store, Settings(stream_heartbeat=beat)).open("trebor", 4)
    stream = follow(table, 1)
    stream.until(lambda: stream.heartbeats >= 3 * HEARTBEATS_PER_CHECK)
    assert seen(table.over(live)) == [1]


def test_the_marks_of_a_process_that_died_expire(runner: asyncio.Runner, redis_url: str) -> None:
    store = make_store(Settings(redis_url=redis_url))
    table = Live(runner, store).open("trebor", 4)
    game = table.opened.id

    async def mark(name: str, seconds: float) -> None:
        await store.mark(game, name, seconds)

    async def outlive() -> None:
        waiting = Waiting()
        store.watch(game, waiting)
        await waiting.until(lambda: waiting.resync)
        await mark("0/dead", 600)
        await mark("1/alive", 600)
        await waiting.until(lambda: waiting.presence_leases == ("0/dead", "1/alive"))
        await mark("0/dead", 0.05)
        await asyncio.sleep(0.1)
        await mark("1/alive", 600)
        await waiting.until(lambda: waiting.presence_leases == ("1/alive",))
        await mark("1/alive", 0.05)
        await asyncio.sleep(0.1)
        store.unwatch(game, waiting)

    runner.run(outlive())
    assert seen(table) == []
    runner.run(store.close())


@pytest.mark.parametrize("failure", [StoreDown, StoreFull])
def test_a_stream_lives_where_its_mark_cannot_be_written_and_writes_it_later(
    runner: asyncio.Runner, follow: Follow, monkeypatch: pytest.MonkeyPatch, failure: type[Exception]
) -> None:
    store, failures = MemoryStore(10, 2**20), iter([failure] * 3)
    write = store.mark

    async def fail(game: GameId, name: str, seconds: float, *, stays: bool = True, ttl: float = 0) -> None:
        if (error := next(failures, None)) is not None:
            raise error
        await write(game, name, seconds, stays=stays, ttl=ttl)

    monkeypatch.setattr(store, "mark", fail)
    table = Live(runner, store, Settings(stream_heartbeat=0.05)).open("trebor", 4)
    stream = follow(table, 0)
    stream.until(lambda: stream.presence[-1:] == [[0]])
    assert table.deal().status == 200
    assert [said.version for said in stream.hear_version(2)] == [1, 2]


def test_a_store_that_is_away_is_said_to_be_so_and_not_that_nobody_is_present(runner: asyncio.Runner) -> None:
    store = Failing()
    table = Live(runner, store).open("trebor", 4)
    for path in ("", "/changes", "/events"):
        store.before.append("load")
        refused(table.call(0, "GET", path), "store_down")


@pytest.fixture
def crowd(runner: asyncio.Runner) -> Iterator[tuple[MemoryStore, Table, list[str]]]:
    store, calls = MemoryStore(10, 2**20), list[str]()
    write = store.mark

    async def count(game: GameId, name: str, seconds: float, *, stays: bool = True, ttl: float = 0) -> None:
        calls.append(name)
        await write(game, name, seconds, stays=stays, ttl=ttl)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "mark", count)
        yield store, Live(runner, store).open("trebor", 4), calls


def test_many_streams_of_a_seat_have_one_mark_that_is_written_once(
    crowd: tuple[MemoryStore, Table, list[str]], follow: Follow
) -> None:
    store, table, calls = crowd
    streams = [follow(table, 2) for _ in range(200)]
    for stream in streams:
        stream.hear(1)
    assert len(calls) == 1
    assert len(store._leases[table.opened.id]) == 1
    for stream in streams:
        stream.leave()
    assert len(calls) == 2
    assert store._leases == {}
